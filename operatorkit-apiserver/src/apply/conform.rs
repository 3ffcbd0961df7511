//! Whether an object fits its schema (`structured-merge-diff`, `typed.Validate`).

use std::collections::BTreeSet;

use serde_json::Value;

use super::{
    atom::{Kind, List, Map, Place},
    element::PathElement,
    go, item,
    mismatch::{self, Mismatches},
};

/// What does not fit: unknown fields, wrong types, items without keys and, unless allowed, duplicates in lists.
pub(super) fn conform(place: Place<'_>, value: &Value, duplicates: bool) -> Mismatches {
    match place.atom().deduce(Some(value)).kind() {
        Some(Kind::Map(map)) => fields(&map, value, duplicates),
        Some(Kind::Scalar(scalar)) => mismatch::scalar(scalar, Some(value), ""),
        Some(Kind::List(list)) => items(&list, value, duplicates),
        None => Mismatches::one("schema error: invalid atom: inlined"),
    }
}

fn fields(map: &Map<'_>, value: &Value, duplicates: bool) -> Mismatches {
    let fields = match value {
        Value::Null => return Mismatches::none(),
        Value::Object(fields) => fields,
        other => return Mismatches::one(format!("expected map, got &{{{}}}", go::plain(other))),
    };
    let mut errors = Mismatches::none();
    for (name, value) in fields {
        let element = PathElement::Field(name.as_str().into());
        let place = map.field(name);
        if matches!(place, Place::Nothing) {
            // The real server looks no further in this object, in an order of its own.
            errors.below(&element, Mismatches::one("field not declared in schema"));
            break;
        }
        errors.below(&element, conform(place, value, duplicates));
    }
    errors
}

fn items(list: &List<'_>, value: &Value, duplicates: bool) -> Mismatches {
    let items = match value {
        Value::Null => return Mismatches::none(),
        Value::Array(items) => items,
        other => return Mismatches::one(format!("expected list, got &{{{}}}", go::plain(other))),
    };
    let mut errors = Mismatches::none();
    let mut seen = BTreeSet::new();
    for (index, item) in items.iter().enumerate() {
        let element = if list.associative {
            match item::element(list, item) {
                Ok(element) => element,
                Err(message) => {
                    errors.and(Mismatches::one(format!("element {index}: {message}")));
                    break;
                }
            }
        } else {
            PathElement::Index(i64::try_from(index).unwrap_or(i64::MAX))
        };
        if list.associative {
            if !duplicates && seen.contains(&element) {
                errors.and(Mismatches::one(format!("duplicate entries for key {element}")));
            }
            seen.insert(element.clone());
        }
        errors.below(&element, conform(list.items, item, duplicates));
    }
    errors
}
