//! What a CRD's schema does not say itself: its name, the fields of every object, and its list.

use serde_json::{Map, Value, json};

use super::{Resource, reference};
use crate::schema::GroupVersionKind;

const CONVENTIONS: &str = "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md";

/// `io.example.v1.Kind`, of `example.io`.
pub(super) fn name(kind: &GroupVersionKind) -> String {
    let group: Vec<_> = kind.group.split('.').rev().collect();
    format!("{}.{}.{}", group.join("."), kind.version, kind.kind)
}

/// The schema of an object, with what every object has.
pub(super) fn object(mut schema: Map<String, Value>, kind: &GroupVersionKind, metadata: &Value) -> Value {
    let properties = schema.entry("properties").or_insert_with(|| json!({}));
    properties["apiVersion"] = api_version();
    properties["kind"] = kind_field();
    properties["metadata"] = object_meta(metadata);
    schema.insert("type".into(), "object".into());
    schema.insert("x-kubernetes-group-version-kind".into(), json!([kind]));
    schema.into()
}

/// The schema of a list of objects.
pub(super) fn list(resource: &Resource<'_>, object: &str, metadata: &Value) -> Value {
    let kind = &resource.kind;
    let list = GroupVersionKind::new(&kind.group, &kind.version, resource.list_kind);
    let about = format!("Standard list metadata. More info: {CONVENTIONS}#types-kinds");
    json!({
        "description": format!("{} is a list of {}", resource.list_kind, kind.kind),
        "type": "object",
        "required": ["items"],
        "properties": {
            "apiVersion": api_version(),
            "kind": kind_field(),
            "metadata": { "description": about, "allOf": [metadata] },
            "items": {
                "description": format!("List of {}. More info: {CONVENTIONS}", resource.plural),
                "type": "array",
                "items": reference(object),
            },
        },
        "x-kubernetes-group-version-kind": [list],
    })
}

/// Adds the fields of an object to the schema of one in another.
pub(super) fn embed(schema: &mut Map<String, Value>, metadata: &Value) {
    let properties = schema.entry("properties").or_insert_with(|| json!({}));
    properties["apiVersion"] = text(&format!(
        "apiVersion defines the versioned schema of this representation of an object. More info: {CONVENTIONS}#resources"
    ));
    properties["kind"] = text(&format!(
        "kind is a string value representing the type of this object. In CamelCase. More info: {CONVENTIONS}#types-kinds"
    ));
    properties["metadata"] = object_meta(metadata);
    if let Value::Array(required) = schema.entry("required").or_insert_with(|| json!([])) {
        for name in ["kind", "apiVersion"] {
            if !required.iter().any(|it| it == name) {
                required.push(name.into());
            }
        }
    }
}

fn api_version() -> Value {
    text(&format!(
        "APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized \
         schemas to the latest internal value, and may reject unrecognized values. More info: {CONVENTIONS}#resources"
    ))
}

fn kind_field() -> Value {
    text(&format!(
        "Kind is a string value representing the REST resource this object represents. Servers may infer this from the \
         endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: {CONVENTIONS}#types-kinds"
    ))
}

fn object_meta(reference: &Value) -> Value {
    let about = format!("Standard object's metadata. More info: {CONVENTIONS}#metadata");
    json!({ "description": about, "allOf": [reference] })
}

fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}
