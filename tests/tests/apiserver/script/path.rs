//! Paths into JSON: `.a.b[0]`, `.items[*].name`, `.labels["a/b"]`.

use operatorkit::serde_json::{Map, Value};

/// A step of a path.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
    Key(String),
    Index(usize),
    /// Every element.
    All,
}

/// Reads a path; the first dot may be left out.
///
/// # Panics
/// If it is none: paths stand in the files of cases only.
pub(super) fn parse(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let bad = || panic!("`{text}` is not a path");
        if let Some(quoted) = rest.strip_prefix("[\"") {
            let (key, after) = quoted.split_once("\"]").unwrap_or_else(bad);
            parts.push(Part::Key(key.into()));
            rest = after;
        } else if let Some(index) = rest.strip_prefix('[') {
            let (index, after) = index.split_once(']').unwrap_or_else(bad);
            parts.push(match index {
                "*" => Part::All,
                index => Part::Index(index.parse().unwrap_or_else(|_| panic!("`{text}` is not a path"))),
            });
            rest = after;
        } else {
            let key = rest.strip_prefix('.').unwrap_or(rest);
            let end = key.find(['.', '[']).unwrap_or(key.len());
            parts.push(Part::Key(key[..end].into()));
            rest = &key[end..];
        }
    }
    parts
}

/// What is at a path; `null` where there is nothing, and a list for a path with `[*]`.
pub(super) fn get(value: &Value, path: &[Part]) -> Value {
    let Some((first, rest)) = path.split_first() else {
        return value.clone();
    };
    match first {
        Part::Key(key) => value.get(key).map_or(Value::Null, |value| get(value, rest)),
        Part::Index(index) => value.get(index).map_or(Value::Null, |value| get(value, rest)),
        Part::All => {
            let all = value.as_array().map_or(&[][..], Vec::as_slice);
            all.iter().map(|value| get(value, rest)).collect()
        }
    }
}

/// Puts `new` at a path, or takes away what is there; objects and elements on the way are made.
pub(super) fn set(value: &mut Value, path: &[Part], new: Option<Value>) {
    let Some((first, rest)) = path.split_first() else {
        *value = new.unwrap_or(Value::Null);
        return;
    };
    match first {
        Part::Key(key) => {
            if !value.is_object() {
                *value = Value::Object(Map::new());
            }
            let map = value.as_object_mut().expect("an object");
            if rest.is_empty() && new.is_none() {
                map.remove(key);
            } else {
                set(map.entry(key).or_insert(Value::Null), rest, new);
            }
        }
        Part::Index(index) => {
            if !value.is_array() {
                *value = Value::Array(Vec::new());
            }
            let list = value.as_array_mut().expect("a list");
            if rest.is_empty() && new.is_none() {
                list.remove(*index);
                return;
            }
            while list.len() <= *index {
                list.push(Value::Null);
            }
            set(&mut list[*index], rest, new);
        }
        Part::All => panic!("`[*]` cannot be set"),
    }
}
