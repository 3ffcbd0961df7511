//! How the items of a list are told apart: by key fields, or by value.

use serde_json::Value;

use super::{
    atom::{Kind, List},
    element::PathElement,
    go,
};

/// The element that names an item of an associative list.
///
/// # Errors
///
/// An item without a name, in the words of structured-merge-diff.
pub(super) fn element(list: &List<'_>, item: &Value) -> Result<PathElement, String> {
    if !list.associative {
        return Err("invalid indexing of non-associative list".into());
    }
    if list.keys.is_empty() {
        return match item {
            Value::Object(_) => Err("associative list without keys has an element that's a map type".into()),
            Value::Array(_) => Err("not supported: associative list with lists as elements".into()),
            Value::Null => Err("associative list without keys has an element that's an explicit null".into()),
            scalar => Ok(PathElement::Value(scalar.clone())),
        };
    }
    match item {
        Value::Null => Err("associative list with keys may not have a null element".into()),
        Value::Object(fields) => keyed(list, fields),
        _ => Err("associative list with keys may not have non-map elements".into()),
    }
}

fn keyed(list: &List<'_>, fields: &serde_json::Map<String, Value>) -> Result<PathElement, String> {
    let mut keys = Vec::with_capacity(list.keys.len());
    for name in list.keys {
        let value = match fields.get(name.as_ref()) {
            Some(value) => value,
            // A missing key field without a default is left out: the item is another one than with any value of it.
            None => match default(list, name)? {
                Some(value) => value,
                None => continue,
            },
        };
        keys.push((name.clone(), value.clone()));
    }
    if keys.is_empty() {
        let names: Vec<_> = list.keys.iter().map(|it| go::quoted(it)).collect();
        return Err(format!(
            "associative list with keys has an element that omits all key fields [{}] (and doesn't have default values \
             for any key fields)",
            names.join(" ")
        ));
    }
    Ok(PathElement::key(keys))
}

fn default<'a>(list: &List<'a>, name: &str) -> Result<Option<&'a Value>, String> {
    match list.items.atom().kind() {
        Some(Kind::Map(map)) => Ok(map.default(name)),
        _ => Err(format!(
            "couldn't find default value for {name}: associative list may not have non-map types"
        )),
    }
}
