//! Values as Go's `fmt` prints them, which is how they stand in error messages.

use std::fmt::Write;

use serde_json::{Number, Value};

/// `%v`: `map[a:1 b:[x y]]`.
pub(crate) fn value(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("<nil>"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Number(value) => out.push_str(&number(value)),
        Value::String(text) => out.push_str(text),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(' ');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Object(fields) => {
            out.push_str("map[");
            for (index, (key, value)) in fields.iter().enumerate() {
                if index > 0 {
                    out.push(' ');
                }
                let _ = write!(out, "{key}:");
                write(value, out);
            }
            out.push(']');
        }
    }
}

fn number(number: &Number) -> String {
    if number.is_i64() || number.is_u64() {
        return number.to_string();
    }
    let value = number.as_f64().unwrap_or_default();
    if value == 0.0 || (1e-4..1e21).contains(&value.abs()) {
        return value.to_string();
    }
    // Go writes at least two digits of an exponent, and its sign.
    let text = format!("{value:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    format!("{mantissa}e{exponent:+03}")
}

/// `%s`, of something that should be a string.
pub(super) fn as_string(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "%!s(<nil>)".to_owned(),
        Value::Array(_) | Value::Object(_) => self::value(value),
        scalar => format!("%!s({}={})", type_(scalar), self::value(scalar)),
    }
}

/// The Go type of a value without a schema.
pub(crate) fn type_(value: &Value) -> &'static str {
    match value {
        Value::Null => "%!s(<nil>)",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_i64() => "int64",
        Value::Number(_) => "float64",
        Value::String(_) => "string",
        Value::Array(_) => LIST,
        Value::Object(_) => MAP,
    }
}

/// The Go type of a list without a schema.
pub(crate) const LIST: &str = "[]interface {}";
/// The Go type of an object without a schema.
pub(crate) const MAP: &str = "map[string]interface {}";
