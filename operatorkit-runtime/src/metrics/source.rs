//! What is read of an operator's stores at each scrape, so that series about an object end with it.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use kube::core::ObjectMeta;

/// An operator's stores and queue.
pub(crate) trait Source: Send + Sync {
    fn queue(&self) -> QueueSeen;
    fn objects(&self) -> Vec<ObjectSeen>;
    /// How many children there are; those that the code's types name are there with zero.
    fn children(&self) -> BTreeMap<ChildrenOf, usize>;
}

/// The queue at one moment.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct QueueSeen {
    pub(crate) queued: usize,
    pub(crate) running: usize,
    /// For how long the oldest running pass has run.
    pub(crate) longest: Duration,
}

/// An object in the store.
#[derive(Clone, Debug)]
pub(crate) struct ObjectSeen {
    pub(crate) meta: Arc<ObjectMeta>,
    pub(crate) paused: bool,
}

/// Whose children, and of which kind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ChildrenOf {
    pub(crate) resource: Arc<str>,
    pub(crate) group: String,
    pub(crate) kind: String,
}
