//! What junctors speak of must be defined outside of them.

use serde_json::Value;

use crate::{
    crd::structure::{array, object},
    failure::{FieldError, FieldPath},
};

/// Checks that the fields in the junctors of `nested` are in `schema`. `at` and `nested_at` are their places.
pub(super) fn check(
    nested: &Value,
    schema: Option<&Value>,
    at: &FieldPath,
    nested_at: &FieldPath,
    errors: &mut Vec<FieldError>,
) {
    if nested["not"].is_object() {
        descend(&nested["not"], schema, at, &nested_at.child("not"), errors);
    }
    for name in ["allOf", "anyOf", "oneOf"] {
        for (index, branch) in array(&nested[name]).iter().enumerate() {
            descend(branch, schema, at, &nested_at.child(name).index(index), errors);
        }
    }
}

fn descend(
    nested: &Value,
    schema: Option<&Value>,
    at: &FieldPath,
    nested_at: &FieldPath,
    errors: &mut Vec<FieldError>,
) {
    let missing = || format!("because it is defined in {nested_at}");
    let Some(schema) = schema else {
        errors.push(FieldError::required(at, &missing()));
        return;
    };
    check(nested, Some(schema), at, nested_at, errors);
    if nested["items"].is_object() {
        let items = Some(&schema["items"]).filter(|it| it.is_object());
        descend(
            &nested["items"],
            items,
            &at.child("items"),
            &nested_at.child("items"),
            errors,
        );
    }
    for (name, property) in object(&nested["properties"]) {
        let (at, nested_at) = (
            at.child("properties").key(name),
            nested_at.child("properties").key(name),
        );
        match schema["properties"].get(name) {
            Some(schema) => descend(property, Some(schema), &at, &nested_at, errors),
            None => errors.push(FieldError::required(
                &at,
                &format!("because it is defined in {nested_at}"),
            )),
        }
    }
}
