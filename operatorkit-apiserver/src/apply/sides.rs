//! Two values side by side, either of which may be absent.

use serde_json::Value;

use super::{
    atom::Scalar,
    mismatch::{self, Mismatches},
};

/// What is wrong if neither side is a scalar of this type.
pub(super) fn scalars(scalar: Scalar, left: Option<&Value>, right: Option<&Value>) -> Option<Mismatches> {
    let mut errors = mismatch::scalar(scalar, left, "lhs: ");
    let more = mismatch::scalar(scalar, right, "rhs: ");
    if errors.is_empty() || more.is_empty() {
        return None;
    }
    errors.and(more);
    Some(errors)
}

pub(super) fn empty_map(value: Option<&Value>) -> bool {
    value.and_then(Value::as_object).is_none_or(serde_json::Map::is_empty)
}

pub(super) fn empty_list(value: Option<&Value>) -> bool {
    value.and_then(Value::as_array).is_none_or(Vec::is_empty)
}

type Fields = serde_json::Map<String, Value>;

/// The names in either, each once.
pub(super) fn names<'a>(left: Option<&'a Fields>, right: Option<&'a Fields>) -> impl Iterator<Item = &'a str> {
    let only_right = right
        .into_iter()
        .flatten()
        .filter(move |(name, _)| left.is_none_or(|it| !it.contains_key(*name)));
    left.into_iter()
        .flatten()
        .chain(only_right)
        .map(|(name, _)| name.as_str())
}
