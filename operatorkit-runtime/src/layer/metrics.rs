//! Counts operations, and measures how long they take.

use futures::future::BoxFuture;
use tokio::time::Instant;

use super::{Layer, Next, Operation};
use crate::{error::Result, flow::Flow, metrics::Outcome};

/// Counts each operation, and how long it took, in `operatorkit_controller_operation_total` and `operatorkit_controller_operation`, whose
/// [labels](crate::metrics) are the operator, the resource, the operation and the result: `error` for an error, else `success`.
///
/// What is inside of it counts as one: around a retry it measures the whole, inside of one each attempt.
#[derive(Clone, Copy, Debug, Default)]
pub struct Metrics;

impl Layer for Metrics {
    fn is_enabled(&self, operation: &Operation<'_>) -> bool {
        operation.meter().is_some()
    }

    fn call<'a>(&'a self, operation: &'a Operation<'a>, next: Next<'a>) -> BoxFuture<'a, Result<Flow<()>>> {
        Box::pin(async move {
            let began = Instant::now();
            let answer = next.run().await;
            if let Some(meter) = operation.meter() {
                let outcome = if answer.is_ok() {
                    Outcome::Success
                } else {
                    Outcome::Error
                };
                meter.operation(operation.resource, operation.verb, outcome, began.elapsed());
            }
            answer
        })
    }
}
