//! One condition of a label selector (`labels.Requirement`).

use std::{collections::BTreeSet, fmt};

use super::syntax::{key_errors, value_errors};

/// How a label is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `key = value`.
    Equals,
    /// `key == value`.
    DoubleEquals,
    /// `key != value`.
    NotEquals,
    /// `key in (a,b)`.
    In,
    /// `key notin (a,b)`.
    NotIn,
    /// `key`.
    Exists,
    /// `!key`.
    DoesNotExist,
    /// `key > 1`.
    GreaterThan,
    /// `key < 1`.
    LessThan,
}

/// One condition: a label's key, and what its value must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    key: Box<str>,
    operator: Operator,
    values: Vec<Box<str>>,
}

impl Requirement {
    /// A condition.
    ///
    /// # Errors
    ///
    /// What `NewRequirement` says of a key or values that are none.
    pub fn new(key: &str, operator: Operator, values: &[String]) -> Result<Self, String> {
        let mut errors = Vec::new();
        let wrong = key_errors(key);
        if !wrong.is_empty() {
            errors.push(format!("key: Invalid value: {key:?}: {}", wrong.join("; ")));
        }
        errors.extend(number_of_values(operator, values));
        for (index, value) in values.iter().enumerate() {
            let wrong = value_errors(value);
            if !wrong.is_empty() {
                let wrong = wrong.join("; ");
                errors.push(format!("values[{index}][{key}]: Invalid value: {value:?}: {wrong}"));
            }
        }
        match errors.len() {
            0 => Ok(Self {
                key: key.into(),
                operator,
                values: values.iter().map(|value| value.as_str().into()).collect(),
            }),
            1 => Err(errors.remove(0)),
            _ => Err(format!("[{}]", errors.join(", "))),
        }
    }

    /// The label's key.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Whether a label with this value, or none, satisfies the condition.
    pub fn matches(&self, value: Option<&str>) -> bool {
        let has = |value: &str| self.values.iter().any(|it| **it == *value);
        let compare = |value: &str, greater: bool| {
            let value: Option<i64> = value.parse().ok();
            let bound: Option<i64> = self.values.first().and_then(|bound| bound.parse().ok());
            matches!((value, bound), (Some(value), Some(bound)) if if greater { value > bound } else { value < bound })
        };
        match self.operator {
            Operator::In | Operator::Equals | Operator::DoubleEquals => value.is_some_and(has),
            Operator::NotIn | Operator::NotEquals => !value.is_some_and(has),
            Operator::Exists => value.is_some(),
            Operator::DoesNotExist => value.is_none(),
            Operator::GreaterThan => value.is_some_and(|value| compare(value, true)),
            Operator::LessThan => value.is_some_and(|value| compare(value, false)),
        }
    }
}

/// What is wrong with how many values there are, and with numbers.
fn number_of_values(operator: Operator, values: &[String]) -> Vec<String> {
    let all = || {
        let all: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
        format!("[{}]", all.join(","))
    };
    let wrong = |why: &str| vec![format!("values: Invalid value: {}: {why}", all())];
    match operator {
        Operator::In | Operator::NotIn if values.is_empty() => {
            wrong("for 'in', 'notin' operators, values set can't be empty")
        }
        Operator::Equals | Operator::DoubleEquals | Operator::NotEquals if values.len() != 1 => {
            wrong("exact-match compatibility requires one single value")
        }
        Operator::Exists | Operator::DoesNotExist if !values.is_empty() => {
            wrong("values set must be empty for exists and does not exist")
        }
        Operator::GreaterThan | Operator::LessThan => {
            let mut errors = Vec::new();
            if values.len() != 1 {
                errors = wrong("for 'Gt', 'Lt' operators, exactly one value is required");
            }
            for (index, value) in values.iter().enumerate() {
                if value.parse::<i64>().is_err() {
                    errors.push(format!(
                        "values[{index}]: Invalid value: {value:?}: for 'Gt', 'Lt' operators, the value must be an integer"
                    ));
                }
            }
            errors
        }
        _ => Vec::new(),
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = &self.key;
        let values: BTreeSet<&str> = self.values.iter().map(AsRef::as_ref).collect();
        let values = values.into_iter().collect::<Vec<_>>().join(",");
        match self.operator {
            Operator::Equals => write!(f, "{key}={values}"),
            Operator::DoubleEquals => write!(f, "{key}=={values}"),
            Operator::NotEquals => write!(f, "{key}!={values}"),
            Operator::In => write!(f, "{key} in ({values})"),
            Operator::NotIn => write!(f, "{key} notin ({values})"),
            Operator::Exists => f.write_str(key),
            Operator::DoesNotExist => write!(f, "!{key}"),
            Operator::GreaterThan => write!(f, "{key}>{values}"),
            Operator::LessThan => write!(f, "{key}<{values}"),
        }
    }
}
