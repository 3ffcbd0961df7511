//! The keywords of a schema that say nothing of types: conditions on values, and what is told of a place.

use serde_json::{Map, Value};

use super::{docs, numbers};

/// Conditions that are the same in a structural schema.
const CHECKS: [&str; 10] = [
    "minimum",
    "maximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
];

/// A list that is said, or an empty one.
pub(super) fn list<'a>(map: &'a Map<String, Value>, key: &str) -> &'a [Value] {
    map.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// What is asked of a value.
pub(super) fn checks(map: &Map<String, Value>) -> Map<String, Value> {
    let mut checks = Map::new();
    for key in CHECKS {
        if let Some(value) = map.get(key) {
            checks.insert(key.to_owned(), value.clone());
        }
    }
    // JSON Schema has a number where OpenAPI has a switch beside the bound.
    for (exclusive, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
        match map.get(exclusive) {
            Some(value @ Value::Number(_)) => {
                checks.insert(bound.to_owned(), value.clone());
                checks.insert(exclusive.to_owned(), true.into());
            }
            Some(Value::Bool(true)) => {
                checks.insert(exclusive.to_owned(), true.into());
            }
            _ => {}
        }
    }
    // Whether `null` may be there is said by `nullable`.
    let values = list(map, "enum").iter().chain(map.get("const"));
    let values: Vec<_> = values.filter(|value| !value.is_null()).cloned().collect();
    if !values.is_empty() {
        checks.insert("enum".to_owned(), values.into());
    }
    if !list(map, "required").is_empty() {
        checks.insert("required".to_owned(), map["required"].clone());
    }
    if let Some(format) = map.get("format").and_then(Value::as_str) {
        numbers::put(&mut checks, format);
    }
    checks
}

/// What is told of a place.
pub(super) fn notes(map: &Map<String, Value>) -> Map<String, Value> {
    const OF_A_PLACE: [&str; 2] = ["x-kubernetes-preserve-unknown-fields", "x-kubernetes-int-or-string"];
    let mut notes = Map::new();
    for (key, value) in map {
        match key.as_str() {
            "title" | "example" | "externalDocs" => {
                notes.insert(key.clone(), value.clone());
            }
            "default" if !value.is_null() => {
                notes.insert(key.clone(), value.clone());
            }
            "description" => {
                let text = docs::public(value.as_str().unwrap_or_default());
                if !text.is_empty() {
                    notes.insert(key.clone(), text.into());
                }
            }
            "examples" => {
                if let Some(example) = value.as_array().and_then(|examples| examples.first()) {
                    notes.insert("example".to_owned(), example.clone());
                }
            }
            key if key.starts_with("x-kubernetes-") && !OF_A_PLACE.contains(&key) => {
                notes.insert(key.to_owned(), value.clone());
            }
            _ => {}
        }
    }
    notes
}
