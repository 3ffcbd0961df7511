//! `metav1.Condition` (`k8s.io/apimachinery/pkg/apis/meta/v1/validation`).

use std::{collections::BTreeSet, sync::LazyLock};

use regex::Regex;

use super::{
    at::{At, Errors},
    names,
};
use crate::failure::FieldError;

static REASON: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$").expect("a constant expression"));
const REASON_SAYS: &str = "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric \
     characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or \
     'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";

/// A list of conditions: each type once, and each of them well.
pub fn conditions(list: &At<'_>) -> Errors {
    let (mut errors, mut seen) = (Errors::new(), BTreeSet::new());
    for item in list.items() {
        let kind = item.get("type");
        if !seen.insert(kind.text()) {
            errors.push(FieldError::duplicate(&item.path, kind.value));
        }
        errors.extend(condition(&item));
    }
    errors
}

fn condition(item: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    let kind = item.get("type");
    if kind.is_empty() {
        errors.push(kind.required("is required"));
    } else {
        errors.extend(kind.all_invalid(names::qualified_name(kind.text())));
    }
    let status = item.get("status");
    if status.is_empty() {
        errors.push(status.required(""));
    } else if !status.is_any(&["True", "False", "Unknown"]) {
        errors.push(status.not_supported(&["False", "True", "Unknown"]));
    }
    let generation = item.get("observedGeneration");
    if generation.number() < 0 {
        errors.push(generation.invalid("must be greater than or equal to zero"));
    }
    let time = item.get("lastTransitionTime");
    if time.is_empty() {
        errors.push(time.required(""));
    }
    let reason = item.get("reason");
    if reason.is_empty() {
        errors.push(reason.required(""));
    } else {
        if !REASON.is_match(reason.text()) {
            errors.push(reason.invalid(REASON_SAYS));
        }
        if reason.text().len() > 1024 {
            errors.push(FieldError::too_long(&reason.path, 1024));
        }
    }
    let message = item.get("message");
    if message.text().len() > 32 * 1024 {
        errors.push(FieldError::too_long(&message.path, 32 * 1024));
    }
    errors
}
