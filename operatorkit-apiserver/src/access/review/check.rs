//! What is wrong with a review (`pkg/apis/authorization/validation`).

use serde_json::{Value, json};

use super::subject;
use crate::failure::{FieldError, FieldPath};

pub(super) fn set<'a>(of: &'a Value, field: &str) -> Option<&'a Value> {
    of.get(field).filter(|it| !it.is_null())
}

pub(super) fn check_subject(spec: &Value, errors: &mut Vec<FieldError>) {
    let before = errors.len();
    check_spec(spec, errors);
    let user = subject(spec);
    if user.name.is_empty() && user.groups.is_empty() {
        let field = FieldPath::new("spec.user");
        let error = FieldError::invalid(&field, &"".into(), "at least one of user or group must be specified");
        // It stands before what is wrong with selectors.
        let place = errors[before..]
            .iter()
            .position(|it| it.field.as_str() != "spec")
            .map_or(errors.len(), |it| before + it);
        errors.insert(place, error);
    }
}

pub(super) fn check_spec(spec: &Value, errors: &mut Vec<FieldError>) {
    let (resource, path) = (set(spec, "resourceAttributes"), set(spec, "nonResourceAttributes"));
    if resource.is_some() == path.is_some() {
        let value = path.map_or(Value::Null, go_path);
        let detail = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
        errors.push(FieldError::invalid(&FieldPath::new("spec"), &value, detail));
    }
    for selector in ["fieldSelector", "labelSelector"] {
        if let Some(value) = resource.and_then(|it| set(it, selector)) {
            check_selector(
                value,
                &FieldPath::new("spec.resourceAttributes").child(selector),
                errors,
            );
        }
    }
}

fn check_selector(selector: &Value, field: &FieldPath, errors: &mut Vec<FieldError>) {
    let raw = selector["rawSelector"].as_str().unwrap_or_default();
    let requirements = selector["requirements"].as_array().is_some_and(|it| !it.is_empty());
    if !raw.is_empty() && requirements {
        let detail = "may not specified at the same time as requirements";
        errors.push(FieldError::invalid(&field.child("rawSelector"), &raw.into(), detail));
    }
    if raw.is_empty() && !requirements {
        let detail = format!("when {field} is specified, requirements or rawSelector is required");
        errors.push(FieldError::required(&field.child("requirements"), &detail));
    }
}

/// The real server prints its internal type, whose fields have capital letters.
pub(super) fn go_path(path: &Value) -> Value {
    let text = |field: &str| path[field].as_str().unwrap_or_default();
    json!({"Path": text("path"), "Verb": text("verb")})
}

pub(super) fn check_metadata(review: &Value, detail: &str, allowed: &[&str], errors: &mut Vec<FieldError>) {
    let mut metadata = review
        .get("metadata")
        .and_then(Value::as_object)
        .cloned()
        .unwrap_or_default();
    metadata.remove("managedFields");
    let others = metadata
        .iter()
        .any(|(key, value)| !allowed.contains(&key.as_str()) && !value.is_null());
    if others {
        errors.push(FieldError::invalid(
            &FieldPath::new("metadata"),
            &metadata.into(),
            detail,
        ));
    }
}
