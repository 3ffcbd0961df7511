//! Reading and filling fields.

use serde_json::{Map, Value};

pub(super) type Fields = Map<String, Value>;

/// What Go cannot tell from nothing in a field that is no pointer.
pub(super) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Bool(true) => false,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
    }
}

/// A field as text; empty if it is absent.
pub(super) fn text<'a>(fields: &'a Fields, name: &str) -> &'a str {
    fields.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Whether a field is given at all.
pub(super) fn given(fields: &Fields, name: &str) -> bool {
    fields.get(name).is_some_and(|value| !value.is_null())
}

/// Whether a field is given, and not empty.
pub(super) fn filled(fields: &Fields, name: &str) -> bool {
    fields.get(name).is_some_and(|value| !is_empty(value))
}

/// Fills a field that is not given.
pub(super) fn default(fields: &mut Fields, name: &str, value: impl Into<Value>) {
    if !given(fields, name) {
        fields.insert(name.to_owned(), value.into());
    }
}

/// Fills a field that is not given or empty.
pub(super) fn default_empty(fields: &mut Fields, name: &str, value: impl Into<Value>) {
    if !filled(fields, name) {
        fields.insert(name.to_owned(), value.into());
    }
}

/// An object in a field, if it is one.
pub(super) fn object<'a>(fields: &'a mut Fields, name: &str) -> Option<&'a mut Fields> {
    fields.get_mut(name).and_then(Value::as_object_mut)
}

/// The objects of a list.
pub(super) fn items<'a>(fields: &'a mut Fields, name: &str) -> impl Iterator<Item = &'a mut Fields> {
    let items = fields.get_mut(name).and_then(Value::as_array_mut);
    items.into_iter().flatten().filter_map(Value::as_object_mut)
}

/// Adds to the map `into` what the map `from` has and it has not.
pub(super) fn complete(fields: &mut Fields, into: &str, from: &str) {
    let Some(Value::Object(source)) = fields.get(from).cloned() else {
        return;
    };
    default(fields, into, Fields::new());
    if let Some(target) = object(fields, into) {
        for (key, value) in source {
            target.entry(key).or_insert(value);
        }
    }
}

/// Sets `metadata.labels` to the labels of the template, if it has none of its own.
pub(super) fn labels_of_template(fields: &mut Fields) {
    let labels = fields.get("spec").map(|spec| &spec["template"]["metadata"]["labels"]);
    if let Some(labels) = labels.filter(|labels| !is_empty(labels)).cloned()
        && let Some(metadata) = object(fields, "metadata")
    {
        default_empty(metadata, "labels", labels);
    }
}
