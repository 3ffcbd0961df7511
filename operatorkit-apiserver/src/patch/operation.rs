//! The operations of a JSON patch: how the list is read, and what is wrong with it.

use crate::{
    decode::{
        FieldValidation,
        json::Json,
        strict::{Place, StrictErrors, duplicates},
    },
    failure::Failure,
};

/// How many operations a patch may have.
const MAX_OPERATIONS: usize = 10_000;

/// The fields of an operation.
const FIELDS: [&str; 4] = ["op", "path", "from", "value"];

/// The operations; `null` in the place of one stands for an empty one.
///
/// # Errors
///
/// 400 for what is no list of objects, 413 for too many.
pub(super) fn operations<'p, 'a>(patch: &'p Json<'a>) -> Result<&'p [Json<'a>], Failure> {
    let wrong = |value: &Json<'_>, type_: &str| {
        let kind = value.kind();
        Failure::bad_request(format!(
            "json: cannot unmarshal {kind} into Go value of type jsonpatch.{type_}"
        ))
    };
    let operations = match patch {
        Json::Null => &[],
        Json::Array(operations) => operations.as_slice(),
        other => return Err(wrong(other, "Patch")),
    };
    if let Some(other) = operations.iter().find(|it| !matches!(it, Json::Object(_) | Json::Null)) {
        return Err(wrong(other, "Operation"));
    }
    if operations.len() > MAX_OPERATIONS {
        let count = operations.len();
        return Err(Failure::too_large(format!(
            "Request entity too large: The allowed maximum operations in a JSON patch is {MAX_OPERATIONS}, got {count}"
        )));
    }
    Ok(operations)
}

/// What a strict reader has against the operations.
///
/// # Errors
///
/// 400 for what is no list of operations.
pub(super) fn strict_errors(patch: &Json<'_>, validation: FieldValidation) -> Result<Vec<String>, Failure> {
    if validation == FieldValidation::Ignore {
        return Ok(Vec::new());
    }
    check(patch)
        .map_err(|error| Failure::bad_request(format!("error decoding patch: json: cannot unmarshal {error}")))?;
    let mut errors = StrictErrors::default();
    for (index, operation) in patch.items().iter().enumerate() {
        let Json::Object(fields) = operation else { continue };
        let operation = Place::Item(&Place::Root, index);
        let mut seen = [false; FIELDS.len()];
        for (key, value) in fields {
            let place = Place::Field(&operation, key);
            let Some(field) = FIELDS.iter().position(|it| it == key) else {
                errors.unknown(&place);
                continue;
            };
            if std::mem::replace(&mut seen[field], true) {
                errors.duplicate(&place);
            }
            duplicates(value, &place, &mut errors);
        }
    }
    Ok(errors
        .into_errors()
        .into_iter()
        .map(|error| format!("json patch {error}"))
        .collect())
}

fn check(patch: &Json<'_>) -> Result<(), String> {
    if !matches!(patch, Json::Array(_) | Json::Null) {
        return Err(format!("{} into Go value of type []handlers.jsonPatchOp", patch.kind()));
    }
    for operation in patch.items() {
        let fields = match operation {
            Json::Object(fields) => fields,
            Json::Null => continue,
            other => return Err(format!("{} into Go value of type handlers.jsonPatchOp", other.kind())),
        };
        for (key, value) in fields {
            let text = matches!(key.as_ref(), "op" | "path" | "from");
            if text && !matches!(value, Json::String(_) | Json::Null) {
                let kind = value.kind();
                return Err(format!("{kind} into Go struct field jsonPatchOp.{key} of type string"));
            }
        }
    }
    Ok(())
}
