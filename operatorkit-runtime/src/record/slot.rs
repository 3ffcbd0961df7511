//! The slot of an `External`: intent and State as they are stored on the object.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::names::hashed;

/// What is stored for an `External` on its object: first the intent, then the State.
///
/// A slot without a state is an intent: a `create` may have happened, so `find` is asked before anything else.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Slot {
    /// The UID of the object that the slot was written for; another one means a restored backup.
    #[serde(default)]
    pub(crate) uid: String,
    /// What identifies the external thing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) state: Option<Value>,
    /// What a person decided where the thing cannot be found by its token; any other word is no decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) decision: Option<Value>,
    /// The thing is left behind when it would be deleted: decided at the last pass forwards.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) keep: bool,
}

impl Slot {
    pub(crate) fn intent(uid: &str) -> Self {
        Self {
            uid: uid.to_owned(),
            ..Self::default()
        }
    }

    pub(crate) fn with_state(uid: &str, state: Value) -> Self {
        Self {
            uid: uid.to_owned(),
            state: Some(state),
            ..Self::default()
        }
    }

    /// With what becomes of the thing when it would be deleted.
    pub(crate) fn kept(mut self, keep: bool) -> Self {
        self.keep = keep;
        self
    }

    pub(crate) fn decision(&self) -> Option<Decision> {
        serde_json::from_value(self.decision.clone()?).ok()
    }
}

/// A person's decision on an intent that cannot be recovered, written into the slot through the status subresource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// Nothing was made, or it was removed: make it anew.
    Create,
    /// Let go of it: whatever was made is left to the person.
    Abandon,
}

/// The most that a slot may hold, in bytes of JSON.
pub(crate) const SLOT_MAX: usize = 4096;

/// What an external thing is tagged with, so that it can be found again: stable for an object and a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    pub(crate) fn new(uid: &str, resource: &str) -> Self {
        Self(format!("ok-{}", hashed(&[uid, resource])))
    }

    /// `ok-` and 16 hex digits: fits into tags, labels and most names.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_depends_on_object_and_resource_only() {
        assert_eq!(Token::new("u", "r"), Token::new("u", "r"));
        assert_ne!(Token::new("u", "r"), Token::new("u", "s"));
        assert_ne!(Token::new("ab", "c"), Token::new("a", "bc"));
        assert_eq!(Token::new("u", "r").as_str().len(), 19);
    }

    #[test]
    fn a_decision_is_one_lower_case_word() {
        let slot: Slot = serde_json::from_str(r#"{"uid":"1","decision":"abandon"}"#).unwrap();
        assert_eq!(slot.decision(), Some(Decision::Abandon));
        let odd: Slot = serde_json::from_str(r#"{"uid":"1","decision":{"a":1}}"#).unwrap();
        assert_eq!(odd.decision(), None);
    }
}
