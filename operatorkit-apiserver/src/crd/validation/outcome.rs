//! What is wrong with a value, and how much was right.

use serde_json::Value;

use super::numbers::go_float;
use crate::failure::{FieldError, FieldPath};

/// What checking one value gave.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// What is wrong, each message once.
    pub errors: Vec<Problem>,
    /// How many checks were passed. `anyOf` and `oneOf` report the branch with the most.
    pub matches: u64,
}

impl Outcome {
    pub(super) fn of(problem: Problem) -> Self {
        Self {
            errors: vec![problem],
            matches: 0,
        }
    }

    pub(super) fn is_valid(&self) -> bool {
        self.errors.is_empty()
    }

    pub(super) fn add(&mut self, problem: Problem) {
        if !self.errors.iter().any(|it| it.message == problem.message) {
            self.errors.push(problem);
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        for problem in other.errors {
            self.add(problem);
        }
        self.matches += other.matches;
    }
}

/// One thing that is wrong.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    /// The place, below the value that is checked.
    pub path: String,
    /// The message. Two problems with one message are one.
    pub message: String,
    /// What kind of error it becomes.
    pub kind: Kind,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Required,
    Enumeration {
        value: Value,
        allowed: Vec<Value>,
    },
    TooLong {
        max: u64,
    },
    TooMany {
        actual: usize,
        max: u64,
    },
    Type(Value),
    Invalid(Value),
    /// An error that names no field.
    Nowhere,
}

impl Problem {
    pub(super) fn new(path: impl Into<String>, message: impl Into<String>, kind: Kind) -> Self {
        Self {
            path: path.into(),
            message: message.into(),
            kind,
        }
    }

    /// As an error about a field. `at` is the place of the value that was checked.
    pub(super) fn at(&self, at: &FieldPath) -> FieldError {
        let field = match self.path.trim_start_matches('.') {
            "" => at.clone(),
            path => at.child(path),
        };
        let mut error = match &self.kind {
            Kind::Required => FieldError::required(&field, ""),
            Kind::Enumeration { value, allowed } => {
                let allowed: Vec<String> = allowed.iter().map(text).collect();
                FieldError::not_supported(&field, value, &allowed)
            }
            Kind::TooLong { max } => FieldError::too_long(&field, usize::try_from(*max).unwrap_or(usize::MAX)),
            Kind::TooMany { actual, max } => {
                FieldError::too_many(&field, *actual, usize::try_from(*max).unwrap_or(usize::MAX))
            }
            Kind::Type(value) => FieldError::wrong_type(&field, value, &self.message),
            Kind::Invalid(value) => FieldError::invalid(&field, value, &self.message),
            Kind::Nowhere => FieldError::invalid(at, &Value::from(""), &self.message),
        };
        if let Kind::Enumeration { value, .. } | Kind::Type(value) | Kind::Invalid(value) = &self.kind {
            // Go prints a float in its own way.
            if let Some(number) = value.as_f64().filter(|_| value.is_f64()) {
                error.body = error.body.replacen(&value.to_string(), &go_float(number), 1);
            }
        }
        error
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
