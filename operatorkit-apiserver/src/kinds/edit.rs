//! Reading and changing fields of an object by their path.

use serde_json::{Map, Value};

static NULL: Value = Value::Null;

/// The value at a path; `null` where there is none.
pub(crate) fn get<'a>(object: &'a Value, path: &[&str]) -> &'a Value {
    path.iter()
        .try_fold(object, |value, name| value.get(name))
        .unwrap_or(&NULL)
}

/// The text at a path; empty where there is none.
pub(crate) fn text<'a>(object: &'a Value, path: &[&str]) -> &'a str {
    get(object, path).as_str().unwrap_or_default()
}

/// The whole number at a path; 0 where there is none.
pub(crate) fn number(object: &Value, path: &[&str]) -> i64 {
    get(object, path).as_i64().unwrap_or_default()
}

/// The object at a path, made where there is none.
pub(crate) fn object_at<'a>(object: &'a mut Value, path: &[&str]) -> &'a mut Map<String, Value> {
    let mut value = object;
    for name in path {
        value = as_object(value).entry(*name).or_insert(Value::Null);
    }
    as_object(value)
}

fn as_object(value: &mut Value) -> &mut Map<String, Value> {
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    value.as_object_mut().expect("it was made one")
}

/// Sets the value at a path.
pub(crate) fn set(object: &mut Value, path: &[&str], value: Value) {
    if let Some((name, parents)) = path.split_last() {
        object_at(object, parents).insert((*name).into(), value);
    }
}

/// Sets the value at a path unless there is one.
pub(crate) fn set_default(object: &mut Value, path: &[&str], value: Value) {
    if get(object, path).is_null() {
        set(object, path, value);
    }
}

/// Removes and gives the value at a path.
pub(crate) fn remove(object: &mut Value, path: &[&str]) -> Option<Value> {
    let (name, parents) = path.split_last()?;
    let parent = parents.iter().try_fold(object, |value, name| value.get_mut(name))?;
    parent.as_object_mut()?.remove(*name)
}

/// The value at a path as it is in the old object, also if it is absent there.
pub(crate) fn keep(new: &mut Value, old: &Value, path: &[&str]) {
    match get(old, path) {
        Value::Null => {
            remove(new, path);
        }
        value => set(new, path, value.clone()),
    }
}

/// The items of the list at a path.
pub(crate) fn items_mut<'a>(object: &'a mut Value, path: &[&str]) -> impl Iterator<Item = &'a mut Value> {
    let list = path.iter().try_fold(object, |value, name| value.get_mut(name));
    list.and_then(Value::as_array_mut).into_iter().flatten()
}

/// Copies a field of an object to another one, if it is there and not empty.
pub(crate) fn keep_own(object: &mut Value, from: &str, to: &str) {
    if let Some(value) = object.get(from).filter(|it| !it.is_null() && *it != "").cloned() {
        set(object, &[to], value);
    }
}

/// Changes the value at a path, if there is one.
pub(crate) fn items_in(object: &mut Value, path: &[&str], change: fn(&mut Value)) {
    if let Some(value) = path.iter().try_fold(object, |value, name| value.get_mut(name)) {
        change(value);
    }
}
