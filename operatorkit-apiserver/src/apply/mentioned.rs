//! Which fields an object mentions (`structured-merge-diff`, `typed.ToFieldSet`).

use std::collections::BTreeMap;

use serde_json::Value;

use super::{
    atom::{Kind, List, Map, Place},
    element::PathElement,
    item,
    set::FieldSet,
};

/// Every leaf and item of an object that fits its schema.
pub(super) fn mentioned(place: Place<'_>, value: &Value) -> FieldSet {
    let mut set = FieldSet::new();
    walk(place, value, &mut Vec::new(), &mut set);
    set
}

fn walk(place: Place<'_>, value: &Value, path: &mut Vec<PathElement>, set: &mut FieldSet) {
    match place.atom().deduce(Some(value)).kind() {
        Some(Kind::Map(map)) if !map.atomic => fields(&map, value, path, set),
        Some(Kind::List(list)) if list.associative => items(&list, value, path, set),
        Some(_) => set.insert(path),
        None => {}
    }
}

fn fields(map: &Map<'_>, value: &Value, path: &mut Vec<PathElement>, set: &mut FieldSet) {
    let Value::Object(fields) = value else {
        return;
    };
    for (name, value) in fields {
        path.push(PathElement::Field(name.as_str().into()));
        walk(map.field(name), value, path, set);
        let empty = value.is_null() || value.as_object().is_some_and(serde_json::Map::is_empty);
        if empty || map.known(name).is_none() {
            set.insert(path);
        }
        path.pop();
    }
}

fn items(list: &List<'_>, value: &Value, path: &mut Vec<PathElement>, set: &mut FieldSet) {
    let Value::Array(items) = value else {
        return;
    };
    let mut named: BTreeMap<PathElement, Vec<&Value>> = BTreeMap::new();
    for item in items {
        if let Ok(element) = item::element(list, item) {
            named.entry(element).or_default().push(item);
        }
    }
    for (element, items) in named {
        path.push(element);
        // Of an item that is there twice nothing is known but that.
        if let [item] = items.as_slice() {
            walk(list.items, item, path, set);
        }
        set.insert(path);
        path.pop();
    }
}
