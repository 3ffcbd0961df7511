//! What a Go struct always shows: an empty object of a built-in kind is not `{}`.

use serde_json::{Map, Value};

use crate::schema::{Schema, Type};

/// Adds what the real server's Go types print even if nobody set it: structs (`default: {}` in the published schema), and required
/// fields (`null` for lists, maps and pointers, and the zero of a scalar).
pub(super) fn fill(schema: Schema<'_>, value: &mut Value) {
    match value {
        Value::Object(fields) => {
            add(schema, fields);
            for (name, value) in fields {
                if let Some(schema) = schema.field(name) {
                    fill(schema, value);
                }
            }
        }
        Value::Array(items) => {
            if let Some(schema) = schema.items() {
                items.iter_mut().for_each(|it| fill(schema, it));
            }
        }
        _ => {}
    }
}

fn add(schema: Schema<'_>, fields: &mut Map<String, Value>) {
    for (name, id) in &schema.node().properties {
        if fields.contains_key(name.as_ref()) {
            continue;
        }
        let property = schema.at(*id);
        let zero = match &property.default {
            Some(Value::Object(default)) if default.is_empty() => Value::Object(Map::new()),
            _ if !schema.required.contains(name) => continue,
            Some(default) if is_zero(default) => default.clone(),
            None if matches!(property.type_, Type::Array | Type::Object) => Value::Null,
            _ => continue,
        };
        fields.insert(name.to_string(), zero);
    }
}

fn is_zero(value: &Value) -> bool {
    value.as_str() == Some("") || value.as_f64() == Some(0.0) || value.as_bool() == Some(false)
}
