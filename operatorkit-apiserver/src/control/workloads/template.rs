//! Pods that are made of a template.

use serde_json::{Map, Value, json};

use super::owner::{controller_reference, name};
use crate::read::text;

/// The longest prefix that leaves room for the server's five letters.
const MAX_PREFIX: usize = 58;

/// A Pod of the template, controlled by the owner and named by the server: `owner-x7k2p`.
pub(super) fn pod(template: &Value, owner: &Value) -> Value {
    let mut metadata = Map::new();
    metadata.insert("generateName".to_owned(), json!(prefix(&format!("{}-", name(owner)))));
    metadata.insert("namespace".to_owned(), json!(text(owner, "/metadata/namespace")));
    metadata.insert("ownerReferences".to_owned(), json!([controller_reference(owner)]));
    for field in ["labels", "annotations", "finalizers"] {
        if let Some(value) = template.pointer("/metadata").and_then(|metadata| metadata.get(field)) {
            metadata.insert(field.to_owned(), value.clone());
        }
    }
    json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": metadata,
        "spec": template.get("spec").cloned().unwrap_or_else(|| json!({})),
    })
}

/// A prefix for names, cut to what leaves room.
pub(super) fn prefix(text: &str) -> String {
    text.chars().take(MAX_PREFIX).collect()
}

/// Sets a label, an annotation: an entry of a map in the metadata, which is made if it is missing.
pub(super) fn set_metadata(object: &mut Value, map: &str, key: &str, value: &str) {
    let entries = &mut object["metadata"][map];
    if !entries.is_object() {
        *entries = json!({});
    }
    entries[key] = json!(value);
}

/// Whether two values are the same to Go: what is empty is as if it were missing.
pub(super) fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            let keys = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key)));
            keys.into_iter()
                .all(|key| is_same(a.get(key).unwrap_or(&Value::Null), b.get(key).unwrap_or(&Value::Null)))
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b)),
        _ => a == b || (is_empty(a) && is_empty(b)),
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(entries) => entries.values().all(is_empty),
        _ => false,
    }
}
