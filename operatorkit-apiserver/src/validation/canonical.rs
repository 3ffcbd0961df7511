//! Quantities and times of a whole object, in the form that is stored.

use serde_json::Value;

use super::{quantity::Quantity, time};
use crate::{
    failure::FieldPath,
    schema::{Schema, Type},
};

/// Rewrites the quantities and times of a value, as its schema names them (by the Go types `Quantity`, `Time`, `MicroTime`).
///
/// # Errors
///
/// The place and the reason of the first that is wrong, in the words of the real server's decoder (a 400).
pub fn canonicalize(schema: Schema<'_>, value: &mut Value, path: &FieldPath) -> Result<(), (FieldPath, String)> {
    let name = schema.name.as_deref().unwrap_or_default();
    let own = name.rsplit('.').next().unwrap_or_default();
    match (own, &mut *value) {
        ("Quantity", Value::String(_) | Value::Number(_)) => quantity(value).map_err(|why| (path.clone(), why.into())),
        ("Time" | "MicroTime", Value::String(text)) => {
            let Some(parsed) = time::parse(text) else {
                return Err((path.clone(), wrong_time(text, own == "MicroTime")));
            };
            *text = if own == "Time" {
                time::seconds(parsed)
            } else {
                time::micros(parsed)
            };
            Ok(())
        }
        (_, Value::Object(fields)) if schema.type_ == Type::Object => {
            fields.iter_mut().try_for_each(|(name, value)| {
                let known = schema.property(name).is_some();
                let place = if known { path.child(name) } else { path.key(name) };
                schema.field(name).map_or(Ok(()), |it| canonicalize(it, value, &place))
            })
        }
        (_, Value::Array(items)) => match schema.items() {
            Some(inner) => {
                let mut items = items.iter_mut().enumerate();
                items.try_for_each(|(index, value)| canonicalize(inner, value, &path.index(index)))
            }
            None => Ok(()),
        },
        _ => Ok(()),
    }
}

fn quantity(value: &mut Value) -> Result<(), &'static str> {
    let text = match &*value {
        Value::String(text) => text.trim().to_owned(),
        other => other.to_string(),
    };
    *value = Quantity::parse(&text)?.as_str().into();
    Ok(())
}

fn wrong_time(text: &str, micro: bool) -> String {
    let layout = if micro {
        "2006-01-02T15:04:05.000000Z07:00"
    } else {
        "2006-01-02T15:04:05Z07:00"
    };
    format!("parsing time {text:?} as {layout:?}: cannot parse {text:?} as \"2006\"")
}
