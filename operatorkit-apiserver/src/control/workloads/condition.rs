//! Conditions in a status.

use serde_json::{Value, json};

use crate::read::{condition, items, text};

const CONDITIONS: &str = "/conditions";

/// The condition of a type in a status.
pub(super) fn find<'a>(status: &'a Value, kind: &str) -> Option<&'a Value> {
    condition(status, CONDITIONS, kind)
}

/// Puts a condition at the end, instead of the one of its type; nothing is done if status and reason stay the same.
/// The time of the transition stays if the status does.
pub(super) fn set(status: &mut Value, mut new: Value) {
    let old = find(status, text(&new, "/type")).filter(|old| old["status"] == new["status"]);
    if let Some(old) = old {
        if old["reason"] == new["reason"] {
            return;
        }
        new["lastTransitionTime"] = old["lastTransitionTime"].clone();
    }
    let kind = text(&new, "/type").to_owned();
    remove(status, &kind);
    push(status, new);
}

/// Takes the condition of a type out.
pub(super) fn remove(status: &mut Value, kind: &str) {
    let others: Vec<Value> = items(status, CONDITIONS)
        .iter()
        .filter(|condition| text(condition, "/type") != kind)
        .cloned()
        .collect();
    if let Some(status) = status.as_object_mut() {
        if others.is_empty() {
            status.remove("conditions");
        } else {
            status.insert("conditions".to_owned(), Value::Array(others));
        }
    }
}

/// Puts a condition at the end.
pub(super) fn push(status: &mut Value, new: Value) {
    match status.get_mut("conditions").and_then(Value::as_array_mut) {
        Some(conditions) => conditions.push(new),
        None => status["conditions"] = json!([new]),
    }
}
