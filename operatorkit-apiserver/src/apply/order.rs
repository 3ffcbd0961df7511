//! How values compare: numbers by value, kinds of values in a fixed order (`structured-merge-diff`, package `value`).

use std::cmp::Ordering;

use serde_json::{Number, Value};

/// A total order over values of any kind: floats and integers (together, by value), strings, booleans, lists, maps, null.
pub(super) fn compare(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => numbers(left, right),
        (Value::String(left), Value::String(right)) => left.cmp(right),
        (Value::Bool(left), Value::Bool(right)) => left.cmp(right),
        (Value::Array(left), Value::Array(right)) => left
            .iter()
            .zip(right)
            .map(|(left, right)| compare(left, right))
            .find(|order| order.is_ne())
            .unwrap_or_else(|| left.len().cmp(&right.len())),
        (Value::Object(left), Value::Object(right)) => left
            .iter()
            .zip(right)
            .map(|(left, right)| left.0.cmp(right.0).then_with(|| compare(left.1, right.1)))
            .find(|order| order.is_ne())
            .unwrap_or_else(|| left.len().cmp(&right.len())),
        _ => rank(left).cmp(&rank(right)),
    }
}

/// Whether two values are the same, `1` and `1.0` being the same.
pub(super) fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => numbers(left, right).is_eq(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| equal(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| left.0 == right.0 && equal(left.1, right.1))
        }
        _ => left == right,
    }
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Number(_) => 0,
        Value::String(_) => 1,
        Value::Bool(_) => 2,
        Value::Array(_) => 3,
        Value::Object(_) => 4,
        Value::Null => 5,
    }
}

fn numbers(left: &Number, right: &Number) -> Ordering {
    match (left.as_i64(), right.as_i64()) {
        (Some(left), Some(right)) => left.cmp(&right),
        _ => float(left).total_cmp(&float(right)),
    }
}

/// The number as Go's `float64`. `-0` is `0`, so that the order agrees with equality.
pub(super) fn float(number: &Number) -> f64 {
    number.as_f64().map_or(0.0, |it| if it == 0.0 { 0.0 } else { it })
}
