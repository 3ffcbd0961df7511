//! JSON patch: RFC 6902 in the way of `gopkg.in/evanphx/json-patch.v4`, which is not the way of others: negative indices count
//! from the end, `test` compares how values are written and finds `null` where nothing is, `replace` also adds, `copy` of
//! what is not there writes `null`.

use serde_json::Value;

use super::{
    document::{Missing, add, copy, equal, get_mut, holder, remove, set},
    inapplicable, malformed,
    operation::operations,
    to_value,
};
use crate::{
    decode::json::{Json, from_value, parse},
    failure::Failure,
};

/// How many bytes all `copy` operations of a patch may add: `JSONPatchMaxCopyBytes`.
const MAX_COPIED: usize = 3 * 1024 * 1024;

/// Applies a JSON patch.
///
/// # Errors
///
/// 400 for what is no patch, 413 for too many operations, 422 for what does not apply.
pub fn json(object: &Value, patch: &[u8]) -> Result<Value, Failure> {
    let patch = parse(patch).map_err(|_| malformed())?;
    to_value(&patched(object, &patch)?)
}

/// The document that comes out.
pub(super) fn patched<'a>(object: &Value, patch: &Json<'a>) -> Result<Json<'a>, Failure> {
    let mut document: Json<'a> = from_value(object);
    let mut copied = 0;
    for operation in operations(patch)? {
        apply(&mut document, operation, &mut copied).map_err(|Missing| inapplicable())?;
    }
    Ok(document)
}

fn apply<'a>(document: &mut Json<'a>, operation: &Json<'a>, copied: &mut usize) -> Result<(), Missing> {
    match text(operation, "op")? {
        "add" => {
            let (holder, key) = holder(document, text(operation, "path")?)?;
            add(holder, key, value(operation))
        }
        "remove" => {
            let (holder, key) = holder(document, text(operation, "path")?)?;
            remove(holder, &key).map(drop)
        }
        "replace" => replace(document, operation),
        "move" => {
            let (from, key) = holder(document, text(operation, "from")?)?;
            let value = remove(from, &key)?;
            let (to, key) = holder(document, text(operation, "path")?)?;
            add(to, key, value)
        }
        "test" => test(document, operation),
        "copy" => {
            let (from, key) = holder(document, text(operation, "from")?)?;
            let value = get_mut(from, &key)?.map_or(Json::Null, |value| copy(value));
            let mut written = Vec::new();
            value.write(&mut written);
            *copied += written.len();
            let (to, key) = holder(document, text(operation, "path")?)?;
            if *copied > MAX_COPIED {
                return Err(Missing);
            }
            add(to, key, value)
        }
        _ => Err(Missing),
    }
}

fn replace<'a>(document: &mut Json<'a>, operation: &Json<'a>) -> Result<(), Missing> {
    let path = text(operation, "path")?;
    let value = value(operation);
    if path.is_empty() {
        if !matches!(value, Json::Object(_) | Json::Array(_)) {
            return Err(Missing);
        }
        *document = value;
        return Ok(());
    }
    let (holder, key) = holder(document, path)?;
    set(holder, key, value)
}

fn test(document: &mut Json<'_>, operation: &Json<'_>) -> Result<(), Missing> {
    let path = text(operation, "path")?;
    let expected = value(operation);
    let same = if path.is_empty() {
        equal(document, &expected)
    } else {
        let (holder, key) = holder(document, path)?;
        get_mut(holder, &key)?.map_or(expected == Json::Null, |actual| equal(actual, &expected))
    };
    if same { Ok(()) } else { Err(Missing) }
}

fn text<'p>(operation: &'p Json<'_>, field: &str) -> Result<&'p str, Missing> {
    match operation.get(field) {
        Some(Json::String(text)) => Ok(&text.text),
        _ => Err(Missing),
    }
}

/// The value of an operation; one that is not given is `null`.
fn value<'a>(operation: &Json<'a>) -> Json<'a> {
    operation.get("value").cloned().unwrap_or(Json::Null)
}
