//! Duplicates in lists of type `set` and `map` (`k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype`).

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::{
    failure::{FieldError, FieldPath},
    schema::{ListType, Schema},
};

/// Checks that each item of a set, and the keys of each item of a list map, are there once.
pub fn validate(schema: Schema<'_>, value: &Value, at: &FieldPath) -> Vec<FieldError> {
    let mut errors = Vec::new();
    check(schema, value, at, &mut errors);
    errors
}

fn check(schema: Schema<'_>, value: &Value, at: &FieldPath, errors: &mut Vec<FieldError>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                if let Some(property) = schema.property(name) {
                    check(property, value, &at.child(name), errors);
                } else if let Some(values) = schema.additional() {
                    check(values, value, &at.key(name), errors);
                }
            }
        }
        Value::Array(items) => {
            match &schema.node().list {
                ListType::Atomic => {}
                ListType::Set => {
                    let repeated = repeated(items.iter().map(Value::to_string));
                    errors.extend(repeated.map(|index| FieldError::duplicate(&at.index(index), &items[index])));
                }
                ListType::Map(keys) => check_map(keys, items, at, errors),
            }
            if let Some(schema) = schema.items() {
                for (index, item) in items.iter().enumerate() {
                    check(schema, item, &at.index(index), errors);
                }
            }
        }
        _ => {}
    }
}

fn check_map(keys: &[Box<str>], items: &[Value], at: &FieldPath, errors: &mut Vec<FieldError>) {
    let wrong = items.iter().position(|item| !item.is_object() && !item.is_null());
    if let Some(index) = wrong {
        let detail = "must be an object for an array of list-type map";
        errors.push(FieldError::invalid(&at.index(index), &items[index], detail));
        return;
    }
    let found: Vec<Value> = items.iter().map(|item| keys_of(item, keys)).collect();
    let repeated = repeated(found.iter().map(Value::to_string));
    errors.extend(repeated.map(|index| FieldError::duplicate(&at.index(index), &found[index])));
}

fn keys_of(item: &Value, keys: &[Box<str>]) -> Value {
    let key = |key: &str| item.get(key).map(|value| (key.to_owned(), value.clone()));
    Value::Object(keys.iter().filter_map(|it| key(it)).collect::<Map<_, _>>())
}

/// Where the second of equal items is.
fn repeated(items: impl Iterator<Item = String>) -> impl Iterator<Item = usize> {
    let mut seen = HashMap::new();
    let mut found = Vec::new();
    for (index, item) in items.enumerate() {
        let times = seen.entry(item).or_insert(0);
        *times += 1;
        if *times == 2 {
            found.push(index);
        }
    }
    found.into_iter()
}
