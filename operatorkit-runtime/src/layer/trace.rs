//! A `tracing` span around each operation.

use futures::future::BoxFuture;
use tracing::{Instrument as _, debug_span};

use super::{Layer, Next, Operation};
use crate::{error::Result, flow::Flow};

/// A span `resource` with the fields `resource` and `operation`, at debug level.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trace;

impl Layer for Trace {
    fn call<'a>(&'a self, operation: &'a Operation<'a>, next: Next<'a>) -> BoxFuture<'a, Result<Flow<()>>> {
        let span = debug_span!("resource", resource = operation.resource, operation = %operation.verb);
        if span.is_disabled() {
            return next.run();
        }
        Box::pin(next.run().instrument(span))
    }
}
