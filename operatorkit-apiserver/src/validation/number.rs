//! Ranges, ports, percentages.

use serde_json::Value;

use super::{
    at::{At, Errors},
    names,
};
use crate::failure::FieldError;

/// Not below zero.
pub fn non_negative(at: &At<'_>) -> Option<FieldError> {
    let negative = at.int().is_some_and(|it| it < 0);
    negative.then(|| at.invalid("must be greater than or equal to 0"))
}

/// Above zero.
pub fn positive(at: &At<'_>) -> Option<FieldError> {
    (at.number() <= 0).then(|| at.invalid("must be greater than zero"))
}

/// Between two numbers, both included. An absent number is 0.
pub fn in_range(at: &At<'_>, low: i64, high: i64) -> Option<FieldError> {
    let value = Value::from(at.number());
    let outside = at.number() < low || at.number() > high;
    let detail = || format!("must be between {low} and {high}, inclusive");
    outside.then(|| FieldError::invalid(&at.path, &value, detail()))
}

/// A number of a port.
pub fn port(at: &At<'_>) -> Option<FieldError> {
    in_range(at, 1, 65535)
}

/// A number or a name of a port. An absent one is the number 0.
pub fn port_or_name(at: &At<'_>) -> Errors {
    if at.value.is_string() {
        return at.all_invalid(names::port_name(at.text()));
    }
    port(at).into_iter().collect()
}

/// A whole number that is not negative, or a percentage.
pub fn int_or_percent(at: &At<'_>) -> Errors {
    if at.value.is_string() {
        return at.all_invalid(names::percent(at.text()));
    }
    non_negative(at).into_iter().collect()
}

/// At most `100%`, if it is a percentage.
pub fn at_most_100_percent(at: &At<'_>) -> Option<FieldError> {
    percentage(at.value)
        .is_some_and(|it| it > 100)
        .then(|| at.invalid("must not be greater than 100%"))
}

/// The number, or that of the percentage; 0 for other texts.
pub fn int_or_percent_value(value: &Value) -> i64 {
    value.as_i64().or_else(|| percentage(value)).unwrap_or_default()
}

fn percentage(value: &Value) -> Option<i64> {
    value.as_str()?.strip_suffix('%')?.parse().ok()
}

/// A user or group of Unix.
pub fn unix_id(at: &At<'_>) -> Option<FieldError> {
    if at.is_set() {
        in_range(at, 0, i64::from(i32::MAX))
    } else {
        None
    }
}
