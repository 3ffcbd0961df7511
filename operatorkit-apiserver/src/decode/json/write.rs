//! [`Json`] and values as Go writes them (`encoding/json`): `<`, `>`, `&` and the two line separators escaped, floats without
//! a needless fraction. JSON patches compare what is written, so this is part of what they mean.

use std::borrow::Cow;

use serde_json::{Number, Value};

use super::{Json, Text, literal};

impl Json<'_> {
    /// The document as Go writes what it has read: without spaces, in its own order, with its own literals.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        match self {
            Json::Null => out.extend_from_slice(b"null"),
            Json::Bool(value) => out.extend_from_slice(if *value { b"true" } else { b"false" }),
            Json::Number(literal) => out.extend_from_slice(literal.as_bytes()),
            Json::String(text) => write_literal(&text.literal, out),
            Json::Array(items) => {
                out.push(b'[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(b',');
                    }
                    item.write(out);
                }
                out.push(b']');
            }
            Json::Object(fields) => {
                out.push(b'{');
                for (index, (key, value)) in fields.iter().enumerate() {
                    if index > 0 {
                        out.push(b',');
                    }
                    write_literal(&quote(key), out);
                    out.push(b':');
                    value.write(out);
                }
                out.push(b'}');
            }
        }
    }
}

/// A value as the real server writes it before it patches it.
pub(crate) fn from_value(value: &Value) -> Json<'static> {
    match value {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        Value::Number(number) => Json::Number(Cow::Owned(write_number(number))),
        Value::String(text) => {
            let literal = escape(&quote(text)).into_owned();
            Json::String(Text {
                text: literal::text(&literal).into_owned().into(),
                literal: literal.into(),
            })
        }
        Value::Array(items) => Json::Array(items.iter().map(from_value).collect()),
        Value::Object(fields) => Json::Object(
            fields
                .iter()
                .map(|(key, value)| (Cow::Owned(key.clone()), from_value(value)))
                .collect(),
        ),
    }
}

/// The literal of a text, without its quotes.
fn quote(text: &str) -> Cow<'_, [u8]> {
    let plain = |byte: u8| byte >= 0x20 && byte != b'"' && byte != b'\\';
    if text.bytes().all(plain) {
        return Cow::Borrowed(text.as_bytes());
    }
    let quoted = Value::from(text).to_string();
    Cow::Owned(quoted.as_bytes()[1..quoted.len() - 1].into())
}

fn write_literal(literal: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    out.extend_from_slice(&escape(literal));
    out.push(b'"');
}

/// A literal with what Go escapes for the sake of HTML.
pub(crate) fn escape(literal: &[u8]) -> Cow<'_, [u8]> {
    // The separators U+2028 and U+2029 are E2 80 A8 and E2 80 A9.
    if !literal.iter().any(|byte| matches!(byte, b'<' | b'>' | b'&' | 0xe2)) {
        return Cow::Borrowed(literal);
    }
    let mut out = Vec::with_capacity(literal.len() + 10);
    let mut rest = literal;
    while let [first, tail @ ..] = rest {
        rest = match rest {
            [0xe2, 0x80, last @ (0xa8 | 0xa9), after @ ..] => {
                out.extend_from_slice(format!("\\u20{:02x}", last - 0x80).as_bytes());
                after
            }
            [b'<' | b'>' | b'&', ..] => {
                out.extend_from_slice(format!("\\u{first:04x}").as_bytes());
                tail
            }
            _ => {
                out.push(*first);
                tail
            }
        };
    }
    Cow::Owned(out)
}

/// `1` and not `1.0`; an exponent only for what is very small or large.
fn write_number(number: &Number) -> String {
    if number.is_i64() || number.is_u64() {
        return number.to_string();
    }
    let value = number.as_f64().unwrap_or_default();
    if value == 0.0 || (1e-6..1e21).contains(&value.abs()) {
        return format!("{value}");
    }
    // Rust writes `1e21` and `1e-7`, Go `1e+21` and `1e-7`.
    let text = format!("{value:e}");
    if text.contains("e-") {
        text
    } else {
        text.replace('e', "e+")
    }
}
