//! Whether labels are those that a selector asks for.

use serde_json::{Map, Value};

use crate::read::{items, text};

/// Whether an object's labels match a `LabelSelector`. One that asks for nothing matches nothing here: a controller that
/// took all Pods for its own would be a mistake.
pub(super) fn matches(selector: Option<&Value>, object: &Value) -> bool {
    let Some(selector) = selector else { return false };
    let wanted = selector.get("matchLabels").and_then(Value::as_object);
    let expressions = items(selector, "/matchExpressions");
    let is_empty = wanted.is_none_or(Map::is_empty) && expressions.is_empty();
    !is_empty
        && wanted.is_none_or(|wanted| has_all(object, wanted))
        && expressions.iter().all(|expression| satisfies(object, expression))
}

/// Whether an object has all of these labels.
pub(super) fn has_all(object: &Value, wanted: &Map<String, Value>) -> bool {
    wanted.iter().all(|(key, value)| label(object, key) == value.as_str())
}

/// A label of an object.
pub(super) fn label<'a>(object: &'a Value, key: &str) -> Option<&'a str> {
    object.pointer("/metadata/labels")?.get(key)?.as_str()
}

/// An annotation of an object.
pub(super) fn annotation<'a>(object: &'a Value, key: &str) -> Option<&'a str> {
    object.pointer("/metadata/annotations")?.get(key)?.as_str()
}

fn satisfies(object: &Value, expression: &Value) -> bool {
    let label = label(object, text(expression, "/key"));
    let is_among = || items(expression, "/values").iter().any(|value| value.as_str() == label);
    match text(expression, "/operator") {
        "In" => label.is_some() && is_among(),
        "NotIn" => label.is_none() || !is_among(),
        "Exists" => label.is_some(),
        "DoesNotExist" => label.is_none(),
        _ => false,
    }
}
