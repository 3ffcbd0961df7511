//! How Go prints values: in `fieldsV1` keys, in the last-applied annotation, and in messages.

use std::fmt::Write;

use serde_json::{Number, Value};

use super::order::float;

/// As `encoding/json` writes it: keys sorted, `<`, `>` and `&` escaped, whole floats without a fraction.
pub(super) fn json(value: &Value) -> String {
    let mut out = String::new();
    write_json(&mut out, value);
    out
}

fn write_json(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(it) => out.push_str(if *it { "true" } else { "false" }),
        Value::Number(it) => out.push_str(&json_number(it)),
        Value::String(it) => json_string(out, it),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_json(out, item);
            }
            out.push(']');
        }
        Value::Object(fields) => {
            out.push('{');
            for (index, (key, value)) in fields.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                json_string(out, key);
                out.push(':');
                write_json(out, value);
            }
            out.push('}');
        }
    }
}

fn json_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
}

fn json_number(number: &Number) -> String {
    if let Some(whole) = number.as_i64() {
        return whole.to_string();
    }
    let value = float(number);
    if value != 0.0 && (value.abs() < 1e-6 || value.abs() >= 1e21) {
        exponent(value, 1)
    } else {
        format!("{value}")
    }
}

/// `%v`.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::Null => "<nil>".into(),
        Value::Bool(it) => it.to_string(),
        Value::Number(it) => number(it),
        Value::String(it) => it.clone(),
        Value::Array(items) => format!("[{}]", items.iter().map(plain).collect::<Vec<_>>().join(" ")),
        Value::Object(fields) => {
            let fields: Vec<_> = fields.iter().map(|(key, it)| format!("{key}:{}", plain(it))).collect();
            format!("map[{}]", fields.join(" "))
        }
    }
}

/// `%#v` of a value in an `interface{}`.
pub(super) fn sharp(value: &Value) -> String {
    match value {
        Value::Null => "interface {}(nil)".into(),
        Value::Bool(it) => it.to_string(),
        Value::Number(it) => number(it),
        Value::String(it) => quoted(it),
        Value::Array(items) => format!(
            "[]interface {{}}{{{}}}",
            items.iter().map(sharp).collect::<Vec<_>>().join(", ")
        ),
        Value::Object(fields) => {
            let fields: Vec<_> = fields
                .iter()
                .map(|(key, it)| format!("{}:{}", quoted(key), sharp(it)))
                .collect();
            format!("map[string]interface {{}}{{{}}}", fields.join(", "))
        }
    }
}

/// `%T`.
pub(super) fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "<nil>",
        Value::Bool(_) => "bool",
        Value::Number(it) if it.is_i64() => "int64",
        Value::Number(_) => "float64",
        Value::String(_) => "string",
        Value::Array(_) => "[]interface {}",
        Value::Object(_) => "map[string]interface {}",
    }
}

/// `%v` of a number: floats in the shortest form, with an exponent from seven digits on.
pub(super) fn number(number: &Number) -> String {
    if let Some(whole) = number.as_i64() {
        return whole.to_string();
    }
    let value = float(number);
    if value != 0.0 && (value.abs() < 1e-4 || value.abs() >= 1e6) {
        exponent(value, 2)
    } else {
        format!("{value}")
    }
}

/// `1e+21`, `1.5e-07`: the exponent has a sign and at least `digits` digits.
fn exponent(value: f64, digits: usize) -> String {
    let text = format!("{value:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |it| ('-', it));
    format!("{mantissa}e{sign}{exponent:0>digits$}")
}

/// `%q`.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{b}' => out.push_str("\\v"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\u{1f}' | '\u{7f}' => {
                let _ = write!(out, "\\x{:02x}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}
