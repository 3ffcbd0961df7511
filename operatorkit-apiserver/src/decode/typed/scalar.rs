//! Scalars: what a Go type takes of a JSON value.

use ::base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::Value;

use super::{
    Reader,
    context::{Fatal, GoType, Where, is_quantity, short},
};
use crate::{
    decode::{
        base64,
        json::{Json, float, whole_or_float},
        quantity,
        time::{self, Precision},
    },
    schema::{Schema, Type},
};

impl Reader<'_> {
    pub(super) fn scalar(
        &mut self,
        json: &Json<'_>,
        schema: Schema<'_>,
        type_: GoType<'_>,
        at: &Where<'_>,
    ) -> Result<Value, Fatal> {
        let name = schema.name.as_deref().map_or("", short);
        if is_quantity(schema) {
            return quantity(json);
        }
        let format = schema.format.as_deref().unwrap_or_default();
        match (schema.type_, format, json) {
            (Type::IntOrString, ..) => int_or_string(json, at),
            (Type::String, "date-time", _) => time(json, name, at),
            (Type::String, "byte", _) => Ok(self.bytes(json, type_, at)),
            (Type::String, _, Json::String(text)) => Ok(text.text.as_ref().into()),
            (Type::String, _, Json::Null) => Ok("".into()),
            (Type::Boolean, _, Json::Bool(value)) => Ok((*value).into()),
            (Type::Boolean, _, Json::Null) => Ok(false.into()),
            (Type::Integer, _, Json::Number(literal)) => Ok(whole(literal, format).unwrap_or_else(|| {
                self.mismatch(&format!("number {literal}"), type_, at);
                Value::Null
            })),
            (Type::Number, _, Json::Number(literal)) => Ok(float(literal).map_or_else(
                || {
                    self.mismatch(&format!("number {literal}"), type_, at);
                    Value::Null
                },
                // Go writes a float without a fraction as a whole number.
                |value| whole_or_float(value).into(),
            )),
            (Type::Integer | Type::Number, _, Json::Null) => Ok(0.into()),
            (_, _, other) => {
                self.mismatch(other.kind(), type_, at);
                Ok(Value::Null)
            }
        }
    }

    /// Base64, or a list of numbers.
    fn bytes(&mut self, json: &Json<'_>, type_: GoType<'_>, at: &Where<'_>) -> Value {
        match json {
            Json::Null => "".into(),
            Json::String(text) => match base64::decode(text.text.as_bytes()) {
                Ok(bytes) => BASE64_STANDARD.encode(bytes).into(),
                Err(error) => {
                    self.saved.get_or_insert(error);
                    Value::Null
                }
            },
            Json::Array(items) => {
                let mut bytes = Vec::with_capacity(items.len());
                for item in items {
                    match item {
                        Json::Number(literal) => match literal.parse::<u8>() {
                            Ok(byte) => bytes.push(byte),
                            Err(_) => self.mismatch(&format!("number {literal}"), GoType::Named("uint8"), at),
                        },
                        Json::Null => bytes.push(0),
                        other => self.mismatch(other.kind(), GoType::Named("uint8"), at),
                    }
                }
                BASE64_STANDARD.encode(bytes).into()
            }
            other => {
                self.mismatch(other.kind(), type_, at);
                Value::Null
            }
        }
    }
}

fn quantity(json: &Json<'_>) -> Result<Value, Fatal> {
    let mut written = Vec::new();
    let text = match json {
        Json::Null => return Ok("0".into()),
        // The literal counts: an escape in it is refused.
        Json::String(text) => &text.literal,
        other => {
            other.write(&mut written);
            &*written
        }
    };
    let text = String::from_utf8_lossy(text);
    let canonical = quantity::canonical(text.trim()).map_err(|error| Fatal(error.to_owned()))?;
    Ok(canonical.as_ref().into())
}

fn whole(literal: &str, format: &str) -> Option<Value> {
    if format == "int32" {
        return literal.parse::<i32>().ok().map(Value::from);
    }
    literal.parse::<i64>().ok().map(Value::from)
}

fn int_or_string(json: &Json<'_>, at: &Where<'_>) -> Result<Value, Fatal> {
    let what = match json {
        Json::String(text) => return Ok(text.text.as_ref().into()),
        Json::Null => return Ok(0.into()),
        Json::Number(literal) => match literal.parse::<i32>() {
            Ok(value) => return Ok(value.into()),
            Err(_) => format!("number {literal}"),
        },
        other => other.kind().to_owned(),
    };
    Err(Fatal(at.mismatch(&what, "int32")))
}

fn time(json: &Json<'_>, name: &str, at: &Where<'_>) -> Result<Value, Fatal> {
    let precision = if name == "MicroTime" {
        Precision::Micros
    } else {
        Precision::Seconds
    };
    match json {
        Json::Null => Ok(Value::Null),
        Json::String(text) => time::canonical(&text.text, precision).map(Value::from).map_err(Fatal),
        other => Err(Fatal(at.mismatch(other.kind(), "string"))),
    }
}
