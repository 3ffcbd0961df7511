//! Takes fields out of an object (`structured-merge-diff`, `typed.RemoveItems`).

use serde_json::Value;

use super::{
    atom::{Kind, List, Map, Place},
    element::PathElement,
    item,
    set::FieldSet,
};

/// The object without these fields and items. What becomes empty goes, too: `None` if nothing is left.
pub(super) fn remove(place: Place<'_>, value: &Value, set: &FieldSet) -> Option<Value> {
    match place.atom().deduce(Some(value)).kind() {
        Some(Kind::Scalar(_)) => Some(value.clone()),
        Some(Kind::Map(map)) => fields(&map, value, set),
        Some(Kind::List(list)) => items(&list, value, set),
        None => None,
    }
}

fn fields(map: &Map<'_>, value: &Value, set: &FieldSet) -> Option<Value> {
    let fields = value.as_object()?;
    if map.atomic {
        return None;
    }
    let mut left = serde_json::Map::new();
    for (name, value) in fields {
        let value = match set.branches.get(&PathElement::Field(name.as_str().into())) {
            None => value.clone(),
            Some(branch) if branch.member => continue,
            Some(branch) => remove(map.field(name), value, &branch.children).unwrap_or_default(),
        };
        left.insert(name.clone(), value);
    }
    (!left.is_empty()).then_some(Value::Object(left))
}

fn items(list: &List<'_>, value: &Value, set: &FieldSet) -> Option<Value> {
    let items = value.as_array()?;
    if !list.associative {
        return None;
    }
    let mut left = Vec::with_capacity(items.len());
    for it in items {
        let branch = item::element(list, it)
            .ok()
            .and_then(|element| set.branches.get(&element));
        left.push(match branch {
            None => it.clone(),
            Some(branch) if branch.member => continue,
            Some(branch) => remove(list.items, it, &branch.children).unwrap_or_default(),
        });
    }
    (!left.is_empty()).then_some(Value::Array(left))
}
