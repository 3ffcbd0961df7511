//! Reads fields of an object by JSON pointers, with the zero values of Go for what is missing.

use serde_json::Value;

/// A string, empty if there is none.
pub(crate) fn text<'a>(object: &'a Value, pointer: &str) -> &'a str {
    object.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// A string that is there and not empty.
pub(crate) fn some_text<'a>(object: &'a Value, pointer: &str) -> Option<&'a str> {
    Some(text(object, pointer)).filter(|text| !text.is_empty())
}

/// A whole number, 0 if there is none.
pub(crate) fn integer(object: &Value, pointer: &str) -> i64 {
    object.pointer(pointer).and_then(Value::as_i64).unwrap_or_default()
}

/// Whether a boolean is there and true.
pub(crate) fn is_true(object: &Value, pointer: &str) -> bool {
    object.pointer(pointer).and_then(Value::as_bool).unwrap_or_default()
}

/// The items of a list, none if there is no list.
pub(crate) fn items<'a>(object: &'a Value, pointer: &str) -> &'a [Value] {
    object
        .pointer(pointer)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// How many items or entries a list or map has.
pub(crate) fn length(object: &Value, pointer: &str) -> usize {
    match object.pointer(pointer) {
        Some(Value::Array(items)) => items.len(),
        Some(Value::Object(entries)) => entries.len(),
        _ => 0,
    }
}

/// Whether a field is there and not null.
pub(crate) fn has(object: &Value, pointer: &str) -> bool {
    object.pointer(pointer).is_some_and(|value| !value.is_null())
}

/// The condition of a type.
pub(crate) fn condition<'a>(object: &'a Value, pointer: &str, kind: &str) -> Option<&'a Value> {
    items(object, pointer)
        .iter()
        .find(|condition| text(condition, "/type") == kind)
}

/// Whether the condition of a type is `True`.
pub(crate) fn is_condition_true(object: &Value, pointer: &str, kind: &str) -> bool {
    condition(object, pointer, kind).is_some_and(|condition| text(condition, "/status") == "True")
}

/// A quantity, or an integer or string, as it is written; `0` if there is none.
pub(crate) fn quantity(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => "0".to_owned(),
    }
}

/// The first items of a list with the number of those that are left out: `a,b,c + 2 more...`, `<unset>` for none.
pub(crate) fn first_of<T: AsRef<str>>(items: &[T], most: usize) -> String {
    let shown: Vec<&str> = items.iter().take(most).map(AsRef::as_ref).collect();
    let shown = shown.join(",");
    if items.len() > most {
        return format!("{shown} + {} more...", items.len() - most);
    }
    if shown.is_empty() { "<unset>".to_owned() } else { shown }
}
