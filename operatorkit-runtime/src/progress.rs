//! What passes tell whoever looks on while they run: the `dev` command, and single passes in a test.

use std::{fmt, sync::Arc};

use crate::status::{ResourceStatus, Verdict};

/// Who looks on; usually nobody.
#[derive(Clone, Default)]
pub(crate) struct Onlooker(Option<Arc<dyn Fn(Progress) + Send + Sync>>);

/// How far a pass over an object has come.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    /// The operator's name.
    pub(crate) operator: String,
    /// The object's namespace; `None` if it is cluster-scoped.
    pub(crate) namespace: Option<String>,
    /// The object's name.
    pub(crate) name: String,
    /// Whether the object is being deleted.
    pub(crate) backwards: bool,
    pub(crate) step: Step,
}

/// A step of a pass.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// This resource's turn has come.
    Begins(String),
    /// A resource is like this now.
    Is(ResourceStatus),
    /// How all resources are at the end of a pass; none if the object is paused.
    All { lines: Vec<ResourceStatus>, paused: bool },
    /// The pass is over; what holds the object up, if anything does. Backwards, without it, the object was let go.
    Ended(Option<Verdict>),
}

impl Onlooker {
    pub(crate) fn new(told: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(told)))
    }

    /// Tells it; nothing is made up for nobody.
    pub(crate) fn tell(&self, progress: impl FnOnce() -> Progress) {
        if let Some(told) = &self.0 {
            told(progress());
        }
    }
}

impl fmt::Debug for Onlooker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Onlooker").field(&self.0.is_some()).finish()
    }
}
