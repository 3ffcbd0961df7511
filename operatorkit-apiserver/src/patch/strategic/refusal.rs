//! Why a strategic merge patch cannot be applied, and what the real server answers then.

use std::fmt::Display;

use serde_json::Value;

use super::print;
use crate::{failure::Failure, patch::inapplicable};

/// Why a strategic merge patch cannot be applied.
#[derive(Debug, PartialEq)]
pub(super) enum Refusal {
    /// A directive is malformed: 400.
    BadFormat(&'static str),
    /// A list of lists: 422.
    ListOfLists,
    /// Everything else. The real server answers 500, without a reason.
    Other(String),
}

impl Refusal {
    pub(super) const RETAIN_KEYS: Self = Self::BadFormat("invalid patch format of retainKeys");
    pub(super) const PRIMITIVE_LIST: Self = Self::BadFormat("invalid patch format of primitive list");
    pub(super) const ELEMENT_ORDER: Self = Self::BadFormat("invalid patch format of setElementOrder list");

    /// A value of another type than the patch needs.
    pub(super) fn type_(expected: &str, actual: &Value) -> Self {
        Self::Other(format!(
            "expected a {expected}, but received a {}",
            print::type_(actual)
        ))
    }

    /// An item of a list without the field that tells it apart.
    pub(super) fn no_merge_key(item: &Value, key: &str) -> Self {
        let item = print::value(item);
        Self::Other(format!("map: {item} does not contain declared merge key: {key}"))
    }

    /// A `$patch` that is not known.
    pub(super) fn patch_type(directive: &Value, patch: &Value) -> Self {
        let (directive, patch) = (print::as_string(directive), print::value(patch));
        Self::Other(format!("unknown patch type: {directive} in map: {patch}"))
    }

    /// A refusal in other words.
    pub(super) fn other(message: impl Display) -> Self {
        Self::Other(message.to_string())
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::BadFormat(message) => Self::bad_request(message),
            Refusal::ListOfLists => inapplicable(),
            Refusal::Other(message) => Self::new(500, "", message),
        }
    }
}
