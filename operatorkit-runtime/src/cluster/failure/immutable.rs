//! Whether an update is refused for nothing but fields that cannot be changed.
//!
//! The API server has no reason of its own for it: it is told by the words of each cause, which were read in the validation of
//! Kubernetes 1.33 to 1.37. A rule of a CustomResourceDefinition counts with the default text of `self == oldSelf`, or if its message
//! says `immutable`.

use kube::core::response::StatusCause;
use serde_json::{Deserializer, Value};

/// What is said of a field that cannot be changed, wherever it stands.
const SAID: [&str; 8] = [
    "immutable",
    "may not change",
    "may not be changed",
    "may not be updated",
    "can not be unset",
    "cannot be modified once set",
    "cannot change roleRef",
    "failed rule: self == oldSelf",
];

/// `updates to parameters are forbidden.`, `updates to statefulset spec for fields other than … are forbidden`.
const UPDATES: (&str, &str) = ("updates to ", " are forbidden");

/// The most fields that are named: a person needs one to begin with.
const NAMED: usize = 5;

/// Which fields cannot be changed, if that is all that is wrong. Without the values, which can be large, or secret.
pub(super) fn fields(causes: &[StatusCause]) -> Option<String> {
    let fields = causes.iter().map(|cause| {
        let detail = detail(cause).filter(|detail| is_immutability(detail))?;
        let detail = detail.trim_end_matches('.');
        Some(format!("{}: {detail}", cause.field))
    });
    let fields: Vec<_> = fields.collect::<Option<_>>()?;
    let more = if fields.len() > NAMED { ", …" } else { "" };
    (!fields.is_empty()).then(|| fields[..fields.len().min(NAMED)].join(", ") + more)
}

fn is_immutability(detail: &str) -> bool {
    SAID.iter().any(|said| detail.contains(said)) || (detail.starts_with(UPDATES.0) && detail.contains(UPDATES.1))
}

/// What is said of the field, without its value: that can be anybody's text. Only the first line, since a diff follows some.
fn detail(cause: &StatusCause) -> Option<&str> {
    if cause.field.is_empty() {
        return None;
    }
    let detail = match cause.reason.as_str() {
        "FieldValueForbidden" => cause.message.strip_prefix("Forbidden: ")?,
        "FieldValueInvalid" => after_value(cause.message.strip_prefix("Invalid value: ")?)?,
        _ => return None,
    };
    detail.lines().next()
}

/// A value is JSON; in versions before 1.34, a structure is in the syntax of Go, whose end only the last colon tells.
fn after_value(text: &str) -> Option<&str> {
    let mut values = Deserializer::from_str(text).into_iter::<Value>();
    if let Some(Ok(_)) = values.next()
        && let Some(detail) = text[values.byte_offset()..].strip_prefix(": ")
    {
        return Some(detail);
    }
    text.rsplit_once(": ").map(|(_, detail)| detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cause(reason: &str, message: &str) -> StatusCause {
        StatusCause {
            reason: reason.into(),
            message: message.into(),
            field: "spec.a".into(),
        }
    }

    #[test]
    fn older_words_are_known() {
        for (reason, message) in [
            (
                "FieldValueForbidden",
                "Forbidden: updates to statefulset spec for fields other than 'replicas', 'template' are forbidden",
            ),
            ("FieldValueForbidden", "Forbidden: updates to parameters are forbidden."),
            (
                "FieldValueInvalid",
                r#"Invalid value: core.PodTemplateSpec{ObjectMeta:v1.ObjectMeta{Name:"", Labels:map[string]string{"a":"b"}}}: field is immutable"#,
            ),
            (
                "FieldValueInvalid",
                "Invalid value: \"object\": failed rule: self == oldSelf",
            ),
        ] {
            assert!(fields(&[cause(reason, message)]).is_some(), "{message}");
        }
    }

    #[test]
    fn a_value_that_speaks_of_immutability_says_nothing() {
        for (reason, message) in [
            (
                "FieldValueInvalid",
                r#"Invalid value: "immutable: x": must be a DNS label"#,
            ),
            ("FieldValueInvalid", r#"Invalid value: "immutable""#),
            (
                "FieldValueNotSupported",
                r#"Unsupported value: "immutable": supported values: "a""#,
            ),
            ("FieldValueRequired", "Required value: immutable"),
            ("FieldValueForbidden", "Forbidden: no\n+ field is immutable"),
        ] {
            assert_eq!(fields(&[cause(reason, message)]), None, "{message}");
        }
    }

    #[test]
    fn one_other_cause_is_enough() {
        let immutable = cause("FieldValueInvalid", "Invalid value: 1: field is immutable");
        let other = cause(
            "FieldValueInvalid",
            "Invalid value: -1: must be greater than or equal to 0",
        );
        assert_eq!(
            fields(std::slice::from_ref(&immutable)).unwrap(),
            "spec.a: field is immutable"
        );
        assert_eq!(fields(&[immutable, other]), None);
        assert_eq!(fields(&[]), None);
    }
}
