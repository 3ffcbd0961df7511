//! What a resource answers, apart from an error.

use std::{fmt, time::Duration};

/// The answer of a resource: go on, not yet, leave me out, or stop this pass.
///
/// An error is none of these: it is an `Err`, with backoff. In both directions independent resources go on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Flow<T> {
    /// Done; the output goes to those after it. Backwards: gone.
    Ready(T),
    /// Not yet: nothing after it runs. Backwards: the finalizer stays.
    Wait(Wait),
    /// Leave this resource for this pass and go on with the others; who reads its output is skipped too,
    /// its children stay. Backwards: counts as gone for those that wait for it and for the finalizer.
    Skip(String),
    /// Stop this pass: no further resource starts. Backwards: the finalizer stays.
    Cancel(String),
}

/// Why a resource waits, and when to look again.
///
/// It is an error type, too: returned by `?` from any of a resource's methods it is a [`Flow::Wait`] and not a failure. So a function that
/// is called on the way can wait: `Err(Wait::new("the moon is not full"))?`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// A CamelCase reason for the status, `Waiting` by default.
    pub reason: String,
    /// For a person. Without counters, since the status is written whenever it changes.
    pub message: String,
    /// When to look again if no event comes first. `None`: an event or the resync brings the next pass.
    pub again: Option<Duration>,
}

impl Wait {
    /// A wait that an event ends.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            reason: "Waiting".into(),
            message: message.into(),
            again: None,
        }
    }

    /// With a CamelCase reason of its own.
    #[must_use]
    pub fn with_reason(mut self, reason: impl Into<String>) -> Self {
        self.reason = reason.into();
        self
    }

    /// Looks again after this time: for what sends no event.
    #[must_use]
    pub fn with_again(mut self, again: Duration) -> Self {
        self.again = Some(again);
        self
    }
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Wait {}

impl<T> Flow<T> {
    /// Not yet; an event will bring the next pass.
    pub fn wait(message: impl Into<String>) -> Self {
        Self::Wait(Wait::new(message))
    }

    /// Not yet; look again after `again`.
    pub fn wait_for(again: Duration, message: impl Into<String>) -> Self {
        Self::Wait(Wait::new(message).with_again(again))
    }

    /// Leave this resource for this pass.
    pub fn skip(why: impl Into<String>) -> Self {
        Self::Skip(why.into())
    }

    /// Stop this pass.
    pub fn cancel(why: impl Into<String>) -> Self {
        Self::Cancel(why.into())
    }

    /// Maps the output.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Flow<U> {
        match self {
            Self::Ready(output) => Flow::Ready(f(output)),
            Self::Wait(wait) => Flow::Wait(wait),
            Self::Skip(why) => Flow::Skip(why),
            Self::Cancel(why) => Flow::Cancel(why),
        }
    }
}

impl<T> From<T> for Flow<T> {
    fn from(output: T) -> Self {
        Self::Ready(output)
    }
}
