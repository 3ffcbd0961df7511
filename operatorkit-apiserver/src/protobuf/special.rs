//! Types that JSON writes in a way of their own.

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::{
    DecodeError, MAGIC,
    descriptor::{Kind, SCHEMA},
    duration::{go_duration, parse_go_duration},
    read::{self, bytes, number, text},
    wire::{self, Fields, Raw},
    write::{self, wrong},
};

/// What a message of such a type says; `None` for nothing.
pub(super) fn read(kind: Kind, message: &[u8], depth: usize) -> Result<Option<Value>, DecodeError> {
    match kind {
        Kind::Time => time(message, "%Y-%m-%dT%H:%M:%SZ"),
        Kind::MicroTime => time(message, "%Y-%m-%dT%H:%M:%S.%6fZ"),
        Kind::Duration => {
            let nanoseconds = last(message, 1)?.map_or(Ok(0), number)?.cast_signed();
            Ok(Some(go_duration(nanoseconds).into()))
        }
        Kind::Quantity => Ok(Some(last(message, 1)?.map_or(Ok("0".to_owned()), text)?.into())),
        Kind::IntOrString => int_or_string(message).map(Some),
        Kind::Json => json(message, depth),
        Kind::Strings => {
            let mut list = Vec::new();
            each(message, |field, raw| {
                if field == 1 {
                    list.push(Value::String(text(raw)?));
                }
                Ok(())
            })?;
            Ok(Some(list.into()))
        }
        Kind::OrArray | Kind::OrBool | Kind::OrStrings => schema_or(kind, message, depth).map(Some),
        _ => Err(read::wrong_type()),
    }
}

/// The fields of a message of such a type.
pub(super) fn write(kind: Kind, value: &Value, into: &mut Vec<u8>) -> Result<(), DecodeError> {
    match (kind, value) {
        (Kind::Time | Kind::MicroTime, Value::String(text)) => {
            let time: Timestamp = text.parse().map_err(|_| wrong(value))?;
            wire::number(into, 1, time.as_second().cast_unsigned());
            wire::number(into, 2, i64::from(time.subsec_nanosecond()).cast_unsigned());
        }
        // A zero time.
        (Kind::Time | Kind::MicroTime, Value::Null) => {}
        (Kind::Duration, Value::String(text)) => {
            wire::number(
                into,
                1,
                parse_go_duration(text).ok_or_else(|| wrong(value))?.cast_unsigned(),
            );
        }
        (Kind::Quantity, Value::String(text)) => wire::bytes(into, 1, text.as_bytes()),
        (Kind::Quantity, Value::Number(number)) => wire::bytes(into, 1, number.to_string().as_bytes()),
        (Kind::IntOrString, Value::Number(int)) => {
            wire::number(into, 1, 0);
            wire::number(into, 2, int.as_i64().ok_or_else(|| wrong(value))?.cast_unsigned());
            wire::bytes(into, 3, b"");
        }
        (Kind::IntOrString, Value::String(text)) => {
            wire::number(into, 1, 1);
            wire::number(into, 2, 0);
            wire::bytes(into, 3, text.as_bytes());
        }
        (Kind::Json, value) => wire::bytes(into, 1, value.to_string().as_bytes()),
        (Kind::Strings, Value::Array(list)) => {
            return list.iter().try_for_each(|it| write::value(Kind::Text, 1, it, into));
        }
        (Kind::OrArray | Kind::OrBool | Kind::OrStrings, value) => return write_schema_or(kind, value, into),
        _ => return Err(wrong(value)),
    }
    Ok(())
}

fn each<'a>(
    message: &'a [u8],
    mut visit: impl FnMut(u32, Raw<'a>) -> Result<(), DecodeError>,
) -> Result<(), DecodeError> {
    let mut fields = Fields(message);
    while let Some((number, raw)) = fields.next()? {
        visit(number, raw)?;
    }
    Ok(())
}

