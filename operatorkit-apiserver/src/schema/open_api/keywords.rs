//! The keywords of one schema, beside those with schemas in them.

use serde_json::{Map, Value, json};

use crate::schema::{ListType, MapType, PatchStrategy, Schema, Type};

const QUANTITY: &str = "io.k8s.apimachinery.pkg.api.resource.Quantity";

/// `type`, or what stands for it.
pub(super) fn type_of(schema: Schema<'_>, custom: bool, out: &mut Map<String, Value>) {
    let name = match schema.type_ {
        Type::Object => "object",
        Type::Array => "array",
        Type::String => "string",
        Type::Integer => "integer",
        Type::Number => "number",
        Type::Boolean => "boolean",
        Type::IntOrString if custom => {
            out.insert("x-kubernetes-int-or-string".into(), true.into());
            return;
        }
        Type::IntOrString => {
            out.insert("format".into(), "int-or-string".into());
            out.insert("oneOf".into(), json!([{ "type": "integer" }, { "type": "string" }]));
            return;
        }
        Type::Any => match schema.name.as_deref() {
            Some(QUANTITY) => {
                out.insert("oneOf".into(), json!([{ "type": "string" }, { "type": "number" }]));
                return;
            }
            // Go types that say no more of what they are.
            Some(name)
                if ["RawExtension", "FieldsV1", "Patch"]
                    .iter()
                    .any(|it| name.ends_with(it)) =>
            {
                "object"
            }
            _ => return,
        },
    };
    out.insert("type".into(), name.into());
}

/// What is the same in every schema.
pub(super) fn details(schema: Schema<'_>, out: &mut Map<String, Value>) {
    for (key, text) in [("format", &schema.format), ("description", &schema.description)] {
        if let Some(text) = text {
            out.insert(key.into(), (**text).into());
        }
    }
    if !schema.required.is_empty() {
        out.insert("required".into(), json!(schema.required));
    }
    if schema.nullable {
        out.insert("nullable".into(), true.into());
    }
    if let Some(default) = &schema.default {
        out.insert("default".into(), default.clone());
    }
}

/// What Kubernetes adds: how values merge, and what is kept.
pub(super) fn extensions(schema: Schema<'_>, custom: bool, out: &mut Map<String, Value>) {
    let (type_, keys) = match &schema.list {
        ListType::Atomic => ("", None),
        ListType::Set => ("set", None),
        ListType::Map(keys) => ("map", Some(keys)),
    };
    if !type_.is_empty() {
        out.insert("x-kubernetes-list-type".into(), type_.into());
    }
    if let Some(keys) = keys {
        out.insert("x-kubernetes-list-map-keys".into(), json!(keys));
    }
    if schema.map == MapType::Atomic {
        out.insert("x-kubernetes-map-type".into(), "atomic".into());
    }
    patch(&schema.patch, out);
    if custom && schema.preserve_unknown {
        out.insert("x-kubernetes-preserve-unknown-fields".into(), true.into());
    }
    if schema.embedded_resource {
        out.insert("x-kubernetes-embedded-resource".into(), true.into());
    }
}

/// How a strategic merge patch treats the value.
pub(super) fn patch(strategy: &PatchStrategy, out: &mut Map<String, Value>) {
    let all = [
        (strategy.merge, "merge"),
        (strategy.retain_keys, "retainKeys"),
        (strategy.replace, "replace"),
    ];
    let names: Vec<_> = all.iter().filter(|(set, _)| *set).map(|(_, name)| *name).collect();
    if !names.is_empty() {
        out.insert("x-kubernetes-patch-strategy".into(), names.join(",").into());
    }
    if let Some(key) = &strategy.merge_key {
        out.insert("x-kubernetes-patch-merge-key".into(), (**key).into());
    }
}
