//! A limit on the time of an operation.

use std::time::Duration;

use anyhow::anyhow;
use futures::future::BoxFuture;

use super::{Layer, Next, Operation};
use crate::{
    error::{ErrorExt as _, Result},
    flow::Flow,
};

/// Ends what is inside after a time, with an error of the reason `TimedOut` that names the operation and the limit.
///
/// What is inside is dropped where it awaits. That is as safe as a crash at this point: an intent, a State or a mark that was stored
/// stays, and the next pass looks before it repeats. Code that blocks its thread cannot be ended, nor can a task that it has spawned.
///
/// Outside of a [`Retry`](super::Retry) it limits all attempts together, inside each of them.
#[derive(Clone, Copy, Debug)]
pub struct Timeout(Duration);

impl Timeout {
    /// Ends an operation after this time.
    pub const fn after(limit: Duration) -> Self {
        Self(limit)
    }
}

impl Layer for Timeout {
    fn call<'a>(&'a self, operation: &'a Operation<'a>, next: Next<'a>) -> BoxFuture<'a, Result<Flow<()>>> {
        Box::pin(async move {
            match tokio::time::timeout(self.0, next.run()).await {
                Ok(answer) => answer,
                Err(_late) => Err(anyhow!("`{}` did not end within {:?}", operation.verb, self.0).reason("TimedOut")),
            }
        })
    }
}
