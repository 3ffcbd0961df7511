//! Sending errors to the app's reporters from where the layer stands.

use futures::future::BoxFuture;

use super::{Layer, Next, Operation};
use crate::{error::Result, flow::Flow, judgement::unread, reporting::ErrorReport};

/// Reports every error that comes out of what is inside of it, to the reporters of `App::report_errors`.
///
/// What a pass fails of is reported without it, once while it lasts. So it belongs *inside* of a [`Retry`](super::Retry): there it shows the
/// attempts that a later one makes good. It reports each of them, repetitions included.
#[derive(Clone, Copy, Debug, Default)]
pub struct Report;

impl Layer for Report {
    fn is_enabled(&self, operation: &Operation<'_>) -> bool {
        operation.surroundings.reports.is_some_and(|reports| !reports.is_off())
    }

    fn call<'a>(&'a self, operation: &'a Operation<'a>, next: Next<'a>) -> BoxFuture<'a, Result<Flow<()>>> {
        Box::pin(async move {
            let answer = next.run().await;
            if let (Err(err), Some(reports)) = (&answer, operation.surroundings.reports)
                && unread(err).is_none()
            {
                reports.send(ErrorReport::of(operation, err));
            }
            answer
        })
    }
}
