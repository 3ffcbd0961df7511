//! `metadata.ownerReferences` and `metadata.managedFields`.

use super::at::{At, Errors};
use crate::failure::FieldError;

/// The fields of `metav1.OwnerReference`.
const ORDER: [&str; 6] = ["apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"];

/// The owners: complete, no Event among them, and one controller at most.
pub fn owner_references(list: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    let mut controller: Option<String> = None;
    for item in list.items() {
        errors.extend(owner_reference(&item));
        if !item.get("controller").is_true() {
            continue;
        }
        let name = format!("{}/{}", item.get("kind").text(), item.get("name").text());
        match &controller {
            None => controller = Some(name),
            Some(first) => errors.push(list.invalid_in_order(&ORDER, format!(
                "Only one reference can have Controller set to true. Found \"true\" in references for {first} and {name}"
            ))),
        }
    }
    errors
}

fn owner_reference(item: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    let version = item.get("apiVersion");
    if version.is_empty() {
        errors.push(version.required("must not be empty"));
    } else if version.text().matches('/').count() > 1 || version.text().ends_with('/') {
        errors.push(version.invalid("must be <group>/<version> or <version>"));
    }
    for name in ["kind", "name", "uid"] {
        let field = item.get(name);
        if field.is_empty() {
            errors.push(field.required("must not be empty"));
        }
    }
    if version.is("v1") && item.get("kind").is("Event") {
        errors.push(item.invalid_in_order(&ORDER, "/v1, Kind=Event is disallowed from being an owner"));
    }
    errors
}

/// The shape of the managed fields.
pub fn managed_fields(list: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    for item in list.items() {
        let operation = item.get("operation");
        if operation.is_empty() {
            errors.push(operation.required("must not be empty"));
        } else if !operation.is_any(&["Apply", "Update"]) {
            errors.push(operation.not_supported(&["Apply", "Update"]));
        }
        let kind = item.get("fieldsType");
        if !kind.is_empty() && !kind.is("FieldsV1") {
            errors.push(kind.invalid("must be `FieldsV1`"));
        }
        errors.extend(field_manager(&item.get("manager")));
        let subresource = item.get("subresource");
        if subresource.text().len() > 256 {
            errors.push(FieldError::too_long(&subresource.path, 256));
        }
    }
    errors
}

/// The name of a field manager, here and as a query parameter.
pub fn field_manager(at: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    if at.text().len() > 128 {
        errors.push(FieldError::too_long(&at.path, 128));
    }
    for (position, character) in at.text().char_indices() {
        if character.is_control() || character.is_whitespace() && character != ' ' {
            let code = u32::from(character);
            let detail = format!("invalid character U+{code:04X} (at position {position})");
            errors.push(at.invalid(detail));
        }
    }
    errors
}
