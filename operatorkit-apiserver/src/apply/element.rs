//! One step of a path: a field, an item by its key fields, an item by its value, an item by its index.

use std::{cmp::Ordering, fmt};

use serde_json::{Number, Value};

use super::{
    go,
    order::{compare, float},
};

/// One step of a path in an object (`structured-merge-diff`, `fieldpath.PathElement`).
///
/// The order is the one in which `fieldsV1` lists them: fields, keys, values, indices.
#[derive(Clone, Debug)]
pub enum PathElement {
    /// A field of an object or a map: `f:name`.
    Field(Box<str>),
    /// The item of a list whose fields have these values, sorted by name: `k:{"name":"x"}`.
    Key(Vec<(Box<str>, Value)>),
    /// The item of a set: `v:"x"`.
    Value(Value),
    /// The item of a list by its place: `i:0`.
    Index(i64),
}

impl PathElement {
    /// The item of a list with these key fields.
    pub fn key(mut fields: Vec<(Box<str>, Value)>) -> Self {
        fields.sort_by(|left, right| left.0.cmp(&right.0));
        Self::Key(fields)
    }

    /// Parses a key of `fieldsV1`. `Ok(None)`: a kind of element that is not known, and skipped.
    ///
    /// # Errors
    ///
    /// What is wrong, in words.
    pub(super) fn parse(text: &str) -> Result<Option<Self>, String> {
        let bytes = text.as_bytes();
        if bytes.len() < 2 {
            return Err("key must be 2 characters long:".into());
        }
        if bytes[1] != b':' {
            return Err(format!("missing colon: {text}"));
        }
        let rest = &text[2..];
        Ok(Some(match bytes[0] {
            b'f' => Self::Field(rest.into()),
            b'v' => Self::Value(decode(rest)?),
            b'k' => match decode(rest)? {
                Value::Object(fields) => {
                    Self::key(fields.into_iter().map(|(name, value)| (name.into(), value)).collect())
                }
                other => return Err(format!("expect {{ or n, but found {}", go::json(&other))),
            },
            b'i' => Self::Index(
                rest.parse()
                    .map_err(|_| format!("strconv.Atoi: parsing {}: invalid syntax", go::quoted(rest)))?,
            ),
            _ => return Ok(None),
        }))
    }

    /// As a key of `fieldsV1`.
    pub(super) fn serialize(&self) -> String {
        match self {
            Self::Field(name) => format!("f:{name}"),
            Self::Key(fields) => {
                let mut out = String::from("k:{");
                for (index, (name, value)) in fields.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    out.push_str(&Value::String(name.to_string()).to_string());
                    out.push(':');
                    out.push_str(&go::json(value));
                }
                out.push('}');
                out
            }
            Self::Value(value) => format!("v:{}", go::json(value)),
            Self::Index(index) => format!("i:{index}"),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Field(_) => 0,
            Self::Key(_) => 1,
            Self::Value(_) => 2,
            Self::Index(_) => 3,
        }
    }
}

/// A value inside a key of `fieldsV1`. The real server reads every number there as a float.
fn decode(text: &str) -> Result<Value, String> {
    let mut value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    floats(&mut value);
    Ok(value)
}

fn floats(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if let Some(it) = Number::from_f64(float(number)) {
                *number = it;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(floats),
        Value::Object(fields) => fields.values_mut().for_each(floats),
        _ => {}
    }
}

impl Ord for PathElement {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Field(left), Self::Field(right)) => left.cmp(right),
            (Self::Key(left), Self::Key(right)) => left
                .iter()
                .zip(right)
                .map(|(left, right)| left.0.cmp(&right.0).then_with(|| compare(&left.1, &right.1)))
                .find(|order| order.is_ne())
                .unwrap_or_else(|| left.len().cmp(&right.len())),
            (Self::Value(left), Self::Value(right)) => compare(left, right),
            (Self::Index(left), Self::Index(right)) => left.cmp(right),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for PathElement {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for PathElement {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for PathElement {}

impl fmt::Display for PathElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => write!(f, ".{name}"),
            Self::Key(fields) => {
                f.write_str("[")?;
                for (index, (name, value)) in fields.iter().enumerate() {
                    let comma = if index > 0 { "," } else { "" };
                    write!(f, "{comma}{name}={}", readable(value))?;
                }
                f.write_str("]")
            }
            Self::Value(value) => write!(f, "[={}]", readable(value)),
            Self::Index(index) => write!(f, "[{index}]"),
        }
    }
}

/// `value.ToString` of structured-merge-diff.
fn readable(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(it) => it.to_string(),
        Value::Number(it) => go::number(it),
        Value::String(it) => go::quoted(it),
        Value::Array(items) => format!("[{}]", items.iter().map(readable).collect::<Vec<_>>().join(",")),
        Value::Object(fields) => {
            let fields: Vec<_> = fields
                .iter()
                .map(|(key, it)| format!("{key}={}", readable(it)))
                .collect();
            fields.concat()
        }
    }
}
