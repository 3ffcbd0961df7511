//! Moments as Kubernetes writes them: whole seconds, UTC.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::read::text;

/// `2026-01-01T00:00:00Z`
pub(super) fn written(moment: Timestamp) -> Value {
    json!(moment.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
}

/// A moment of an object.
pub(super) fn read(object: &Value, pointer: &str) -> Option<Timestamp> {
    text(object, pointer).parse().ok()
}

/// When the object was created.
pub(super) fn created(object: &Value) -> Option<Timestamp> {
    read(object, "/metadata/creationTimestamp")
}

/// A moment some seconds later. Times that cannot be written are cut off.
pub(super) fn after(moment: Timestamp, seconds: i64) -> Timestamp {
    moment
        .saturating_add(SignedDuration::from_secs(seconds))
        .unwrap_or(Timestamp::MAX)
}
