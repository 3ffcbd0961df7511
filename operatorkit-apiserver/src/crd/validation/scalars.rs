//! Types, strings, enumerations, and how many there are.

use serde_json::{Map, Value};

use super::{
    numbers::is_whole,
    outcome::{Kind, Outcome, Problem},
    pattern,
};
use crate::schema::{Rules, Type};

/// The type of a value, and the format that Go's types give it.
pub(super) fn type_of(value: &Value) -> (&'static str, &'static str) {
    match value {
        Value::Null => ("null", ""),
        Value::Bool(_) => ("boolean", ""),
        Value::Number(number) if number.is_i64() => ("integer", "int64"),
        Value::Number(_) => ("number", "float64"),
        Value::String(_) => ("string", ""),
        Value::Array(_) => ("array", ""),
        Value::Object(_) => ("object", ""),
    }
}

/// Whether a value is of a type. A whole number is a number, and `1.0` is a whole number.
pub(super) fn fits(type_: Type, value: &Value) -> bool {
    match (type_, value) {
        (Type::Object, Value::Object(_))
        | (Type::Array, Value::Array(_))
        | (Type::String | Type::IntOrString, Value::String(_))
        | (Type::Boolean, Value::Bool(_))
        | (Type::Number, Value::Number(_)) => true,
        (Type::Integer | Type::IntOrString, Value::Number(number)) => {
            number.is_i64() || number.as_f64().is_some_and(is_whole)
        }
        _ => false,
    }
}

pub(super) fn wrong_type(path: &str, expected: &str, value: &str) -> Problem {
    let message = format!("{path} in body must be of type {expected}: {value:?}");
    Problem::new(path, message, Kind::Type(value.into()))
}

/// `maxLength`, `minLength` and `pattern`: the first that fails.
pub(super) fn string(path: &str, text: &str, rules: Option<&Rules>) -> Option<Problem> {
    let rules = rules?;
    let length = text.chars().count() as u64;
    let invalid = |message: String| Some(Problem::new(path, message, Kind::Invalid(text.into())));
    if let Some(max) = rules.max_length.filter(|max| length > *max) {
        let message = format!("{path} in body should be at most {max} chars long");
        return Some(Problem::new(path, message, Kind::TooLong { max }));
    }
    if let Some(min) = rules.min_length.filter(|min| length < *min) {
        return invalid(format!("{path} in body should be at least {min} chars long"));
    }
    let pattern = rules.pattern.as_deref()?;
    match pattern::compile(pattern) {
        Ok(regex) if regex.is_match(text) => None,
        Ok(_) => invalid(format!("{path} in body should match '{pattern}'")),
        Err(why) => invalid(format!(
            "{path} in body should match '{pattern}, but pattern is invalid: {why}'"
        )),
    }
}

/// `enum`. `null` is never one of the values.
pub(super) fn enumeration(path: &str, value: &Value, rules: Option<&Rules>) -> Outcome {
    let allowed = rules.map_or(&[][..], |it| &it.enumeration);
    if allowed.is_empty() || allowed.iter().any(|it| is_same(value, it)) {
        return Outcome::default();
    }
    let message = format!("{path} in body should be one of {allowed:?}");
    let (value, allowed) = (value.clone(), allowed.to_vec());
    Outcome::of(Problem::new(path, message, Kind::Enumeration { value, allowed }))
}

/// Whether two values are one in an enumeration. A number is converted to the type of the allowed one, as Go does.
#[allow(clippy::cast_possible_truncation)]
fn is_same(value: &Value, allowed: &Value) -> bool {
    match (value, allowed) {
        (Value::Null, _) => false,
        (Value::Number(value), Value::Number(allowed)) => match allowed.as_i64() {
            Some(allowed) => value.as_i64().or_else(|| value.as_f64().map(|it| it as i64)) == Some(allowed),
            None => value.as_f64() == allowed.as_f64(),
        },
        _ => value == allowed,
    }
}

/// `minItems`, `maxItems` and `uniqueItems`.
pub(super) fn items(path: &str, items: &[Value], rules: Option<&Rules>, outcome: &mut Outcome) {
    let Some(rules) = rules else { return };
    let actual = items.len();
    if let Some(min) = rules.min_items.filter(|min| (actual as u64) < *min) {
        let message = format!("{path} in body should have at least {min} items");
        outcome.add(Problem::new(path, message, Kind::Invalid(actual.into())));
    }
    if let Some(max) = rules.max_items.filter(|max| actual as u64 > *max) {
        let message = format!("{path} in body should have at most {max} items");
        outcome.add(Problem::new(path, message, Kind::TooMany { actual, max }));
    }
    if rules.unique_items && (1..actual).any(|index| items[..index].contains(&items[index])) {
        let message = format!("{path} in body shouldn't contain duplicates");
        outcome.add(Problem::new(path, message, Kind::Invalid("".into())));
    }
}

/// `minProperties` and `maxProperties`.
pub(super) fn properties(path: &str, fields: &Map<String, Value>, rules: Option<&Rules>, outcome: &mut Outcome) {
    let Some(rules) = rules else { return };
    let actual = fields.len();
    if let Some(min) = rules.min_properties.filter(|min| (actual as u64) < *min) {
        let message = format!("{path} in body should have at least {min} properties");
        outcome.add(Problem::new(path, message, Kind::Invalid(actual.into())));
    }
    if let Some(max) = rules.max_properties.filter(|max| actual as u64 > *max) {
        let message = format!("{path} in body should have at most {max} properties");
        outcome.add(Problem::new(path, message, Kind::TooMany { actual, max }));
    }
}
