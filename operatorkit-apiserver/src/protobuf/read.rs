//! Messages to JSON.

use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use serde_json::{Map, Number, Value};

use super::{
    DecodeError, MAGIC,
    descriptor::{Descriptors, Field, Kind, Shape},
    special,
    wire::{Fields, Raw},
};

/// Deeper objects are refused.
const MAX_DEPTH: usize = 128;

/// `runtime.Unknown`, and the object in it.
pub(super) fn envelope(bytes: &[u8], default: Option<(&str, &str)>, depth: usize) -> Result<Value, DecodeError> {
    let mut fields = Fields(bytes.strip_prefix(MAGIC).ok_or(DecodeError::NotProtobuf)?);
    let (mut version, mut kind, mut raw) = (String::new(), String::new(), &[][..]);
    while let Some((number, value)) = fields.next()? {
        match (number, value) {
            (1, Raw::Bytes(bytes)) => {
                let mut meta = Fields(bytes);
                while let Some((number, value)) = meta.next()? {
                    match number {
                        1 => version = text(value)?,
                        2 => kind = text(value)?,
                        _ => {}
                    }
                }
            }
            (2, Raw::Bytes(bytes)) => raw = bytes,
            _ => {}
        }
    }
    if let (true, true, Some((default_version, default_kind))) = (version.is_empty(), kind.is_empty(), default) {
        version = default_version.into();
        kind = default_kind.into();
    }
    let Some(message) = Descriptors::get().kind(&version, &kind) else {
        return Err(DecodeError::UnknownKind(version, kind));
    };
    let mut object = Map::new();
    if !version.is_empty() {
        object.insert("apiVersion".into(), version.into());
    }
    object.insert("kind".into(), kind.into());
    self::message(raw, message, &mut object, depth)?;
    Ok(object.into())
}

/// The fields of a message, into an object.
pub(super) fn message(
    bytes: &[u8],
    message: usize,
    into: &mut Map<String, Value>,
    depth: usize,
) -> Result<(), DecodeError> {
    if depth > MAX_DEPTH {
        return Err(DecodeError::Malformed("exceeded max depth".into()));
    }
    let known = Descriptors::get().fields(message);
    let mut fields = Fields(bytes);
    while let Some((number, raw)) = fields.next()? {
        if let Some(field) = known.iter().find(|it| it.number == number) {
            read(field, raw, into, depth + 1)?;
        }
    }
    Ok(())
}

fn read(field: &Field, raw: Raw<'_>, into: &mut Map<String, Value>, depth: usize) -> Result<(), DecodeError> {
    match (field.shape, field.kind) {
        (Shape::One, Kind::Message(inner)) if field.name.is_empty() => message(bytes(raw)?, inner, into, depth),
        (Shape::One, Kind::Message(inner)) => {
            // A field that comes twice is merged.
            let mut object = match into.remove(field.name) {
                Some(Value::Object(object)) => object,
                _ => Map::new(),
            };
            message(bytes(raw)?, inner, &mut object, depth)?;
            if !(field.omits_empty && object.is_empty()) {
                into.insert(field.name.into(), object.into());
            }
            Ok(())
        }
        (Shape::One, kind) => {
            match value(kind, raw, depth)?.filter(|it| !(field.omits_empty && is_empty(it))) {
                Some(value) => into.insert(field.name.into(), value),
                None => into.remove(field.name),
            };
            Ok(())
        }
        (Shape::List, kind) => {
            let item = value(kind, raw, depth)?.unwrap_or_default();
            if let Value::Array(list) = into.entry(field.name).or_insert_with(|| Value::Array(Vec::new())) {
                list.push(item);
            }
            Ok(())
        }
        (Shape::Map, kind) => {
            let (key, item) = entry(kind, bytes(raw)?, depth)?;
            if let Value::Object(map) = into.entry(field.name).or_insert_with(|| Value::Object(Map::new())) {
                map.insert(key, item);
            }
            Ok(())
        }
    }
}

fn entry(kind: Kind, bytes: &[u8], depth: usize) -> Result<(String, Value), DecodeError> {
    let (mut key, mut item) = (String::new(), None);
    let mut fields = Fields(bytes);
    while let Some((number, raw)) = fields.next()? {
        match number {
            1 => key = text(raw)?,
            2 => item = value(kind, raw, depth)?,
            _ => {}
        }
    }
    let item = match item {
        Some(item) => item,
        None => empty(kind),
    };
    Ok((key, item))
}

/// What a map has where an entry has no value.
fn empty(kind: Kind) -> Value {
    match kind {
        Kind::Text | Kind::Bytes => "".into(),
        Kind::Message(_) => Map::new().into(),
        Kind::Strings => Vec::<Value>::new().into(),
        Kind::Quantity => "0".into(),
        _ => Value::Null,
    }
}

/// One value; `None` if there is nothing to show.
pub(super) fn value(kind: Kind, raw: Raw<'_>, depth: usize) -> Result<Option<Value>, DecodeError> {
    Ok(Some(match kind {
        Kind::Text => text(raw)?.into(),
        Kind::Bytes => BASE64.encode(bytes(raw)?).into(),
        Kind::Bool => (number(raw)? != 0).into(),
        Kind::Int => number(raw)?.cast_signed().into(),
        Kind::Double => match raw {
            Raw::Double(value) => double(value),
            _ => return Err(wrong_type()),
        },
        Kind::Message(inner) => {
            let mut object = Map::new();
            message(bytes(raw)?, inner, &mut object, depth)?;
            object.into()
        }
        kind => return special::read(kind, bytes(raw)?, depth),
    }))
}

/// Go writes whole numbers without a point.
fn double(value: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() <= EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "it is whole and small enough")]
        return (value as i64).into();
    }
    Number::from_f64(value).map_or(Value::Null, Value::Number)
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(it) => !it,
        Value::Number(it) => it.as_f64() == Some(0.0),
        Value::String(it) => it.is_empty(),
        Value::Array(it) => it.is_empty(),
        Value::Object(it) => it.is_empty(),
    }
}

pub(super) fn wrong_type() -> DecodeError {
    DecodeError::Malformed("proto: wrong wireType".into())
}

pub(super) fn bytes(raw: Raw<'_>) -> Result<&[u8], DecodeError> {
    match raw {
        Raw::Bytes(bytes) => Ok(bytes),
        _ => Err(wrong_type()),
    }
}

pub(super) fn number(raw: Raw<'_>) -> Result<u64, DecodeError> {
    match raw {
        Raw::Number(number) => Ok(number),
        _ => Err(wrong_type()),
    }
}

pub(super) fn text(raw: Raw<'_>) -> Result<String, DecodeError> {
    let bytes = bytes(raw)?.to_vec();
    String::from_utf8(bytes).map_err(|_| DecodeError::Malformed("proto: a string is not UTF-8".into()))
}
