//! The directives that a patch carries beside its fields.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::refusal::Refusal;

/// What happens with the object that carries it: `replace`, `delete`, `merge`.
pub(super) const PATCH: &str = "$patch";
/// The keys that stay.
const RETAIN_KEYS: &str = "$retainKeys";
/// `$deleteFromPrimitiveList/<field>`: the scalars that go.
pub(super) const DELETE_FROM_LIST: &str = "$deleteFromPrimitiveList";
/// `$setElementOrder/<field>`: the order of a list.
pub(super) const ELEMENT_ORDER: &str = "$setElementOrder";

/// The field that a directive with this prefix is about.
pub(super) fn field<'k>(key: &'k str, prefix: &str, refusal: Refusal) -> Result<&'k str, Refusal> {
    match key.split_once('/') {
        Some((before, field)) if before == prefix => Ok(field),
        _ => Err(refusal),
    }
}

/// What `$patch` makes of an object; `None` without one.
pub(super) fn whole(patch: &mut Map<String, Value>) -> Result<Option<Map<String, Value>>, Refusal> {
    let Some(directive) = patch.get(PATCH) else {
        return Ok(None);
    };
    match directive.as_str() {
        Some("replace") => {
            patch.remove(PATCH);
            Ok(Some(patch.clone()))
        }
        Some("delete") => Ok(Some(Map::new())),
        _ => Err(Refusal::patch_type(directive, &Value::Object(patch.clone()))),
    }
}

/// `$retainKeys`: fields that it does not list go.
pub(super) fn retain_keys(original: &mut Map<String, Value>, patch: &mut Map<String, Value>) -> Result<(), Refusal> {
    let Some(retained) = patch.remove(RETAIN_KEYS) else {
        return Ok(());
    };
    let retained = retained.as_array().ok_or(Refusal::RETAIN_KEYS)?;
    let retained: HashSet<&str> = retained.iter().filter_map(Value::as_str).collect();
    for (key, value) in patch.iter() {
        let directive = key.starts_with(DELETE_FROM_LIST) || key.starts_with(ELEMENT_ORDER);
        if !value.is_null() && !directive && !retained.contains(key.as_str()) {
            return Err(Refusal::RETAIN_KEYS);
        }
    }
    original.retain(|key, _| retained.contains(key.as_str()));
    Ok(())
}

/// Takes out all objects with a `$patch`. Answers whether the value itself stays.
pub(super) fn remove(value: &mut Value) -> bool {
    match value {
        Value::Object(fields) => {
            if fields.contains_key(PATCH) {
                return false;
            }
            fields.retain(|_, value| remove(value));
        }
        Value::Array(items) => items.retain_mut(remove),
        _ => {}
    }
    true
}

/// Takes out all fields that are `null`.
pub(super) fn discard_nulls(value: &mut Value) {
    match value {
        Value::Object(fields) => fields.retain(|_, value| {
            discard_nulls(value);
            !value.is_null()
        }),
        Value::Array(items) => items.iter_mut().for_each(discard_nulls),
        _ => {}
    }
}
