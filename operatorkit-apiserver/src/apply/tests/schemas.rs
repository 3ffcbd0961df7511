//! Schemas for the tests: a part of the real server's published schemas, and the CRD of the cases.

use std::collections::HashMap;

use serde_json::Value;

use crate::schema::{ListType, MapType, Node, NodeId, Schema, Type, Types};

/// The built-in kinds of the cases.
pub(super) fn built_in() -> Types {
    let document: HashMap<String, Value> = serde_json::from_str(include_str!("openapi.json")).unwrap();
    let mut types = Types::new();
    let mut names: Vec<_> = document.keys().cloned().collect();
    names.sort();
    for name in &names {
        let id = types.add(Node::default());
        types.name(name.as_str(), id);
    }
    let mut later = Vec::new();
    for name in &names {
        let mut node = read(&document[name], &mut types, &mut later);
        node.name = Some(name.as_str().into());
        let id = types.id(name).unwrap();
        *types.node_mut(id) = node;
    }
    // What a property says beside its reference comes on top of what is referred to.
    for (id, target, default, map) in later {
        let mut node = types.schema(types.id(&target).unwrap()).node().clone();
        node.default = default.or(node.default);
        node.map = if map == MapType::Atomic { map } else { node.map };
        *types.node_mut(id) = node;
    }
    types
}

/// The CRD of the cases.
pub(super) fn thing() -> (Types, NodeId) {
    let mut types = Types::new();
    let node = read(
        &serde_json::from_str(include_str!("crd.json")).unwrap(),
        &mut types,
        &mut Vec::new(),
    );
    let id = types.add(node);
    (types, id)
}

/// The schema of one of the built-in kinds.
pub(super) fn kind<'a>(types: &'a Types, kind: &str) -> Schema<'a> {
    let group = if kind == "Deployment" { "apps" } else { "core" };
    types.named(&format!("io.k8s.api.{group}.v1.{kind}")).unwrap()
}

type Later = Vec<(NodeId, String, Option<Value>, MapType)>;

fn read(schema: &Value, types: &mut Types, later: &mut Later) -> Node {
    let flag = |name: &str| schema[name].as_bool().unwrap_or_default();
    let mut node = Node {
        type_: match schema["type"].as_str() {
            _ if flag("x-kubernetes-int-or-string") => Type::IntOrString,
            Some("object") => Type::Object,
            Some("array") => Type::Array,
            Some("string") => Type::String,
            Some("integer") => Type::Integer,
            Some("number") => Type::Number,
            Some("boolean") => Type::Boolean,
            _ => Type::Any,
        },
        format: schema["format"].as_str().map(Into::into),
        default: schema.get("default").cloned(),
        nullable: flag("nullable"),
        preserve_unknown: flag("x-kubernetes-preserve-unknown-fields"),
        embedded_resource: flag("x-kubernetes-embedded-resource"),
        map: map_type(schema),
        ..Node::default()
    };
    let strings = |name: &str| -> Vec<Box<str>> {
        schema[name]
            .as_array()
            .into_iter()
            .flatten()
            .map(|it| it.as_str().unwrap().into())
            .collect()
    };
    node.required = strings("required");
    node.list = match schema["x-kubernetes-list-type"].as_str() {
        Some("set") => ListType::Set,
        Some("map") => ListType::Map(strings("x-kubernetes-list-map-keys")),
        _ => ListType::Atomic,
    };
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        node.properties
            .insert(name.as_str().into(), place(property, types, later));
    }
    node.additional = schema.get("additionalProperties").map(|it| place(it, types, later));
    node.items = schema.get("items").map(|it| place(it, types, later));
    node
}

fn map_type(schema: &Value) -> MapType {
    match schema["x-kubernetes-map-type"].as_str() {
        Some("atomic") => MapType::Atomic,
        _ => MapType::Granular,
    }
}

fn place(schema: &Value, types: &mut Types, later: &mut Later) -> NodeId {
    let reference = schema["$ref"].as_str().or_else(|| schema["allOf"][0]["$ref"].as_str());
    let Some(reference) = reference else {
        let node = read(schema, types, later);
        return types.add(node);
    };
    let target = reference.rsplit('/').next().unwrap().to_owned();
    let id = types.add(Node::default());
    later.push((id, target, schema.get("default").cloned(), map_type(schema)));
    id
}
