//! A `tracing` span around each operation.

use futures::future::BoxFuture;
use tracing::{Instrument as _, Level, enabled, info_span};

use super::{Layer, Next, Operation};
use crate::{error::Result, flow::Flow};

/// A span `resource` with the fields `resource` and `operation`, at info level.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trace;

impl Layer for Trace {
    fn is_enabled(&self, _operation: &Operation<'_>) -> bool {
        enabled!(Level::INFO)
    }

    fn call<'a>(&'a self, operation: &'a Operation<'a>, next: Next<'a>) -> BoxFuture<'a, Result<Flow<()>>> {
        let span = info_span!("resource", resource = operation.resource, operation = %operation.verb);
        Box::pin(next.run().instrument(span))
    }
}
