//! Trying an operation again, without the rest of the pass.

use std::time::Duration;

use futures::future::BoxFuture;
use tokio::time::sleep;

use super::{Layer, Next, Operation};
use crate::{
    error::{Error, Result},
    flow::Flow,
    judgement::{Judgement, unread},
};

/// The longest wait between two attempts. What needs longer is left to the backoff of the object, which holds up nothing.
const WAIT_MAX: Duration = Duration::from_secs(30);

/// Runs a failed operation again: that one only, not those before it.
///
/// It waits one second after the first failure, or what [`wait`](Self::wait) says, and twice as long each further time, 30 seconds at
/// most. An error that says `retry_after` is waited for that long instead.
///
/// It gives up, with the error as it is, after the last attempt, and at once
/// - for an error that is `permanent()`, or that the API server would give again (an object that is not valid);
/// - for one whose `retry_after` is longer than 30 seconds;
/// - when the operator shuts down, also in the middle of a wait.
///
/// An answer is no failure: `Wait`, `Skip` and `Cancel` are never run again, nor is a read of an output that is not there.
///
/// The object's own backoff comes after it, so this is for what fails for a moment. While it waits, the pass waits, the object's other
/// resources go on, and one of the passes that may run at once (64 by default) is taken.
///
/// # `create` of an `External`
/// A `create` that failed may have made the thing all the same. It is not run blindly again, by this layer or any other: before each
/// further run the provider is asked by `find`, and what is found is the result. With `recover = "manual"` nobody can be asked, so there
/// `create` is run once, and the next pass asks a person.
#[derive(Clone, Copy, Debug)]
pub struct Retry {
    attempts: u32,
    wait: Duration,
}

impl Retry {
    /// So many attempts, the first included; none counts as one.
    pub const fn new(attempts: u32) -> Self {
        Self {
            attempts,
            wait: Duration::from_secs(1),
        }
    }

    /// The wait after the first failure; default one second.
    #[must_use]
    pub const fn wait(self, wait: Duration) -> Self {
        Self { wait, ..self }
    }

    /// How long to wait after a failure; `None`: no further attempt.
    fn after(&self, attempt: u32, err: &Error) -> Option<Duration> {
        if attempt >= self.attempts || unread(err).is_some() {
            return None;
        }
        let judgement = Judgement::of(err);
        let doubled = self.wait.saturating_mul(2_u32.saturating_pow(attempt - 1));
        let wait = judgement.retry_after.unwrap_or(doubled.min(WAIT_MAX));
        (!judgement.permanent && !judgement.quiet && wait <= WAIT_MAX).then_some(wait)
    }
}

/// Three attempts, as Go operatorkit has them.
impl Default for Retry {
    fn default() -> Self {
        Self::new(3)
    }
}

impl Layer for Retry {
    fn is_enabled(&self, operation: &Operation<'_>) -> bool {
        self.attempts > 1 && !operation.is_once()
    }

    fn call<'a>(&'a self, operation: &'a Operation<'a>, next: Next<'a>) -> BoxFuture<'a, Result<Flow<()>>> {
        Box::pin(async move {
            let mut attempt = 1;
            loop {
                let err = match next.run().await {
                    Ok(flow) => return Ok(flow),
                    Err(err) => err,
                };
                let Some(wait) = self.after(attempt, &err) else {
                    return Err(err);
                };
                tracing::debug!(resource = operation.resource, operation = %operation.verb, attempt, ?wait, "tried again: {err:#}");
                tokio::select! {
                    biased;
                    () = operation.shutdown() => return Err(err),
                    () = sleep(wait) => attempt += 1,
                }
            }
        })
    }
}
