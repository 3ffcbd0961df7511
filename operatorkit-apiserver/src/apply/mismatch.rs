//! Where an object does not fit its schema, in the words of structured-merge-diff.

use std::fmt;

use serde_json::Value;

use super::{atom::Scalar, element::PathElement, go};

/// What is wrong, and where.
#[derive(Clone, Debug, Default)]
pub(super) struct Mismatches(Vec<(String, String)>);

impl Mismatches {
    /// Nothing is wrong.
    pub(super) fn none() -> Self {
        Self::default()
    }

    /// One thing is wrong, here.
    pub(super) fn one(message: impl Into<String>) -> Self {
        Self(vec![(String::new(), message.into())])
    }

    /// All of these are wrong, below this element.
    pub(super) fn below(&mut self, element: &PathElement, mut other: Self) {
        for (path, _) in &mut other.0 {
            path.insert_str(0, &element.to_string());
        }
        self.0.extend(other.0);
    }

    /// These are wrong, too.
    pub(super) fn and(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// `Err` with the message if something is wrong.
    pub(super) fn check(&self) -> Result<(), String> {
        if self.is_empty() { Ok(()) } else { Err(self.to_string()) }
    }
}

impl fmt::Display for Mismatches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |(path, message): &(String, String)| {
            if path.is_empty() {
                message.clone()
            } else {
                format!("{path}: {message}")
            }
        };
        if let [only] = self.0.as_slice() {
            return f.write_str(&line(only));
        }
        f.write_str("errors:")?;
        self.0.iter().try_for_each(|it| write!(f, "\n  {}", line(it)))
    }
}

/// Whether a value is a scalar of this type. Absent and null are.
pub(super) fn scalar(scalar: Scalar, value: Option<&Value>, prefix: &str) -> Mismatches {
    let Some(value) = value else {
        return Mismatches::none();
    };
    let message = match (scalar, value) {
        (_, Value::Null)
        | (Scalar::Numeric, Value::Number(_))
        | (Scalar::String, Value::String(_))
        | (Scalar::Boolean, Value::Bool(_))
        | (Scalar::Untyped, Value::Number(_) | Value::String(_) | Value::Bool(_)) => return Mismatches::none(),
        (Scalar::Numeric, _) => format!("expected numeric (int or float), got {}", go::type_name(value)),
        (Scalar::String, _) => format!(
            "expected string, got &value.valueUnstructured{{Value:{}}}",
            go::sharp(value)
        ),
        (Scalar::Boolean, _) => format!("expected boolean, got &{{{}}}", go::plain(value)),
        (Scalar::Untyped, _) => format!("expected any scalar, got &{{{}}}", go::plain(value)),
    };
    Mismatches::one(format!("{prefix}{message}"))
}
