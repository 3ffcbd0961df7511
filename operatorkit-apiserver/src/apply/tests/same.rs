//! How answers are compared.

use serde_json::{Map, Value};

pub(super) fn entries(object: &Value) -> Value {
    object["metadata"].get("managedFields").cloned().unwrap_or_default()
}

pub(super) fn without_entries(object: &Value) -> Value {
    let mut object = object.clone();
    object["metadata"].as_object_mut().unwrap().remove("managedFields");
    object
}

/// Without what the server adds, and what the defaults of the CRD add.
pub(super) fn drop_server_set(value: &mut Value, metadata: bool) {
    let names: &[&str] = if metadata {
        &[
            "managedFields",
            "resourceVersion",
            "generation",
            "uid",
            "creationTimestamp",
        ]
    } else {
        &["filled", "protocol"]
    };
    match value {
        Value::Object(fields) => {
            fields.retain(|name, it| !names.contains(&name.as_str()) && !it.is_null());
            fields.values_mut().for_each(|it| drop_server_set(it, metadata));
        }
        Value::Array(items) => items.iter_mut().for_each(|it| drop_server_set(it, metadata)),
        _ => {}
    }
}

/// Whether the right value is the left one with defaults.
pub(super) fn within(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Null, _) => true,
        (Value::Object(left), right) => {
            let empty = Map::new();
            let right = right.as_object().unwrap_or(&empty);
            left.iter()
                .all(|(name, it)| within(it, right.get(name).unwrap_or(&Value::Null)))
        }
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| within(left, right))
        }
        _ => left == right,
    }
}

/// A `Status` with its causes in an order: the real server lists managers in none.
pub(super) fn sorted(status: &Value) -> Value {
    let mut status = status.clone();
    if let Some(causes) = status.pointer_mut("/details/causes").and_then(Value::as_array_mut) {
        causes.sort_by_key(|it| it["message"].to_string());
    }
    status
}

pub(super) fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap()
}
