//! The document that a JSON patch walks and changes: keys of objects, indices of lists, and what "equal" means.

use std::{borrow::Cow, collections::BTreeMap};

use crate::decode::json::{Json, Text, escape};

/// The place does not exist, or is no place.
#[derive(Debug, PartialEq)]
pub(super) struct Missing;

/// The object or list that holds the last part of a path, and that part. What stands before the first `/` is ignored, as
/// `findObject` does it.
pub(super) fn holder<'d, 'a>(document: &'d mut Json<'a>, path: &str) -> Result<(&'d mut Json<'a>, String), Missing> {
    let mut parts = path.split('/').skip(1).map(unescape).peekable();
    let mut holder = document;
    loop {
        let part = parts.next().ok_or(Missing)?;
        if parts.peek().is_none() {
            enter(holder)?;
            return Ok((holder, part));
        }
        enter(holder)?;
        holder = get_mut(holder, &part)?.ok_or(Missing)?;
    }
}

/// Refuses what is neither an object nor a list. An object that is entered is a map from here on: sorted, without duplicates.
fn enter(holder: &mut Json<'_>) -> Result<(), Missing> {
    match holder {
        Json::Array(_) => Ok(()),
        Json::Object(fields) => {
            if !fields.is_sorted_by(|a, b| a.0 < b.0) {
                let map: BTreeMap<_, _> = std::mem::take(fields).into_iter().collect();
                fields.extend(map);
            }
            Ok(())
        }
        _ => Err(Missing),
    }
}

fn unescape(part: &str) -> String {
    // One pass over both, so that `~01` is `~1`.
    let mut text = String::with_capacity(part.len());
    let mut rest = part;
    while let Some(at) = rest.find('~') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let (plain, length) = match rest.as_bytes().get(1) {
            Some(b'1') => ('/', 2),
            Some(b'0') => ('~', 2),
            _ => ('~', 1),
        };
        text.push(plain);
        rest = &rest[length..];
    }
    text.push_str(rest);
    text
}

fn position(fields: &[(Cow<'_, str>, Json<'_>)], key: &str) -> Result<usize, usize> {
    fields.binary_search_by(|(name, _)| name.as_ref().cmp(key))
}

/// An index as `strconv.Atoi` reads it; negative ones count from the end.
fn index(key: &str, length: usize) -> Result<usize, Missing> {
    let index: i64 = key.parse().map_err(|_| Missing)?;
    let length = i64::try_from(length).map_err(|_| Missing)?;
    let index = if index < 0 { index + length } else { index };
    if (0..length).contains(&index) {
        usize::try_from(index).map_err(|_| Missing)
    } else {
        Err(Missing)
    }
}

/// The value at a key; `None` for a key that an object does not have.
pub(super) fn get_mut<'d, 'a>(holder: &'d mut Json<'a>, key: &str) -> Result<Option<&'d mut Json<'a>>, Missing> {
    match holder {
        Json::Object(fields) => Ok(position(fields, key).ok().map(|at| &mut fields[at].1)),
        Json::Array(items) => index(key, items.len()).map(|at| Some(&mut items[at])),
        _ => Err(Missing),
    }
}

/// `add`: a field that may be there, or an item before the index.
pub(super) fn add<'a>(holder: &mut Json<'a>, key: String, value: Json<'a>) -> Result<(), Missing> {
    match holder {
        Json::Object(_) => set(holder, key, value),
        Json::Array(items) if key == "-" => {
            items.push(value);
            Ok(())
        }
        Json::Array(items) => {
            let at = index(&key, items.len() + 1)?;
            items.insert(at, value);
            Ok(())
        }
        _ => Err(Missing),
    }
}

/// Sets a field, which need not be there, or an item, which must.
pub(super) fn set<'a>(holder: &mut Json<'a>, key: String, value: Json<'a>) -> Result<(), Missing> {
    match holder {
        Json::Object(fields) => {
            match position(fields, &key) {
                Ok(at) => fields[at].1 = value,
                Err(at) => fields.insert(at, (Cow::Owned(key), value)),
            }
            Ok(())
        }
        Json::Array(items) => {
            let at = index(&key, items.len())?;
            items[at] = value;
            Ok(())
        }
        _ => Err(Missing),
    }
}

/// Takes a field or an item away.
pub(super) fn remove<'a>(holder: &mut Json<'a>, key: &str) -> Result<Json<'a>, Missing> {
    match holder {
        Json::Object(fields) => position(fields, key).map(|at| fields.remove(at).1).map_err(|_| Missing),
        Json::Array(items) => index(key, items.len()).map(|at| items.remove(at)),
        _ => Err(Missing),
    }
}

/// Equal as `test` sees it: scalars by how they are written, so `1` is not `1.0`, and `<` is not `\u003c`.
pub(super) fn equal(a: &Json<'_>, b: &Json<'_>) -> bool {
    match (a, b) {
        (Json::Null, Json::Null) => true,
        (Json::Bool(a), Json::Bool(b)) => a == b,
        (Json::Number(a), Json::Number(b)) => a == b,
        (Json::String(a), Json::String(b)) => a.literal == b.literal,
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Json::Object(a), Json::Object(b)) => {
            let a: BTreeMap<_, _> = a.iter().map(|(key, value)| (key, value)).collect();
            let b: BTreeMap<_, _> = b.iter().map(|(key, value)| (key, value)).collect();
            a.len() == b.len() && a.iter().zip(&b).all(|((ka, va), (kb, vb))| ka == kb && equal(va, vb))
        }
        _ => false,
    }
}

/// A copy as Go's encoder makes it, with what it escapes.
pub(super) fn copy<'a>(value: &Json<'a>) -> Json<'a> {
    match value {
        Json::String(text) => Json::String(Text {
            text: text.text.clone(),
            literal: Cow::Owned(escape(&text.literal).into_owned()),
        }),
        Json::Array(items) => Json::Array(items.iter().map(copy).collect()),
        Json::Object(fields) => Json::Object(fields.iter().map(|(key, value)| (key.clone(), copy(value))).collect()),
        other => other.clone(),
    }
}
