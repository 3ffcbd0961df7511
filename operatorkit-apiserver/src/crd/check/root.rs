//! A whole schema: its root, then all checks in the order of the real server.

use serde_json::Value;

use super::{defaults, dump, form, is_zero, openapi, structural};
use crate::{
    crd::structure::{self, array, object},
    failure::{FieldError, FieldPath},
    schema::Types,
};

/// The fields that the root may have beside a `status` subresource, since the status is checked by its own schema.
const BESIDE_STATUS: [&str; 22] = [
    "Description",
    "Type",
    "Format",
    "Title",
    "Maximum",
    "ExclusiveMaximum",
    "Minimum",
    "ExclusiveMinimum",
    "MaxLength",
    "MinLength",
    "Pattern",
    "MaxItems",
    "MinItems",
    "UniqueItems",
    "MultipleOf",
    "Required",
    "Items",
    "Properties",
    "ExternalDocs",
    "Example",
    "XPreserveUnknownFields",
    "XValidations",
];

/// Checks a schema. `status`: whether the version has that subresource.
pub(super) fn check(schema: &Value, status: bool, at: &FieldPath, errors: &mut Vec<FieldError>) {
    if !schema.is_object() {
        return;
    }
    let mut found = Vec::new();
    if status {
        found.extend(beside_status(schema, at));
    }
    if schema["nullable"] == true {
        found.push(FieldError::forbidden(
            &at.child("nullable"),
            "nullable cannot be true at the root",
        ));
    }
    let mut types = Types::new();
    let node = structure::add(&mut types, schema);
    let unsupported = structural::unsupported(schema);
    let mut sound = false;
    if unsupported.is_none() {
        let mut wrong = structural::check(schema, at);
        if wrong.is_empty() {
            wrong = defaults::check(types.schema(node), at);
        }
        sound = wrong.is_empty();
        found.extend(wrong);
    }
    let node = sound.then(|| types.schema(node));
    found.extend(openapi::check(schema, node, at));
    if let Some(why) = unsupported.filter(|_| found.is_empty()) {
        found.push(FieldError::invalid(at, &"".into(), why));
    }
    errors.extend(found);
}

fn beside_status(schema: &Value, at: &FieldPath) -> Option<FieldError> {
    for (go, json) in dump::fields() {
        let value = &schema[json];
        let pointer = matches!(value, Value::Bool(_)) && go == "XPreserveUnknownFields";
        if is_zero(value) && !pointer {
            continue;
        }
        if go == "Type" && value != "object" {
            let detail = "only \"object\" is allowed as the type at the root of the schema if the status subresource is \
                          enabled";
            return Some(FieldError::invalid(&at.child("type"), value, detail));
        }
        if !BESIDE_STATUS.contains(&go) {
            let detail = format!(
                "only [{}] fields are allowed at the root of the schema if the status subresource is enabled",
                BESIDE_STATUS.join(" ")
            );
            return Some(form::invalid(at, &dump::schema(schema), &detail));
        }
    }
    None
}

/// Whether there is a default anywhere in a schema.
pub(super) fn has_defaults(schema: &Value) -> bool {
    let mut found = false;
    visit(schema, &mut |it| {
        found |= it.get("default").is_some_and(|it| !it.is_null());
    });
    found
}

/// Visits a schema and all in it.
pub(in crate::crd) fn visit<'a>(schema: &'a Value, each: &mut impl FnMut(&'a Value)) {
    if !schema.is_object() {
        return;
    }
    each(schema);
    match &schema["items"] {
        Value::Array(items) => items.iter().for_each(|it| visit(it, each)),
        items => visit(items, each),
    }
    for name in ["allOf", "anyOf", "oneOf"] {
        array(&schema[name]).iter().for_each(|it| visit(it, each));
    }
    visit(&schema["not"], each);
    object(&schema["properties"]).for_each(|(_, it)| visit(it, each));
    visit(&schema["additionalProperties"], each);
}
