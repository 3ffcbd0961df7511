//! Errors about one field, in the words of the real server (`k8s.io/apimachinery/pkg/util/validation/field`).

use std::fmt;

use serde_json::Value;

use super::{path::FieldPath, status::Cause};

/// What is wrong with one field.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldError {
    /// The machine-readable reason: `FieldValueRequired`, `FieldValueInvalid`, …
    pub reason: &'static str,
    /// Where.
    pub field: FieldPath,
    /// The message, without the field.
    pub body: String,
}

impl FieldError {
    fn new(reason: &'static str, field: &FieldPath, body: String) -> Self {
        Self {
            reason,
            field: field.clone(),
            body,
        }
    }

    /// `Required value`, with an optional detail.
    pub fn required(field: &FieldPath, detail: &str) -> Self {
        Self::new("FieldValueRequired", field, with_detail("Required value", detail))
    }

    /// `Invalid value: <value>: <detail>`.
    pub fn invalid(field: &FieldPath, value: &Value, detail: impl AsRef<str>) -> Self {
        Self::new(
            "FieldValueInvalid",
            field,
            with_value("Invalid value", value, detail.as_ref()),
        )
    }

    /// `Invalid value: <value>: <detail>`, of the wrong type.
    pub fn wrong_type(field: &FieldPath, value: &Value, detail: impl AsRef<str>) -> Self {
        Self::new(
            "FieldValueTypeInvalid",
            field,
            with_value("Invalid value", value, detail.as_ref()),
        )
    }

    /// `Duplicate value: <value>`.
    pub fn duplicate(field: &FieldPath, value: &Value) -> Self {
        Self::new("FieldValueDuplicate", field, with_value("Duplicate value", value, ""))
    }

    /// `Not found: <value>`.
    pub fn not_found(field: &FieldPath, value: &Value) -> Self {
        Self::new("FieldValueNotFound", field, with_value("Not found", value, ""))
    }

    /// `Forbidden: <detail>`.
    pub fn forbidden(field: &FieldPath, detail: impl AsRef<str>) -> Self {
        Self::new("FieldValueForbidden", field, with_detail("Forbidden", detail.as_ref()))
    }

    /// `Unsupported value: <value>: supported values: "a", "b"`, in the order given.
    pub fn not_supported<T: AsRef<str>>(field: &FieldPath, value: &Value, supported: &[T]) -> Self {
        let supported: Vec<_> = supported.iter().map(|it| format!("{:?}", it.as_ref())).collect();
        let detail = if supported.is_empty() {
            String::new()
        } else {
            format!("supported values: {}", supported.join(", "))
        };
        Self::new(
            "FieldValueNotSupported",
            field,
            with_value("Unsupported value", value, &detail),
        )
    }

    /// `Too long: may not be more than <max> bytes`.
    pub fn too_long(field: &FieldPath, max: usize) -> Self {
        let bytes = if max == 1 { "byte" } else { "bytes" };
        Self::new(
            "FieldValueTooLong",
            field,
            format!("Too long: may not be more than {max} {bytes}"),
        )
    }

    /// `Too many: <actual>: must have at most <max> items`.
    pub fn too_many(field: &FieldPath, actual: usize, max: usize) -> Self {
        let items = if max == 1 { "item" } else { "items" };
        Self::new(
            "FieldValueTooMany",
            field,
            format!("Too many: {actual}: must have at most {max} {items}"),
        )
    }

    /// As an entry of `details.causes`.
    pub fn cause(&self) -> Cause {
        Cause {
            reason: self.reason.into(),
            message: self.body.clone(),
            field: self.field.to_string(),
        }
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.body)
    }
}

fn with_detail(word: &str, detail: &str) -> String {
    if detail.is_empty() {
        word.to_owned()
    } else {
        format!("{word}: {detail}")
    }
}

fn with_value(word: &str, value: &Value, detail: &str) -> String {
    // Go prints strings quoted, `null` as `null`, and everything else as JSON.
    with_detail(&format!("{word}: {value}"), detail)
}
