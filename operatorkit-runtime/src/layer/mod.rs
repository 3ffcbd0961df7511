//! Layers wrap single operations of a resource, like tower's wrap a service.
//!
//! A stack is a list that reads top-down: the first layer is the outermost.

mod call;
mod operation;
mod trace;

use std::sync::Arc;

use futures::future::BoxFuture;

pub(crate) use call::call;
pub use operation::{Operation, Verb};
pub use trace::Trace;

use crate::{error::Result, flow::Flow};

/// Wraps the operations of a resource.
///
/// ```
/// use futures::future::BoxFuture;
/// use operatorkit_runtime::{Flow, Result, layer::{Layer, Next, Operation}};
///
/// /// Says how long each operation took.
/// struct Took;
///
/// impl Layer for Took {
///     fn call<'a>(&'a self, operation: &'a Operation<'a>, next: Next<'a>) -> BoxFuture<'a, Result<Flow<()>>> {
///         Box::pin(async move {
///             let start = std::time::Instant::now();
///             let answer = next.run().await;
///             println!("{} {}: {:?}", operation.resource, operation.verb, start.elapsed());
///             answer
///         })
///     }
/// }
/// ```
pub trait Layer: Send + Sync + 'static {
    /// Whether the layer has anything to do for an operation now; `false` leaves it out. Default `true`.
    fn is_enabled(&self, _operation: &Operation<'_>) -> bool {
        true
    }

    /// Runs one operation: calls [`Next::run`], once or more, or not at all.
    fn call<'a>(&'a self, operation: &'a Operation<'a>, next: Next<'a>) -> BoxFuture<'a, Result<Flow<()>>>;
}

/// What is inside a layer: the layers below it, then the operation itself.
#[derive(Clone, Copy)]
pub struct Next<'a> {
    layers: &'a [Arc<dyn Layer>],
    operation: &'a Operation<'a>,
    innermost: &'a (dyn Fn() -> BoxFuture<'a, Result<Flow<()>>> + Send + Sync),
}

impl<'a> Next<'a> {
    /// Runs what is inside. The answer says how the operation ended; its output goes past the layers.
    pub fn run(self) -> BoxFuture<'a, Result<Flow<()>>> {
        match self.layers.split_first() {
            Some((layer, rest)) if layer.is_enabled(self.operation) => {
                layer.call(self.operation, Next { layers: rest, ..self })
            }
            Some((_, rest)) => Next { layers: rest, ..self }.run(),
            None => (self.innermost)(),
        }
    }
}

impl std::fmt::Debug for Next<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Next")
            .field("layers", &self.layers.len())
            .field("operation", self.operation)
            .finish()
    }
}

/// The stack where nothing else is said: tracing, and no retry, since a failed object is retried with backoff.
pub(crate) fn default_stack() -> Arc<[Arc<dyn Layer>]> {
    Arc::new([Arc::new(Trace) as Arc<dyn Layer>])
}
