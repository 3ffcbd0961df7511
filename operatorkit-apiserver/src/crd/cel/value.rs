//! Values of objects as rules see them (`k8s.io/apiserver/pkg/cel/common`).

use std::collections::HashMap;

use base64::Engine as _;
use cel::common::{
    types::{
        CelBool, CelBytes, CelDouble, CelDuration, CelInt, CelList, CelMap, CelMapKey, CelNull, CelString, CelTimestamp,
    },
    value::Val,
};
use serde_json::Value;

use super::{
    escape::{escape, is_reserved},
    keyed::Keyed,
};
use crate::{
    crd::validation::formats::parse_duration,
    schema::{ListType, Schema, Type},
};

type Boxed = Box<dyn Val>;

/// A value as rules see it: fields by the names that expressions write, times and durations as such. `root`: whether it
/// is a resource.
pub(super) fn of(schema: Schema<'_>, value: &Value, root: bool) -> Boxed {
    match value {
        Value::Null => Box::new(CelNull),
        Value::Bool(it) => Box::new(CelBool::from(*it)),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(it), _) if schema.type_ != Type::Number => Box::new(CelInt::from(it)),
            (_, Some(it)) => Box::new(CelDouble::from(it)),
            (_, None) => Box::new(CelNull),
        },
        Value::String(text) => string(schema, text),
        Value::Array(items) => list(schema, items),
        Value::Object(fields) => {
            let mut entries = HashMap::with_capacity(fields.len());
            for (name, value) in fields {
                if let Some((escaped, value)) = field(schema, name, value, root) {
                    if escaped != *name && is_reserved(name) {
                        entries.insert(CelMapKey::from(name.clone()), value.clone());
                    }
                    let name = escaped;
                    entries.insert(CelMapKey::from(name), value);
                }
            }
            Box::new(CelMap::from(entries))
        }
    }
}

fn field(schema: Schema<'_>, name: &str, value: &Value, root: bool) -> Option<(String, Boxed)> {
    if root && matches!(name, "apiVersion" | "kind" | "metadata") {
        return Some((name.to_owned(), plain(value)));
    }
    if let Some(property) = schema.property(name) {
        // A field that is `null` is one that is not there.
        let there = !value.is_null();
        return there.then(|| Some((escape(name)?, of(property, value, property.embedded_resource))))?;
    }
    match schema.additional().filter(|_| schema.properties.is_empty()) {
        Some(values) => Some((name.to_owned(), of(values, value, values.embedded_resource))),
        // No expression can name it, but objects that differ in it are not equal.
        None => Some((format!("@{name}"), plain(value))),
    }
}

/// A value without a schema.
fn plain(value: &Value) -> Boxed {
    match value {
        Value::Null => Box::new(CelNull),
        Value::Bool(it) => Box::new(CelBool::from(*it)),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(it), _) => Box::new(CelInt::from(it)),
            (None, it) => Box::new(CelDouble::from(it.unwrap_or_default())),
        },
        Value::String(text) => Box::new(CelString::from(text.clone())),
        Value::Array(items) => Box::new(CelList::from(items.iter().map(plain).collect::<Vec<_>>())),
        Value::Object(fields) => {
            let entries = fields
                .iter()
                .map(|(name, it)| (CelMapKey::from(name.clone()), plain(it)));
            Box::new(CelMap::from(entries.collect::<HashMap<_, _>>()))
        }
    }
}

fn string(schema: Schema<'_>, text: &str) -> Boxed {
    let read: Option<Boxed> = match schema.format.as_deref().filter(|_| schema.type_ == Type::String) {
        Some("duration") => {
            parse_duration(text).map(|it| Box::new(CelDuration::from(chrono::Duration::nanoseconds(it))) as Boxed)
        }
        Some("date") => time(&format!("{text}T00:00:00Z")),
        Some("date-time") => time(text),
        Some("byte") => {
            let bytes = base64::engine::general_purpose::STANDARD.decode(text).ok();
            bytes.map(|it| Box::new(CelBytes::from(it)) as Boxed)
        }
        _ => None,
    };
    read.unwrap_or_else(|| Box::new(CelString::from(text.to_owned())))
}

fn time(text: &str) -> Option<Boxed> {
    let time = chrono::DateTime::parse_from_rfc3339(text).ok()?;
    Some(Box::new(CelTimestamp::from(time)))
}

fn list(schema: Schema<'_>, items: &[Value]) -> Boxed {
    let Some(item_schema) = schema.items() else {
        return plain(&Value::Array(items.to_vec()));
    };
    let items = items
        .iter()
        .map(|it| of(item_schema, it, item_schema.embedded_resource));
    let list = CelList::from(items.collect::<Vec<_>>());
    match &schema.node().list {
        ListType::Atomic => Box::new(list),
        ListType::Set => Box::new(Keyed::new(list, Vec::new())),
        ListType::Map(keys) => {
            let keys = keys.iter().filter_map(|it| escape(it)).collect();
            Box::new(Keyed::new(list, keys))
        }
    }
}
