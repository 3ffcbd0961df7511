//! Whether a value without a type converts into a Go type: what `runtime.DefaultUnstructuredConverter` refuses, in its words.
//! Strategic merge patches go this way, and not through JSON.

use serde_json::Value;

use super::{
    Class, class,
    context::{GoType, Where, is_quantity},
    go_struct,
};
use crate::{
    decode::{base64, json::from_value},
    schema::{Schema, Type},
};

/// Checks that a value converts.
///
/// # Errors
///
/// `cannot convert int64 to string`, `cannot restore map from string`, …
pub(crate) fn check(value: &Value, schema: Schema<'_>) -> Result<(), String> {
    check_as(value, schema, GoType::of(schema))
}

fn check_as(value: &Value, schema: Schema<'_>, type_: GoType<'_>) -> Result<(), String> {
    match (class(schema), value) {
        (Class::Opaque, _) | (_, Value::Null) => Ok(()),
        (Class::Struct, Value::Object(fields)) => {
            let go = schema.name.as_deref().and_then(go_struct);
            for (key, value) in fields {
                let Some(field) = schema.property(key) else { continue };
                let named = go.and_then(|go| go.get(key.as_str())).and_then(|go| go.type_);
                check_as(value, field, named.map_or(GoType::of(field), GoType::Named))?;
            }
            Ok(())
        }
        (Class::Struct, other) => Err(format!("cannot restore struct from: {}", kind(other))),
        (Class::Map, Value::Object(fields)) => match schema.additional() {
            Some(item) => fields
                .values()
                .try_for_each(|value| check_as(value, item, type_.item(item))),
            None => Ok(()),
        },
        (Class::Map, other) => Err(format!("cannot restore map from {}", kind(other))),
        (Class::List, Value::Array(items)) => match schema.items() {
            Some(item) => items
                .iter()
                .try_for_each(|value| check_as(value, item, type_.item(item))),
            None => Ok(()),
        },
        (Class::List, other) => Err(format!("cannot restore slice from {}", kind(other))),
        (Class::Scalar, value) => check_scalar(value, schema, type_),
    }
}

fn check_scalar(value: &Value, schema: Schema<'_>, type_: GoType<'_>) -> Result<(), String> {
    let format = schema.format.as_deref().unwrap_or_default();
    // These read themselves from JSON.
    if is_quantity(schema) || schema.type_ == Type::IntOrString || format == "date-time" {
        let mut reader = super::Reader {
            strict: None,
            saved: None,
        };
        let read = reader.scalar(&from_value(value), schema, type_, &Where::default());
        return read.map(drop).map_err(|error| error.0);
    }
    match (schema.type_, value) {
        (Type::String, Value::String(text)) if format == "byte" => match base64::decode(text.as_bytes()) {
            Ok(_) => Ok(()),
            Err(error) => Err(format!("error decoding from json: {error}")),
        },
        (Type::String, Value::Array(_)) if format == "byte" => Ok(()),
        (Type::String, other) if format == "byte" => Err(format!("cannot restore slice from {}", kind(other))),
        (Type::String, Value::Number(number)) if number.is_i64() => Err(format!("cannot convert int64 to {type_}")),
        (Type::Integer, Value::Number(number)) => match number.as_f64() {
            Some(value) if value.fract() != 0.0 => Err(format!("cannot convert float64 to {type_}")),
            _ => Ok(()),
        },
        (Type::String, Value::String(_)) | (Type::Boolean, Value::Bool(_)) | (Type::Number, Value::Number(_)) => Ok(()),
        _ => Err(format!("unrecognized type: {}", GoType::of(schema))),
    }
}

/// The kind of a Go value, as `reflect.Kind` names it.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "invalid",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_i64() => "int64",
        Value::Number(_) => "float64",
        Value::String(_) => "string",
        Value::Array(_) => "slice",
        Value::Object(_) => "map",
    }
}
