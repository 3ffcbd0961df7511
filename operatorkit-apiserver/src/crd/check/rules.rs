//! `x-kubernetes-validations`: their form, and whether their expressions compile.

use serde_json::Value;

use super::{dump, form, openapi::Context, path, structural};
use crate::{
    crd::{cel, structure::array},
    failure::{FieldError, FieldPath},
    schema::Schema,
};

const REASONS: [&str; 4] = [
    "FieldValueDuplicate",
    "FieldValueForbidden",
    "FieldValueInvalid",
    "FieldValueRequired",
];

/// Checks all of the rules at a place but their expressions.
pub(super) fn check_form(schema: &Value, at: &FieldPath, errors: &mut Vec<FieldError>) {
    for (index, rule) in array(&schema["x-kubernetes-validations"]).iter().enumerate() {
        let at = at.child("x-kubernetes-validations").index(index);
        let text = |name: &str| rule[name].as_str().unwrap_or_default();
        let blank = |name: &str| !text(name).is_empty() && text(name).trim().is_empty();
        let lines = |name: &str| text(name).trim().contains(['\n', '\r']);
        let message = at.child("message");
        if text("rule").trim().is_empty() {
            errors.push(FieldError::required(&at.child("rule"), "rule is not specified"));
        } else if blank("message") {
            errors.push(FieldError::invalid(
                &message,
                &rule["message"],
                "must be non-empty if specified",
            ));
        } else if lines("message") {
            errors.push(FieldError::invalid(
                &message,
                &rule["message"],
                "must not contain line breaks",
            ));
        } else if lines("rule") && text("message").is_empty() {
            let detail = "message must be specified if rule contains line breaks";
            errors.push(FieldError::required(&message, detail));
        }
        if blank("messageExpression") {
            let detail = "messageExpression must be non-empty if specified";
            errors.push(FieldError::required(&at.child("messageExpression"), detail));
        }
        if rule["reason"].as_str().is_some_and(|it| !REASONS.contains(&it)) {
            errors.push(FieldError::not_supported(
                &at.child("reason"),
                &rule["reason"],
                &REASONS,
            ));
        }
        field_path(schema, rule, &at.child("fieldPath"), errors);
    }
}

fn field_path(schema: &Value, rule: &Value, at: &FieldPath, errors: &mut Vec<FieldError>) {
    let value = &rule["fieldPath"];
    let path = value.as_str().unwrap_or_default();
    let mut refuse = |detail: &str| errors.push(FieldError::invalid(at, value, detail));
    if path.is_empty() {
        return;
    }
    if path.trim().is_empty() {
        refuse("must be non-empty if specified");
    }
    if path.contains(['\n', '\r']) {
        refuse("must not contain line breaks");
    }
    if structural::unsupported(schema).is_none() && path::resolve(path, schema, true).is_err() {
        refuse("must be a valid path");
    }
}

/// Compiles the rules at a place.
pub(super) fn compile(
    schema: &Value,
    node: Schema<'_>,
    context: &Context,
    at: &FieldPath,
    errors: &mut Vec<FieldError>,
) {
    let rules = array(&schema["x-kubernetes-validations"]);
    let compiled = cel::compile_at(node, context.is_root() || node.embedded_resource);
    for (index, (rule, compiled)) in rules.iter().zip(compiled).enumerate() {
        let at = at.child("x-kubernetes-validations").index(index);
        let (compiled, message) = match compiled {
            Ok(it) => it,
            Err(why) => {
                errors.push(form::invalid(&at.child("rule"), &dump::rule(rule), &why));
                continue;
            }
        };
        if let Some(why) = message {
            errors.push(form::invalid(&at.child("messageExpression"), &dump::rule(rule), &why));
        }
        if compiled.uses_old_self() {
            if let Some(above) = &context.uncorrelated {
                let detail =
                    format!("oldSelf cannot be used on the uncorrelatable portion of the schema within {above}");
                errors.push(FieldError::invalid(&at.child("rule"), &rule["rule"], detail));
            }
        } else if !rule["optionalOldSelf"].is_null() {
            let detail = "may not be set if oldSelf is not used in rule";
            errors.push(FieldError::invalid(
                &at.child("optionalOldSelf"),
                &rule["optionalOldSelf"],
                detail,
            ));
        }
    }
}
