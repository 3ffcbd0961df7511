//! A panic is one request's: what the store holds is whole, since each change of it is one step.

use std::panic::AssertUnwindSafe;

use futures::FutureExt as _;

use crate::failure::Failure;

/// What `work` comes to; 500 if it panics.
pub(super) async fn caught<T>(work: impl Future<Output = T>) -> Result<T, Failure> {
    AssertUnwindSafe(work).catch_unwind().await.map_err(|panic| {
        let what = panic.downcast_ref::<&str>().map(ToString::to_string);
        let what = what
            .or_else(|| panic.downcast_ref::<String>().cloned())
            .unwrap_or_default();
        tracing::error!(panic = what, "a request has made the server panic");
        Failure::internal("the server has panicked on this request")
    })
}
