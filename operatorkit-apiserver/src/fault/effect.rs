//! What goes wrong.

use std::time::Duration;

use crate::failure::Failure;

/// What happens to a request that a fault matches.
#[derive(Clone, Debug)]
pub enum Effect {
    /// It is refused, and nothing is done.
    Refuse(Failure),
    /// It is done, and answered with this nevertheless: the client cannot know.
    DoneButRefused(Failure),
    /// It is done after this time.
    Delay(Duration),
    /// It is done, and answered after this time.
    DelayAnswer(Duration),
    /// It is neither done nor answered, and the connection stays.
    Hang,
    /// It is done, and never answered.
    DoneButHangs,
    /// The connection is dropped, and nothing is done.
    Drop,
    /// It is done, and the connection is dropped instead of an answer.
    DoneButDropped,
    /// The connection is dropped, and it is done after this time all the same, as if it had been held up on its way.
    DoneLate(Duration),
    /// A get, list or watch sees nothing after this version, as from a cache that stands still or has gone back. A delete sees no finalizer
    /// that was added after it: what had none then is gone, as on a real server that has read it before.
    SeeOnly(u64),
    /// The events of a watch are disturbed.
    Watch(Interference),
}

impl Effect {
    /// 409, as if somebody else had been faster.
    pub fn conflict() -> Self {
        let message = "the object has been modified; please apply your changes to the latest version and try again";
        Self::Refuse(Failure::new(
            409,
            "Conflict",
            format!("Operation cannot be fulfilled: {message}"),
        ))
    }

    /// 429 with `Retry-After`, in seconds.
    pub fn too_many_requests(retry_after: u32) -> Self {
        Self::Refuse(Failure::too_many_requests(
            "Too many requests, please try again later.",
            retry_after,
        ))
    }

    /// 500.
    pub fn internal_error() -> Self {
        Self::Refuse(Failure::internal("injected"))
    }

    /// 503.
    pub fn unavailable() -> Self {
        Self::Refuse(Failure::new(
            503,
            "ServiceUnavailable",
            "the server is currently unable to handle the request",
        ))
    }

    /// 504: the server gave up; whether it was done is not known.
    pub fn timeout() -> Self {
        let mut failure = Failure::new(
            504,
            "Timeout",
            "Timeout: request did not complete within the allotted timeout",
        );
        failure.retry_after = Some(1);
        Self::Refuse(failure)
    }

    /// 400: an admission webhook says no, in the words of the real server.
    pub fn webhook_denied(webhook: &str, why: &str) -> Self {
        let message = format!("admission webhook {webhook:?} denied the request: {why}");
        Self::Refuse(Failure::new(400, "", message))
    }

    /// 500: an admission webhook cannot be reached.
    pub fn webhook_unreachable(webhook: &str) -> Self {
        Self::Refuse(Failure::internal(format!(
            "failed calling webhook {webhook:?}: failed to call webhook: connection refused"
        )))
    }
}

/// How the events of a watch are disturbed. Numbers count the events that the watch would have sent, bookmarks apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interference {
    /// The stream ends in order after this many events.
    EndAfter(u64),
    /// The connection breaks after this many events.
    BreakAfter(u64),
    /// After this many events nothing comes any more, not even a bookmark, and the connection stays.
    SilentAfter(u64),
    /// After this many events it says 410, and ends.
    ExpireAfter(u64),
    /// These events are not sent; the first is 1.
    Omit(Vec<u64>),
    /// Events of one object that come together are one: its last.
    Coalesce,
    /// Each event comes this much later.
    Late(Duration),
}
