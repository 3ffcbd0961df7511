//! `apiVersion`, `kind` and `metadata` of embedded resources (`k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta`).

use serde_json::Value;

use super::{content, object_meta};
use crate::{
    failure::{FieldError, FieldPath},
    schema::Schema,
};

/// Reads the metadata of the resources embedded in a value, and returns the unknown fields in them.
///
/// # Errors
///
/// A field that all objects have is of the wrong type. The real server answers 400 to this, not 422.
pub fn coerce(schema: Schema<'_>, value: &mut Value, at: &FieldPath) -> Result<Vec<String>, FieldError> {
    let mut unknown = Vec::new();
    descend(schema, value, at, &mut unknown)?;
    unknown.sort();
    Ok(unknown)
}

/// Reads what all objects have of a value that is a resource even where its schema does not say so.
pub(super) fn coerce_resource(value: &mut Value, at: &FieldPath) -> Result<(), FieldError> {
    let Some(fields) = value.as_object_mut() else {
        return Ok(());
    };
    let mut fields = fields.iter_mut();
    fields.try_for_each(|(name, value)| coerce_meta(name, value, at, &mut Vec::new()))
}

fn descend(schema: Schema<'_>, value: &mut Value, at: &FieldPath, unknown: &mut Vec<String>) -> Result<(), FieldError> {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields.iter_mut() {
                if schema.embedded_resource {
                    coerce_meta(name, value, at, unknown)?;
                }
                if let Some(property) = schema.property(name) {
                    descend(property, value, &at.child(name), unknown)?;
                } else if let Some(values) = schema.additional() {
                    descend(values, value, &at.key(name), unknown)?;
                }
            }
            Ok(())
        }
        Value::Array(items) => {
            let Some(schema) = schema.items() else { return Ok(()) };
            let mut items = items.iter_mut().enumerate();
            items.try_for_each(|(index, item)| descend(schema, item, &at.index(index), unknown))
        }
        _ => Ok(()),
    }
}

fn coerce_meta(name: &str, value: &mut Value, at: &FieldPath, unknown: &mut Vec<String>) -> Result<(), FieldError> {
    let field = at.child(name);
    match name {
        "apiVersion" | "kind" if !value.is_string() => Err(FieldError::invalid(&field, value, "must be a string")),
        "metadata" => {
            let before = value.clone();
            let found = object_meta::decode(value).map_err(|why| FieldError::invalid(&field, &before, why))?;
            unknown.extend(found.into_iter().map(|it| format!("{field}.{it}")));
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Checks the resources embedded in a value: each has an `apiVersion`, a `kind`, and valid metadata.
pub fn validate(schema: Schema<'_>, value: &Value, at: &FieldPath) -> Vec<FieldError> {
    let mut errors = Vec::new();
    check(schema, value, at, schema.embedded_resource, &mut errors);
    errors
}

/// The same, for a value that is a resource even where its schema does not say so: the default of a whole object.
pub(super) fn validate_resource(schema: Schema<'_>, value: &Value, at: &FieldPath) -> Vec<FieldError> {
    let mut errors = Vec::new();
    check(schema, value, at, true, &mut errors);
    errors
}

fn check(schema: Schema<'_>, value: &Value, at: &FieldPath, resource: bool, errors: &mut Vec<FieldError>) {
    match value {
        Value::Object(fields) => {
            if resource {
                check_resource(value, at, errors);
            }
            for (name, value) in fields {
                if let Some(property) = schema.property(name) {
                    check(property, value, &at.child(name), property.embedded_resource, errors);
                } else if let Some(values) = schema.additional() {
                    check(values, value, &at.key(name), values.embedded_resource, errors);
                }
            }
        }
        Value::Array(items) => {
            let Some(schema) = schema.items() else { return };
            for (index, item) in items.iter().enumerate() {
                check(schema, item, &at.index(index), schema.embedded_resource, errors);
            }
        }
        _ => {}
    }
}

fn check_resource(resource: &Value, at: &FieldPath, errors: &mut Vec<FieldError>) {
    for (name, check) in [
        ("apiVersion", api_version as fn(&str) -> Option<String>),
        ("kind", kind),
    ] {
        let field = at.child(name);
        match resource.get(name) {
            None => errors.push(FieldError::required(&field, "")),
            Some(Value::String(text)) => {
                if let Some(wrong) = check(text) {
                    errors.push(FieldError::invalid(&field, &text.as_str().into(), wrong));
                }
            }
            Some(other) => errors.push(FieldError::invalid(&field, other, "must be a string")),
        }
    }
    let Some(metadata) = resource.get("metadata") else {
        return;
    };
    let mut read = metadata.clone();
    let at = at.child("metadata");
    match object_meta::decode(&mut read) {
        Err(why) => errors.push(FieldError::invalid(&at, metadata, why)),
        Ok(_) => check_metadata(&read, &at, errors),
    }
}

fn api_version(text: &str) -> Option<String> {
    match text.matches('/').count() {
        0 if text.is_empty() => Some("must not be empty".into()),
        0 | 1 => None,
        _ => Some(format!("unexpected GroupVersion string: {text}")),
    }
}

fn kind(text: &str) -> Option<String> {
    if text.is_empty() {
        return Some("must not be empty".into());
    }
    let wrong = content::dns_1035_label(&text.to_lowercase());
    (!wrong.is_empty()).then(|| format!("may have mixed case, but should otherwise match: {}", wrong.join(",")))
}

fn check_metadata(metadata: &Value, at: &FieldPath, errors: &mut Vec<FieldError>) {
    let mut each = |field: &FieldPath, value: &str, wrong: Vec<String>| {
        errors.extend(
            wrong
                .into_iter()
                .map(|it| FieldError::invalid(field, &value.into(), it)),
        );
    };
    for (name, check) in [
        ("generateName", content::path_segment as fn(&str) -> Vec<String>),
        ("name", content::path_segment),
        ("namespace", content::dns_label),
    ] {
        if let Some(value) = metadata[name].as_str() {
            each(&at.child(name), value, check(value));
        }
    }
    for (key, value) in super::structure::object(&metadata["labels"]) {
        each(&at.child("labels"), key, content::qualified_name(key));
        let value = value.as_str().unwrap_or_default();
        each(&at.child("labels"), value, content::label_value(value));
    }
    for (key, _) in super::structure::object(&metadata["annotations"]) {
        each(
            &at.child("annotations"),
            key,
            content::qualified_name(&key.to_lowercase()),
        );
    }
    for finalizer in super::structure::array(&metadata["finalizers"]) {
        let finalizer = finalizer.as_str().unwrap_or_default();
        each(&at.child("finalizers"), finalizer, content::qualified_name(finalizer));
    }
}
