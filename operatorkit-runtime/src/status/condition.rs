//! Conditions, as the Kubernetes API conventions want them.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A condition of an object (Kubernetes API conventions, "Typical status properties"; the fields of
/// `meta/v1.Condition`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// The type, unique in the list.
    #[serde(rename = "type")]
    pub type_: String,
    /// `True`, `False` or `Unknown`.
    pub status: String,
    /// Why, in CamelCase.
    #[serde(default)]
    pub reason: String,
    /// Why, for a person.
    #[serde(default)]
    pub message: String,
    /// When `status` changed last, RFC 3339.
    #[serde(default)]
    pub last_transition_time: String,
    /// The generation that the condition is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
}

/// What a condition is to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) status: bool,
    pub(crate) reason: String,
    pub(crate) message: String,
}

impl Verdict {
    pub(crate) fn new(status: bool, reason: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            status,
            reason: reason.into(),
            message: message.into(),
        }
    }
}

/// The condition after a verdict: the time moves only with the status.
pub(crate) fn set(
    before: Option<&Condition>,
    type_: &str,
    verdict: Verdict,
    generation: Option<i64>,
    now: Timestamp,
) -> Condition {
    let status = if verdict.status { "True" } else { "False" };
    let same = before.filter(|before| before.status == status && !before.last_transition_time.is_empty());
    Condition {
        type_: type_.to_owned(),
        status: status.to_owned(),
        reason: verdict.reason,
        message: verdict.message,
        last_transition_time: same.map_or_else(|| time(now), |before| before.last_transition_time.clone()),
        observed_generation: generation,
    }
}

/// A time as the API server writes it: RFC 3339 in whole seconds.
pub(super) fn time(now: Timestamp) -> String {
    now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_moves_only_with_the_status() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let verdict = |status, message: &str| Verdict::new(status, "R", message);
        let first = set(None, "Ready", verdict(false, "a"), Some(1), at(10));
        let second = set(Some(&first), "Ready", verdict(false, "b"), Some(2), at(20));
        let third = set(Some(&second), "Ready", verdict(true, "b"), Some(2), at(30));
        assert_eq!(first.last_transition_time, "1970-01-01T00:00:10Z");
        assert_eq!(
            (second.last_transition_time.as_str(), second.message.as_str()),
            ("1970-01-01T00:00:10Z", "b")
        );
        assert_eq!(third.last_transition_time, "1970-01-01T00:00:30Z");
    }
}
