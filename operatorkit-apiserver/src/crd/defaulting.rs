//! Defaults, and `null` where a schema knows no `null` (`k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting`).

use serde_json::Value;

use crate::schema::Schema;

/// Fills in the defaults of a schema, where a field is absent or is a `null` that may not be.
pub fn apply_defaults(schema: Schema<'_>, value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, id) in &schema.node().properties {
                let property = schema.at(*id);
                let Some(default) = &property.default else { continue };
                if fields.get(&**name).is_none_or(|it| is_wrong_null(it, property)) {
                    fields.insert(name.to_string(), default.clone());
                }
            }
            for (name, value) in fields.iter_mut() {
                if let Some(property) = schema.property(name) {
                    apply_defaults(property, value);
                } else if let Some(values) = schema.additional() {
                    default_null(values, value);
                    apply_defaults(values, value);
                }
            }
        }
        Value::Array(list) => {
            let Some(items) = schema.items() else { return };
            for item in list {
                default_null(items, item);
                apply_defaults(items, item);
            }
        }
        _ => {}
    }
}

/// Removes fields that are `null`, may not be, and have no default. `null` items of lists stay: the validation
/// refuses them.
pub fn prune_nulls(schema: Schema<'_>, value: &mut Value) {
    match value {
        Value::Object(fields) => fields.retain(|name, value| {
            let Some(field) = schema.field(name) else { return true };
            if is_wrong_null(value, field) && field.default.is_none() && !is_unknown(schema, name) {
                return false;
            }
            prune_nulls(field, value);
            true
        }),
        Value::Array(list) => {
            let Some(items) = schema.items() else { return };
            for item in list {
                prune_nulls(items, item);
            }
        }
        _ => {}
    }
}

/// Whether a field is a value of `additionalProperties: true`, for which the real server has no schema.
fn is_unknown(schema: Schema<'_>, name: &str) -> bool {
    schema.property(name).is_none() && schema.additional().is_some_and(is_boundless)
}

/// `additionalProperties: true`: a node that says nothing. A schema written by hand always says something.
fn is_boundless(schema: Schema<'_>) -> bool {
    let node = schema.node();
    node.type_ == crate::schema::Type::Any && node.rules.is_none() && !node.preserve_unknown
}

fn default_null(schema: Schema<'_>, value: &mut Value) {
    if let Some(default) = schema.default.as_ref().filter(|_| is_wrong_null(value, schema)) {
        *value = default.clone();
    }
}

fn is_wrong_null(value: &Value, schema: Schema<'_>) -> bool {
    value.is_null() && !schema.nullable
}
