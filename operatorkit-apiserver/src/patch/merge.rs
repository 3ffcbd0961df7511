//! Merge patch: RFC 7386, in the way of `gopkg.in/evanphx/json-patch.v4`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{malformed, to_value};
use crate::{
    decode::{
        FieldValidation,
        json::{Json, from_value, parse},
        strict::{Place, StrictErrors, duplicates},
    },
    failure::Failure,
};

/// Applies a merge patch. One that is a list takes the place of the object.
///
/// # Errors
///
/// 400 for what is neither an object nor a list.
pub fn merge(object: &Value, patch: &[u8]) -> Result<Value, Failure> {
    let patch = parse(patch).map_err(|_| malformed())?;
    to_value(&patched(object, &patch)?)
}

/// The document that comes out.
pub(super) fn patched<'a>(object: &Value, patch: &Json<'a>) -> Result<Json<'a>, Failure> {
    match patch {
        Json::Object(_) => {
            let mut document = from_value(object);
            apply(&mut document, patch);
            Ok(document)
        }
        Json::Array(_) => Ok(without_nulls(patch)),
        _ => Err(Failure::bad_request("Invalid JSON Patch")),
    }
}

/// What a strict reader has against the patch.
///
/// # Errors
///
/// 400 for what is no object.
pub(super) fn strict_errors(patch: &Json<'_>, validation: FieldValidation) -> Result<Vec<String>, Failure> {
    if validation == FieldValidation::Ignore {
        return Ok(Vec::new());
    }
    if !matches!(patch, Json::Object(_) | Json::Null) {
        let kind = patch.kind();
        return Err(Failure::bad_request(format!(
            "error decoding patch: json: cannot unmarshal {kind} into Go value of type map[string]interface {{}}"
        )));
    }
    let mut errors = StrictErrors::default();
    duplicates(patch, &Place::Root, &mut errors);
    Ok(errors.into_errors())
}

fn apply<'a>(document: &mut Json<'a>, patch: &Json<'a>) {
    let Json::Object(fields) = document else {
        *document = without_nulls(patch);
        return;
    };
    let Json::Object(changes) = patch else {
        *document = patch.clone();
        return;
    };
    let mut map: BTreeMap<_, _> = std::mem::take(fields).into_iter().collect();
    let changes: BTreeMap<_, _> = changes.iter().map(|(key, change)| (key, change)).collect();
    for (key, change) in changes {
        match map.get_mut(key) {
            _ if *change == Json::Null => drop(map.remove(key)),
            Some(field) => apply(field, change),
            None => drop(map.insert(key.clone(), without_nulls(change))),
        }
    }
    fields.extend(map);
}

/// A patch where nothing was: fields that are `null` are not there. Items of lists stay.
fn without_nulls<'a>(patch: &Json<'a>) -> Json<'a> {
    match patch {
        Json::Object(fields) => {
            let map: BTreeMap<_, _> = fields.iter().map(|(key, value)| (key, value)).collect();
            let kept = map.into_iter().filter(|(_, value)| **value != Json::Null);
            Json::Object(kept.map(|(key, value)| (key.clone(), without_nulls(value))).collect())
        }
        Json::Array(items) => Json::Array(items.iter().map(without_nulls).collect()),
        other => other.clone(),
    }
}
