//! Printer columns, subresources and selectable fields of a version.

use serde_json::Value;

use super::{is_zero, path, text};
use crate::{
    crd::structure::array,
    failure::{FieldError, FieldPath},
};

const TYPES: [&str; 5] = ["boolean", "date", "integer", "number", "string"];
const FORMATS: [&str; 8] = [
    "byte",
    "date",
    "date-time",
    "double",
    "float",
    "int32",
    "int64",
    "password",
];
const MOST_SELECTABLE: usize = 8;

/// Checks `additionalPrinterColumns`.
pub(super) fn columns(columns: &Value, at: &FieldPath, errors: &mut Vec<FieldError>) {
    for (index, column) in array(columns).iter().enumerate() {
        let at = at.index(index);
        if is_zero(&column["name"]) {
            errors.push(FieldError::required(&at.child("name"), ""));
        }
        let types = format!("must be one of {}", TYPES.join(","));
        match text(&column["type"]) {
            None => errors.push(FieldError::required(&at.child("type"), &types)),
            Some(it) if TYPES.contains(&it) => {}
            Some(_) => errors.push(FieldError::invalid(&at.child("type"), &column["type"], types)),
        }
        if text(&column["format"]).is_some_and(|it| !FORMATS.contains(&it)) {
            let detail = format!("must be one of {}", FORMATS.join(","));
            errors.push(FieldError::invalid(&at.child("format"), &column["format"], detail));
        }
        let field = at.child("JSONPath");
        match text(&column["jsonPath"]) {
            None => errors.push(FieldError::required(&field, "")),
            Some(path) => errors.extend(simple_path(path, &field)),
        }
    }
}

/// Checks `subresources`.
pub(super) fn subresources(subresources: &Value, at: &FieldPath, errors: &mut Vec<FieldError>) {
    let scale = &subresources["scale"];
    if scale.is_null() {
        return;
    }
    for (name, below) in [("specReplicasPath", ".spec."), ("statusReplicasPath", ".status.")] {
        let field = at.child("scale").child(name);
        match text(&scale[name]) {
            None => errors.push(FieldError::required(&field, "")),
            Some(path) => {
                let detail = format!("should be a json path under {}", below.trim_end_matches('.'));
                errors.extend(below_one(path, &[below], &detail, &field));
            }
        }
    }
    if let Some(path) = text(&scale["labelSelectorPath"]) {
        let detail = "should be a json path under either .spec or .status";
        let field = at.child("scale.labelSelectorPath");
        errors.extend(below_one(path, &[".spec.", ".status."], detail, &field));
    }
}

fn below_one(path: &str, below: &[&str], detail: &str, field: &FieldPath) -> Option<FieldError> {
    simple_path(path, field).or_else(|| {
        let fits = below.iter().any(|it| path.starts_with(it));
        (!fits).then(|| FieldError::invalid(field, &path.into(), detail))
    })
}

fn simple_path(path: &str, field: &FieldPath) -> Option<FieldError> {
    let detail = "must be a simple json path starting with .";
    (!path.starts_with('.')).then(|| FieldError::invalid(field, &path.into(), detail))
}

/// Checks `selectableFields` of a version.
pub(super) fn selectable(version: &Value, at: &FieldPath, errors: &mut Vec<FieldError>) {
    let schema = &version["schema"]["openAPIV3Schema"];
    if !schema.is_object() {
        return;
    }
    let mut seen: Vec<FieldPath> = Vec::new();
    for (index, selectable) in array(&version["selectableFields"]).iter().enumerate() {
        let field = at.index(index).child("jsonPath");
        let value = &selectable["jsonPath"];
        let Some(json_path) = text(value) else {
            errors.push(FieldError::required(&field, ""));
            continue;
        };
        let (path, found) = match path::resolve(json_path, schema, false) {
            Ok(it) => it,
            Err(why) => {
                errors.push(FieldError::invalid(&field, value, format!("is an invalid path: {why}")));
                continue;
            }
        };
        if path.as_str() == "metadata" || path.as_str().starts_with("metadata.") {
            errors.push(FieldError::invalid(
                &field,
                value,
                "must not point to fields in metadata",
            ));
        }
        if !matches!(found["type"].as_str(), Some("string" | "boolean" | "integer")) {
            let detail = "must point to a field of type string, boolean or integer. Enum string fields and strings with \
                          formats are allowed.";
            errors.push(FieldError::invalid(&field, value, detail));
        }
        if seen.contains(&path) {
            errors.push(FieldError::duplicate(&field, value));
        } else {
            seen.push(path);
        }
    }
    if seen.len() > MOST_SELECTABLE {
        errors.push(FieldError::too_many(at, seen.len(), MOST_SELECTABLE));
    }
}
