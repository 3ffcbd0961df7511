//! Reading what a status says: conditions, numbers, text.

use serde_json::Value;

use super::{Readiness, kind};

/// One entry of `status.conditions`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Condition<'a> {
    pub(super) kind: &'a str,
    pub(super) status: &'a str,
    pub(super) reason: &'a str,
    pub(super) message: &'a str,
    observed_generation: Option<i64>,
}

impl Condition<'_> {
    /// Whether it speaks of an older generation of the object; most controllers do not say of which one.
    pub(super) fn is_old(&self, object: &Value) -> bool {
        let generation = integer(&object["metadata"]["generation"]);
        self.observed_generation
            .zip(generation)
            .is_some_and(|(observed, generation)| observed < generation)
    }

    /// Pending for this condition. Its own message is left out: it may count.
    pub(super) fn pending(&self, object: &Value) -> Readiness {
        let (kind, condition, status) = (kind(object), self.kind, self.status);
        Readiness::pending(
            self.reason_or("NotReady"),
            format!("the {kind}'s condition {condition} is {status}"),
        )
    }

    /// Failed for this condition, with its own message: a failure stands still.
    pub(super) fn failed(&self, object: &Value) -> Readiness {
        let (kind, condition, status) = (kind(object), self.kind, self.status);
        let said = if self.message.is_empty() {
            String::new()
        } else {
            format!(": {}", self.message)
        };
        Readiness::failed(
            self.reason_or("Failed"),
            format!("the {kind}'s condition {condition} is {status}{said}"),
        )
    }

    fn reason_or(&self, default: &str) -> String {
        if self.reason.is_empty() {
            default.to_owned()
        } else {
            self.reason.to_owned()
        }
    }
}

/// The conditions of an object; entries that are none are passed over.
pub(super) fn all(object: &Value) -> impl Iterator<Item = Condition<'_>> {
    let list = object["status"]["conditions"].as_array();
    list.into_iter()
        .flatten()
        .filter(|entry| entry.is_object())
        .map(|entry| Condition {
            kind: text(&entry["type"]),
            status: text(&entry["status"]),
            reason: text(&entry["reason"]),
            message: text(&entry["message"]),
            observed_generation: integer(&entry["observedGeneration"]),
        })
}

/// The condition of this type.
pub(super) fn find<'a>(object: &'a Value, kind: &str) -> Option<Condition<'a>> {
    all(object).find(|condition| condition.kind == kind)
}

/// The condition of this type, if its status is `True`.
pub(super) fn find_true<'a>(object: &'a Value, kind: &str) -> Option<Condition<'a>> {
    find(object, kind).filter(|condition| condition.status == "True")
}

/// A whole number.
pub(super) fn integer(value: &Value) -> Option<i64> {
    value.as_i64()
}

/// A text, or none as an empty one.
pub(super) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
