//! A value as text, as Go prints it.

use std::io;

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{Formatter, Serializer};

/// Scalars as they are, `<no value>` for null, lists and maps as JSON.
pub(in crate::table) fn text(value: &Value) -> String {
    match value {
        Value::Null => "<no value>".to_owned(),
        Value::Bool(boolean) => boolean.to_string(),
        Value::String(text) => text.clone(),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(integer), _) => integer.to_string(),
            (None, Some(float)) => go_float(float),
            (None, None) => number.to_string(),
        },
        Value::Array(_) | Value::Object(_) => go_json(value),
    }
}

/// Go's `%v` of a float: the shortest digits, with an exponent below 1e-4 and from 1e6 on.
fn go_float(float: f64) -> String {
    // A float that is whole was stored without its fraction, and read again as an integer.
    #[expect(clippy::cast_precision_loss, reason = "only a bound")]
    if float.fract() == 0.0 && float.abs() < i64::MAX as f64 {
        return format!("{float:.0}");
    }
    let scientific = format!("{float:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    match exponent.parse::<i32>() {
        Ok(-4..6) => float.to_string(),
        Ok(exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", exponent.unsigned_abs())
        }
        Err(_) => scientific,
    }
}

/// JSON as Go writes it: what HTML could take for markup is escaped.
pub(crate) fn go_json(value: &Value) -> String {
    let mut bytes = Vec::new();
    let written = value.serialize(&mut Serializer::with_formatter(&mut bytes, Go));
    match written.map(|()| String::from_utf8(bytes)) {
        Ok(Ok(text)) => text,
        _ => String::new(),
    }
}

struct Go;

impl Formatter for Go {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.find(['<', '>', '&', '\u{2028}', '\u{2029}']) {
            let (plain, from) = rest.split_at(at);
            writer.write_all(plain.as_bytes())?;
            let Some(character) = from.chars().next() else { break };
            write!(writer, "\\u{:04x}", u32::from(character))?;
            rest = &from[character.len_utf8()..];
        }
        writer.write_all(rest.as_bytes())
    }
}
