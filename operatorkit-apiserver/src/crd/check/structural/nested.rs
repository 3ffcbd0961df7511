//! What may stand in `allOf`, `anyOf`, `oneOf` and `not`: validations of values, and nothing that gives a value its form.

use serde_json::Value;

use super::{is_int_or_string, is_zero, pattern_is_one};
use crate::{
    crd::structure::{array, object},
    failure::{FieldError, FieldPath},
};

/// The keywords that are forbidden, and what is said of them.
const FORBIDDEN: [(&str, &str); 10] = [
    ("type", "must be empty to be structural"),
    ("default", "must be undefined to be structural"),
    ("title", "must be empty to be structural"),
    ("description", "must be empty to be structural"),
    ("nullable", "must be false to be structural"),
    ("x-kubernetes-preserve-unknown-fields", "must be false to be structural"),
    ("x-kubernetes-embedded-resource", "must be false to be structural"),
    ("x-kubernetes-int-or-string", "must be false to be structural"),
    ("x-kubernetes-list-map-keys", "must be empty to be structural"),
    ("x-kubernetes-validations", "must be empty to be structural"),
];

const UNDEFINED: [&str; 2] = ["x-kubernetes-list-type", "x-kubernetes-map-type"];

/// Checks the junctors of a schema. `any`, `all`: whether they are those that say "an integer or a string".
pub(super) fn value_validation(schema: &Value, any: bool, all: bool, at: &FieldPath, errors: &mut Vec<FieldError>) {
    for name in ["anyOf", "allOf", "oneOf"] {
        if name == "anyOf" && any {
            continue;
        }
        for (index, branch) in array(&schema[name]).iter().enumerate() {
            let types = name == "allOf" && all && index == 0;
            check(branch, types, &at.child(name).index(index), errors);
        }
    }
    if schema["not"].is_object() {
        check(&schema["not"], false, &at.child("not"), errors);
    }
    pattern_is_one(schema, at, errors);
}

fn check(schema: &Value, types: bool, at: &FieldPath, errors: &mut Vec<FieldError>) {
    let any = types && is_int_or_string(&schema["anyOf"]);
    value_validation(schema, any, false, at, errors);
    if schema["items"].is_object() {
        check(&schema["items"], false, &at.child("items"), errors);
    }
    for (name, property) in object(&schema["properties"]) {
        check(property, false, &at.child("properties").key(name), errors);
    }
    let mut forbid = |name: &str, detail: &str| errors.push(FieldError::forbidden(&at.child(name), detail));
    if schema["additionalProperties"].is_object() || schema["additionalProperties"] == true {
        forbid("additionalProperties", "must be undefined to be structural");
    }
    for (name, detail) in FORBIDDEN {
        let given = match name {
            "default" => !schema[name].is_null(),
            _ => !is_zero(&schema[name]),
        };
        if given {
            forbid(name, detail);
        }
    }
    for name in UNDEFINED.iter().filter(|it| !schema[**it].is_null()) {
        forbid(name, "must be undefined to be structural");
    }
    if schema["properties"].get("metadata").is_some() {
        let field = at.child("properties").key("metadata");
        errors.push(FieldError::forbidden(
            &field,
            "must not be specified in a nested context",
        ));
    }
}
