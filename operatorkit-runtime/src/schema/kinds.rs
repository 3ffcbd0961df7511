//! Which types of JSON a place takes.

use std::ops::{BitAnd, BitOr, BitOrAssign, Sub};

use serde_json::{Value, json};

use super::Wrong;

/// A set of types. A number that is no integer has one of its own, so that an integer is a number, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kinds(u8);

impl Kinds {
    pub(super) const NONE: Self = Self(0);
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOLEAN: Self = Self(1 << 1);
    pub(super) const INTEGER: Self = Self(1 << 2);
    const FRACTION: Self = Self(1 << 3);
    pub(super) const STRING: Self = Self(1 << 4);
    pub(super) const ARRAY: Self = Self(1 << 5);
    pub(super) const OBJECT: Self = Self(1 << 6);
    pub(super) const NUMBER: Self = Self(Self::INTEGER.0 | Self::FRACTION.0);
    pub(super) const INT_OR_STRING: Self = Self(Self::INTEGER.0 | Self::STRING.0);
    pub(super) const ALL: Self = Self((1 << 7) - 1);

    pub(super) fn contains(self, other: Self) -> bool {
        self & other == other
    }

    pub(super) fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// The kind with a name of JSON Schema's.
    pub(super) fn named(name: &str) -> Result<Self, Wrong> {
        Ok(match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            other => return Err(Wrong::new(format!("has a type that JSON does not know: `{other}`"))),
        })
    }

    /// The kind of a value.
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) if number.is_f64() => Self::NUMBER,
            Value::Number(_) => Self::INTEGER,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    /// The one type that a schema can say of a place; `None` where there are several, or none. `null` is none: a schema says `nullable`.
    pub(super) fn name(self) -> Option<&'static str> {
        Some(match self - Self::NULL {
            Self::BOOLEAN => "boolean",
            Self::INTEGER => "integer",
            Self::NUMBER | Self::FRACTION => "number",
            Self::STRING => "string",
            Self::ARRAY => "array",
            Self::OBJECT => "object",
            _ => return None,
        })
    }

    /// Conditions that no value of these types meets, and that every other value does: a schema cannot name a type in `anyOf`, but bounds that
    /// contradict each other are for values of their own type only. Nothing can be said of `null`: no condition is asked about it.
    pub(super) fn refused(self) -> Vec<Value> {
        let mut refused = Vec::new();
        if self.contains(Self::BOOLEAN) {
            refused.push(json!({ "not": { "enum": [true, false] } }));
        }
        if self.contains(Self::NUMBER) {
            refused.push(json!({ "minimum": 1, "maximum": 0 }));
        } else if self.contains(Self::FRACTION) {
            refused.push(json!({ "multipleOf": 1 }));
        } else if self.contains(Self::INTEGER) {
            refused.push(json!({ "minimum": 1, "maximum": 0 }));
        }
        if self.contains(Self::STRING) {
            refused.push(json!({ "minLength": 1, "maxLength": 0 }));
        }
        if self.contains(Self::ARRAY) {
            refused.push(json!({ "minItems": 1, "maxItems": 0 }));
        }
        if self.contains(Self::OBJECT) {
            refused.push(json!({ "minProperties": 1, "maxProperties": 0 }));
        }
        refused
    }
}

impl BitAnd for Kinds {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Kinds {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Kinds {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl Sub for Kinds {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}
