//! Layers wrap single operations of a resource, like tower's wrap a service.
//!
//! A stack is a list that reads top-down: the first layer is the outermost. It is said for an operator, or for one of its
//! resources, whose list then *replaces* the operator's:
//!
//! ```ignore
//! #[operator(.., layers(Metrics, Trace, Retry::new(3), Timeout::after(Duration::from_secs(30))))]
//! #[resource(.., layers(Metrics, Trace, Timeout::after(Duration::from_mins(2))))]
//! ```
//!
//! The expressions are evaluated once, when the operator starts, where the attribute stands. A layer that is made at run time, from
//! the configuration say, is added with `App::layer`: it goes around those of every operator and resource.
//!
//! | layer | what it does |
//! |---|---|
//! | [`Metrics`] | counts operations, and how long they take |
//! | [`Trace`] | a `tracing` span around the operation |
//! | [`Retry`] | tries again at once, without the rest of the pass |
//! | [`Timeout`] | limits the time |
//! | [`Report`] | sends errors to the app's reporters from where it stands, also those that a retry makes good |
//! | [`Recorder`] | keeps what ran, in which order, and how it ended: for tests |
//!
//! Where nothing is said, the stack is `layers(Metrics, Trace)`. A list of one's own without `Metrics` is not measured by operation.
//!
//! # What a layer sees
//! An [`Operation`]: whose, of which object, and what is done ([`Verb`]). It sees how the operation ended, a [`Flow`] or an error, and
//! not its output, which goes past the layers. It may run what is inside of it once, more often, or not at all: then it answers itself,
//! `Wait`, `Skip`, `Cancel` or an error. Only `Ready` it cannot make up, where somebody reads the output. What a layer answers counts as
//! the resource's own answer: a `Cancel` before an operation stops the later ones of that resource, and the pass.
//!
//! A panic in a layer is an error of the resource, like a panic in the resource itself.
//!
//! # Coming from Go operatorkit
//! Its wrappers `retryresource` and `metricsresource` go around the same steps. The label `operation` of its metrics is a method's name, or
//! nearly; here it is the [`Verb`]:
//!
//! | Go's method (and label value, where it differs) | here |
//! |---|---|
//! | `GetCurrentState` | `observe` of an `External`, `find` where nothing is stored yet; none for a `Manifest`, whose children are watched |
//! | `GetDesiredState` | `desired` of a `Manifest`, `wanted` of an `External` |
//! | `NewUpdatePatch` | none: `apply` compares, and `observe` answers `Differs` |
//! | `NewDeletePatch` | none: what is deleted is what is stored |
//! | `ApplyCreateChange` (`ApplyCreatePatch`) | `create` of an `External`, `apply` of a `Manifest` |
//! | `ApplyUpdateChange` (`ApplyUpdatePatch`) | `update` of an `External`, `apply` of a `Manifest` |
//! | `ApplyDeleteChange` (`ApplyDeletePatch`) | `delete` |
//! | `EnsureCreated`, `EnsureDeleted` | `ensure_created`, `ensure_deleted` of a `Step` |

mod call;
mod metrics;
mod operation;
mod recorder;
mod report;
mod retry;
mod stack;
#[cfg(test)]
mod tests;
mod timeout;
mod trace;

use std::sync::Arc;

pub(crate) use call::call;
/// What [`Layer::call`] answers, so that a layer needs no further crate.
pub use futures::future::BoxFuture;
pub use metrics::Metrics;
pub(crate) use operation::Surroundings;
pub use operation::{Operation, Verb};
pub use recorder::{Outcome, Record, Recorder};
pub use report::Report;
pub use retry::Retry;
pub use stack::Layers;
pub use timeout::Timeout;
pub use trace::Trace;

use crate::{error::Result, flow::Flow};

/// Wraps the operations of a resource.
///
/// A layer of one's own is a struct and one method:
///
/// ```
/// use operatorkit_runtime::{Flow, Result, layer::{BoxFuture, Layer, Next, Operation}};
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
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a layer",
    note = "write an expression that makes one, such as `Retry::new(3)`; a layer of your own implements `operatorkit::layer::Layer`"
)]
pub trait Layer: Send + Sync + 'static {
    /// Whether the layer has anything to do for an operation now; `false` leaves it out. Default `true`.
    fn is_enabled(&self, _operation: &Operation<'_>) -> bool {
        true
    }

    /// Runs one operation: calls [`Next::run`], once or more, or not at all.
    fn call<'a>(&'a self, operation: &'a Operation<'a>, next: Next<'a>) -> BoxFuture<'a, Result<Flow<()>>>;
}

/// A layer that is shared.
impl<L: Layer + ?Sized> Layer for Arc<L> {
    fn is_enabled(&self, operation: &Operation<'_>) -> bool {
        (**self).is_enabled(operation)
    }

    fn call<'a>(&'a self, operation: &'a Operation<'a>, next: Next<'a>) -> BoxFuture<'a, Result<Flow<()>>> {
        (**self).call(operation, next)
    }
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
    ///
    /// It may be run again, after an error as well as after an answer: every operation is idempotent. `create` of an `External`
    /// is made so: where it has run before, the provider is asked by `find` first.
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
