//! `Step`: a resource that is neither Kubernetes objects nor a thing with an identity.

use crate::{
    context::{Cx, DeleteCx},
    error::Result,
    flow::Flow,
    graph::Node,
    operator::Operator,
};

/// Anything else: a migration to run, a cache to warm, a line in somebody's list.
///
/// Both methods are idempotent: they run at every pass in their direction, and again after a crash.
pub trait Step: Node + Sized {
    /// The operator that this resource belongs to.
    type Operator: Operator;
    /// What it hands to those after it; `()` where there is nothing.
    type Output: Send + Sync + 'static;

    /// Makes it so.
    ///
    /// # Errors
    /// Any error holds up what depends on this resource and is retried with backoff.
    fn ensure_created(
        &self,
        object: &<Self::Operator as Operator>::Object,
        cx: &Cx<Self>,
    ) -> impl Future<Output = Result<Flow<Self::Output>>> + Send;

    /// Undoes it, also where `ensure_created` never ran. By default there is nothing to undo.
    ///
    /// # Errors
    /// Any error keeps the finalizer and is retried with backoff.
    fn ensure_deleted(&self, _cx: &DeleteCx<Self>) -> impl Future<Output = Result<Flow<()>>> + Send {
        async { Ok(Flow::Ready(())) }
    }
}
