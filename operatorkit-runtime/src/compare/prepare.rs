//! The form of an object in which it is sent, hashed and compared.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Map, Value};

/// What the server sets in `metadata`; sending it back is refused, ignored, or a precondition that nobody asked for.
const SERVER_SET: [&str; 8] = [
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "generation",
    "managedFields",
    "resourceVersion",
    "selfLink",
    "uid",
];

/// Brings a desired object into the form in which it is sent.
///
/// - `status` and what the server sets in `metadata` go: neither can be applied.
/// - Members that are `null` go, at any depth: an `Option` without `skip_serializing_if` serialises so and means
///   "not mine", while an applied `null` is either refused or takes the field's ownership. Items of lists stay.
/// - Empty `labels` and `annotations` of the object go: they say nothing, and others may fill them.
/// - In a Secret, `stringData` becomes `data` and wins over it, as the API server would do: it never shows `stringData` again.
pub(crate) fn prepare(object: &mut Value) {
    drop_nulls(object);
    let Value::Object(root) = object else { return };
    root.remove("status");
    if let Some(Value::Object(metadata)) = root.get_mut("metadata") {
        for member in SERVER_SET {
            metadata.remove(member);
        }
        for member in ["annotations", "labels"] {
            if matches!(metadata.get(member), Some(Value::Object(map)) if map.is_empty()) {
                metadata.remove(member);
            }
        }
    }
    if is_secret(object) {
        encode_string_data(object);
    }
}

/// Takes out the members that are `null`, at any depth; items of lists stay.
pub(crate) fn drop_nulls(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|_, member| !member.is_null());
            map.values_mut().for_each(drop_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_nulls),
        _ => {}
    }
}

fn is_secret(object: &Value) -> bool {
    object["apiVersion"] == "v1" && object["kind"] == "Secret"
}

/// Moves what is text; anything else stays, for the API server to refuse in its own words.
fn encode_string_data(secret: &mut Value) {
    let Value::Object(root) = secret else { return };
    if !matches!(root.get("data"), None | Some(Value::Object(_))) {
        return;
    }
    let Some(Value::Object(plain)) = root.remove("stringData") else {
        return;
    };
    let mut left = Map::new();
    let data = root.entry("data").or_insert_with(|| Map::new().into());
    for (key, value) in plain {
        match value {
            Value::String(text) => data[key] = STANDARD.encode(text).into(),
            other => _ = left.insert(key, other),
        }
    }
    if !left.is_empty() {
        root.insert("stringData".into(), left.into());
    }
}
