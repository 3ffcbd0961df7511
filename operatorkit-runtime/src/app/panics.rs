//! Panics as errors.

use std::{any::Any, backtrace::Backtrace, panic};

use anyhow::anyhow;
use tokio::task::JoinError;

/// The result of a task; its panic is an error.
pub(super) fn flatten(ended: Result<anyhow::Result<()>, JoinError>) -> anyhow::Result<()> {
    ended.unwrap_or_else(|err| Err(of_task(err)))
}

/// What a task died of.
pub(super) fn of_task(err: JoinError) -> anyhow::Error {
    match err.try_into_panic() {
        Ok(payload) => anyhow!("panicked: {}", text(&*payload)),
        Err(err) => anyhow!("was cancelled: {err}"),
    }
}

/// What a panic says.
pub(super) fn text(payload: &(dyn Any + Send)) -> &str {
    let literal = payload.downcast_ref::<&str>().copied();
    literal
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

/// From now on panics are log lines, so that JSON logs stay JSON; the backtrace is there if `RUST_BACKTRACE` asks for one.
pub(super) fn log() {
    panic::set_hook(Box::new(|panic| {
        let location = panic.location().map(ToString::to_string).unwrap_or_default();
        let backtrace = Backtrace::capture();
        let backtrace =
            (backtrace.status() == std::backtrace::BacktraceStatus::Captured).then(|| backtrace.to_string());
        tracing::error!(location, backtrace, "panicked: {}", text(panic.payload()));
    }));
}
