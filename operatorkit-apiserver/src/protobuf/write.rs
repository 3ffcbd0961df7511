//! Messages from JSON.

use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use serde_json::{Map, Value};

use super::{
    DecodeError, MAGIC,
    descriptor::{Descriptors, Field, Kind, Shape},
    special, wire,
};

/// `runtime.Unknown` around an object.
pub(super) fn envelope(object: &Value) -> Result<Vec<u8>, DecodeError> {
    let text = |field: &str| object[field].as_str().unwrap_or_default();
    let (version, kind) = (text("apiVersion"), text("kind"));
    let (Some(message), Value::Object(fields)) = (Descriptors::get().kind(version, kind), object) else {
        return Err(DecodeError::UnknownKind(version.into(), kind.into()));
    };
    let mut meta = Vec::new();
    wire::bytes(&mut meta, 1, version.as_bytes());
    wire::bytes(&mut meta, 2, kind.as_bytes());
    let mut raw = Vec::new();
    self::message(fields, message, &mut raw)?;
    let mut bytes = MAGIC.to_vec();
    wire::bytes(&mut bytes, 1, &meta);
    wire::bytes(&mut bytes, 2, &raw);
    // Encoding and content type are empty, and written nevertheless, as the real server does.
    wire::bytes(&mut bytes, 3, b"");
    wire::bytes(&mut bytes, 4, b"");
    Ok(bytes)
}

/// The fields of an object.
pub(super) fn message(object: &Map<String, Value>, message: usize, into: &mut Vec<u8>) -> Result<(), DecodeError> {
    for field in Descriptors::get().fields(message) {
        match object.get(field.name).filter(|it| !it.is_null()) {
            _ if field.name.is_empty() => inlined(object, field, into)?,
            Some(value) => write(field, value, into)?,
            None if field.shape == Shape::One && !field.optional => zero(field, into)?,
            None => {}
        }
    }
    Ok(())
}

/// What stands for nothing: the code that Go generates writes everything that is no pointer.
fn zero(field: &Field, into: &mut Vec<u8>) -> Result<(), DecodeError> {
    let empty = match field.kind {
        Kind::Text => "".into(),
        Kind::Bool => false.into(),
        Kind::Int | Kind::IntOrString => 0.into(),
        Kind::Double => 0.0.into(),
        Kind::Duration => "0s".into(),
        Kind::Quantity => "0".into(),
        Kind::Message(_) => Value::Object(Map::new()),
        Kind::Time | Kind::MicroTime => Value::Null,
        Kind::Bytes | Kind::Json | Kind::Strings | Kind::OrArray | Kind::OrBool | Kind::OrStrings => return Ok(()),
    };
    value(field.kind, field.number, &empty, into)
}

fn inlined(object: &Map<String, Value>, field: &Field, into: &mut Vec<u8>) -> Result<(), DecodeError> {
    let Kind::Message(inner) = field.kind else {
        return Ok(());
    };
    let mut bytes = Vec::new();
    message(object, inner, &mut bytes)?;
    if !bytes.is_empty() {
        wire::bytes(into, field.number, &bytes);
    }
    Ok(())
}

fn write(field: &Field, it: &Value, into: &mut Vec<u8>) -> Result<(), DecodeError> {
    match (field.shape, it) {
        (Shape::One, it) => value(field.kind, field.number, it, into),
        (Shape::List, Value::Array(list)) => list.iter().try_for_each(|it| value(field.kind, field.number, it, into)),
        (Shape::Map, Value::Object(map)) => map.iter().try_for_each(|(key, it)| {
            let mut entry = Vec::new();
            wire::bytes(&mut entry, 1, key.as_bytes());
            value(field.kind, 2, it, &mut entry)?;
            wire::bytes(into, field.number, &entry);
            Ok(())
        }),
        _ => Err(wrong(it)),
    }
}

/// One value.
pub(super) fn value(kind: Kind, number: u32, it: &Value, into: &mut Vec<u8>) -> Result<(), DecodeError> {
    match (kind, it) {
        (Kind::Text, Value::String(text)) => wire::bytes(into, number, text.as_bytes()),
        (Kind::Bytes, Value::String(text)) => wire::bytes(into, number, &BASE64.decode(text).map_err(|_| wrong(it))?),
        (Kind::Bool, Value::Bool(yes)) => wire::number(into, number, u64::from(*yes)),
        (Kind::Int, Value::Number(int)) => {
            wire::number(into, number, int.as_i64().ok_or_else(|| wrong(it))?.cast_unsigned());
        }
        (Kind::Double, Value::Number(double)) => {
            wire::double(into, number, double.as_f64().ok_or_else(|| wrong(it))?);
        }
        (Kind::Message(inner), Value::Object(object)) => {
            let mut bytes = Vec::new();
            message(object, inner, &mut bytes)?;
            wire::bytes(into, number, &bytes);
        }
        (Kind::Text | Kind::Bytes | Kind::Bool | Kind::Int | Kind::Double | Kind::Message(_), _) => {
            return Err(wrong(it));
        }
        (kind, it) => {
            let mut bytes = Vec::new();
            special::write(kind, it, &mut bytes)?;
            wire::bytes(into, number, &bytes);
        }
    }
    Ok(())
}

pub(super) fn wrong(value: &Value) -> DecodeError {
    let mut text = value.to_string();
    if let Some((end, _)) = text.char_indices().nth(80) {
        text.truncate(end);
    }
    DecodeError::Malformed(format!("{text} cannot be written in protobuf here"))
}