fn last(message: &[u8], wanted: u32) -> Result<Option<Raw<'_>>, DecodeError> {
    let mut found = None;
    each(message, |number, raw| {
        if number == wanted {
            found = Some(raw);
        }
        Ok(())
    })?;
    Ok(found)
}

/// The zero time is nothing.
fn time(message: &[u8], format: &str) -> Result<Option<Value>, DecodeError> {
    let seconds = last(message, 1)?.map_or(Ok(0), number)?.cast_signed();
    let nanoseconds = last(message, 2)?.map_or(Ok(0), number)?.cast_signed();
    if seconds == 0 && nanoseconds == 0 {
        return Ok(None);
    }
    let time = i32::try_from(nanoseconds)
        .ok()
        .and_then(|it| Timestamp::new(seconds, it).ok());
    let time = time.ok_or_else(|| DecodeError::Malformed("a time is out of range".into()))?;
    Ok(Some(time.strftime(format).to_string().into()))
}

fn int_or_string(message: &[u8]) -> Result<Value, DecodeError> {
    let is_text = last(message, 1)?.map_or(Ok(0), number)? == 1;
    Ok(if is_text {
        last(message, 3)?.map_or(Ok(String::new()), text)?.into()
    } else {
        last(message, 2)?.map_or(Ok(0), number)?.cast_signed().into()
    })
}

fn json(message: &[u8], depth: usize) -> Result<Option<Value>, DecodeError> {
    let raw = last(message, 1)?.map_or(Ok(&[][..]), bytes)?;
    if raw.is_empty() {
        return Ok(None);
    }
    if raw.starts_with(MAGIC) {
        // An object in a list of any objects.
        return read::envelope(raw, None, depth + 1).map(Some);
    }
    let value = serde_json::from_slice(raw);
    value
        .map(Some)
        .map_err(|error| DecodeError::Malformed(error.to_string()))
}

/// Which field of a message holds what else than a schema there may be, and which the schema.
fn fields(kind: Kind) -> (u32, u32) {
    if kind == Kind::OrBool { (1, 2) } else { (2, 1) }
}

fn schema_or(kind: Kind, message: &[u8], depth: usize) -> Result<Value, DecodeError> {
    let (other, schema) = fields(kind);
    if let Some(raw) = last(message, schema)? {
        return Ok(read::value(Kind::Message(SCHEMA), raw, depth)?.unwrap_or_default());
    }
    if kind == Kind::OrBool {
        return Ok((last(message, other)?.map_or(Ok(0), number)? != 0).into());
    }
    let item = if kind == Kind::OrArray {
        Kind::Message(SCHEMA)
    } else {
        Kind::Text
    };
    let mut list = Vec::new();
    each(message, |number, raw| {
        if number == other {
            list.push(read::value(item, raw, depth)?.unwrap_or_default());
        }
        Ok(())
    })?;
    Ok(list.into())
}

fn write_schema_or(kind: Kind, value: &Value, into: &mut Vec<u8>) -> Result<(), DecodeError> {
    let (other, schema) = fields(kind);
    match (kind, value) {
        (Kind::OrBool, Value::Bool(yes)) => wire::number(into, other, u64::from(*yes)),
        (Kind::OrArray, Value::Array(list)) => {
            return list
                .iter()
                .try_for_each(|it| write::value(Kind::Message(SCHEMA), other, it, into));
        }
        (Kind::OrStrings, Value::Array(list)) => {
            return list.iter().try_for_each(|it| write::value(Kind::Text, other, it, into));
        }
        (_, Value::Object(object)) => {
            if kind == Kind::OrBool {
                wire::number(into, other, 1);
            }
            return write_schema(object, schema, into);
        }
        _ => return Err(wrong(value)),
    }
    Ok(())
}

fn write_schema(object: &Map<String, Value>, number: u32, into: &mut Vec<u8>) -> Result<(), DecodeError> {
    let mut bytes = Vec::new();
    write::message(object, SCHEMA, &mut bytes)?;
    wire::bytes(into, number, &bytes);
    Ok(())
}
