//! An extract of a real server's OpenAPI document as [`Types`].

use std::{collections::BTreeMap, sync::OnceLock};

use serde_json::Value;

use crate::schema::{ListType, Node, NodeId, PatchStrategy, Schema, Type, Types};

/// The extract.
pub(crate) fn types() -> &'static Types {
    static TYPES: OnceLock<Types> = OnceLock::new();
    TYPES.get_or_init(|| {
        let schemas: BTreeMap<String, Value> = serde_json::from_str(include_str!("openapi.json")).unwrap();
        let mut types = Types::new();
        for name in schemas.keys() {
            let id = types.add(Node::default());
            types.name(name.as_str(), id);
        }
        for (name, schema) in &schemas {
            let mut node = node(schema, &mut types, &schemas);
            node.name = Some(name.as_str().into());
            let id = types.id(name).unwrap();
            *types.node_mut(id) = node;
        }
        types
    })
}

/// The schema with the name `io.k8s.api.<name>`.
pub(crate) fn api(name: &str) -> Schema<'static> {
    types()
        .named(&format!("io.k8s.api.{name}"))
        .unwrap_or_else(|| panic!("{name}"))
}

/// The schema of a kind, as the decoder asks for it.
pub(crate) fn registered(api_version: &str, kind: &str) -> Option<Schema<'static>> {
    let (group, version) = api_version.split_once('/').unwrap_or(("core", api_version));
    let package = group.split('.').next()?;
    types().named(&format!("io.k8s.api.{package}.{version}.{kind}"))
}

fn add(schema: &Value, types: &mut Types, all: &BTreeMap<String, Value>) -> NodeId {
    let reference = schema["$ref"].as_str().or_else(|| schema["allOf"][0]["$ref"].as_str());
    let Some(reference) = reference else {
        let node = node(schema, types, all);
        return types.add(node);
    };
    let name = reference.rsplit('/').next().unwrap();
    if schema.get("x-kubernetes-patch-strategy").is_none() {
        return types.id(name).unwrap();
    }
    let mut node = node(&all[name], types, all);
    node.name = Some(name.into());
    node.patch = patch(schema);
    types.add(node)
}

fn node(schema: &Value, types: &mut Types, all: &BTreeMap<String, Value>) -> Node {
    let format = schema["format"].as_str();
    let properties = schema["properties"].as_object().into_iter().flatten();
    Node {
        type_: match schema["type"].as_str() {
            _ if format == Some("int-or-string") => Type::IntOrString,
            Some("object") => Type::Object,
            Some("array") => Type::Array,
            Some("string") => Type::String,
            Some("integer") => Type::Integer,
            Some("number") => Type::Number,
            Some("boolean") => Type::Boolean,
            _ => Type::Any,
        },
        properties: properties
            .map(|(key, value)| (key.as_str().into(), add(value, types, all)))
            .collect(),
        additional: schema.get("additionalProperties").map(|it| add(it, types, all)),
        items: schema.get("items").map(|it| add(it, types, all)),
        format: format.map(Into::into),
        list: ListType::Atomic,
        patch: patch(schema),
        ..Node::default()
    }
}

fn patch(schema: &Value) -> PatchStrategy {
    let strategies = schema["x-kubernetes-patch-strategy"].as_str().unwrap_or_default();
    let has = |strategy| strategies.split(',').any(|it| it == strategy);
    PatchStrategy {
        merge: has("merge"),
        retain_keys: has("retainKeys"),
        replace: has("replace"),
        merge_key: schema["x-kubernetes-patch-merge-key"].as_str().map(Into::into),
    }
}
