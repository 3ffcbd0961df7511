//! `openAPIV3Schema` of a CRD, as nodes.

use serde_json::{Map, Value};

use crate::schema::{ListType, MapType, Node, NodeId, Rule, Rules, Type, Types};

/// Adds a schema and everything under it.
///
/// Keywords that the real server refuses when the CRD is made (`$ref`, `patternProperties`, …) are not looked at.
pub(super) fn add(types: &mut Types, schema: &Value) -> NodeId {
    let mut node = Node {
        type_: type_of(schema),
        required: strings(&schema["required"]),
        format: text(&schema["format"]),
        nullable: schema["nullable"] == true,
        default: schema.get("default").filter(|it| !it.is_null()).cloned(),
        list: list_type(schema),
        map: match schema["x-kubernetes-map-type"].as_str() {
            Some("atomic") => MapType::Atomic,
            _ => MapType::Granular,
        },
        preserve_unknown: schema["x-kubernetes-preserve-unknown-fields"] == true,
        embedded_resource: schema["x-kubernetes-embedded-resource"] == true,
        description: text(&schema["description"]),
        ..Node::default()
    };
    for (name, property) in object(&schema["properties"]) {
        let id = add(types, property);
        node.properties.insert(name.as_str().into(), id);
    }
    if let Some(items) = schema.get("items").filter(|it| it.is_object()) {
        node.items = Some(add(types, items));
    }
    node.additional = additional(types, schema);
    let rules = rules(types, schema);
    node.rules = (!is_empty(&rules)).then(|| Box::new(rules));
    types.add(node)
}

fn additional(types: &mut Types, schema: &Value) -> Option<NodeId> {
    match schema.get("additionalProperties") {
        Some(values @ Value::Object(_)) => Some(add(types, values)),
        // `true` allows any value, and pruning empties the objects in it: no schema is known for them. `false` is
        // the same for pruning; that no field may be there is one of the rules.
        Some(Value::Bool(_)) => Some(types.add(Node::default())),
        _ => None,
    }
}

fn rules(types: &mut Types, schema: &Value) -> Rules {
    Rules {
        enumeration: schema["enum"].as_array().cloned().unwrap_or_default(),
        minimum: bound(schema, "minimum", "exclusiveMinimum"),
        maximum: bound(schema, "maximum", "exclusiveMaximum"),
        multiple_of: schema["multipleOf"].as_f64(),
        min_length: schema["minLength"].as_u64(),
        max_length: schema["maxLength"].as_u64(),
        pattern: text(&schema["pattern"]),
        min_items: schema["minItems"].as_u64(),
        max_items: schema["maxItems"].as_u64(),
        unique_items: schema["uniqueItems"] == true,
        min_properties: schema["minProperties"].as_u64(),
        max_properties: schema["maxProperties"].as_u64(),
        no_additional: schema["additionalProperties"] == false,
        all_of: add_all(types, &schema["allOf"]),
        any_of: add_all(types, &schema["anyOf"]),
        one_of: add_all(types, &schema["oneOf"]),
        not: schema.get("not").filter(|it| it.is_object()).map(|it| add(types, it)),
        cel: array(&schema["x-kubernetes-validations"]).iter().map(rule).collect(),
    }
}

fn is_empty(rules: &Rules) -> bool {
    let bounds = [
        rules.minimum.is_none(),
        rules.maximum.is_none(),
        rules.multiple_of.is_none(),
    ];
    let sizes = [
        rules.min_length,
        rules.max_length,
        rules.min_items,
        rules.max_items,
        rules.min_properties,
        rules.max_properties,
    ];
    let nested = [&rules.all_of, &rules.any_of, &rules.one_of];
    rules.enumeration.is_empty()
        && rules.pattern.is_none()
        && rules.not.is_none()
        && rules.cel.is_empty()
        && !rules.unique_items
        && !rules.no_additional
        && bounds.iter().all(|it| *it)
        && sizes.iter().all(Option::is_none)
        && nested.iter().all(|it| it.is_empty())
}

fn rule(rule: &Value) -> Rule {
    Rule {
        rule: rule["rule"].as_str().unwrap_or_default().into(),
        message: text(&rule["message"]),
        message_expression: text(&rule["messageExpression"]),
        reason: text(&rule["reason"]),
        field_path: text(&rule["fieldPath"]),
        optional_old_self: rule["optionalOldSelf"] == true,
    }
}

fn bound(schema: &Value, key: &str, exclusive: &str) -> Option<(f64, bool)> {
    schema[key].as_f64().map(|bound| (bound, schema[exclusive] == true))
}

fn add_all(types: &mut Types, schemas: &Value) -> Vec<NodeId> {
    array(schemas).iter().map(|schema| add(types, schema)).collect()
}

fn type_of(schema: &Value) -> Type {
    if schema["x-kubernetes-int-or-string"] == true {
        return Type::IntOrString;
    }
    match schema["type"].as_str() {
        Some("object") => Type::Object,
        Some("array") => Type::Array,
        Some("string") => Type::String,
        Some("integer") => Type::Integer,
        Some("number") => Type::Number,
        Some("boolean") => Type::Boolean,
        _ => Type::Any,
    }
}

fn list_type(schema: &Value) -> ListType {
    match schema["x-kubernetes-list-type"].as_str() {
        Some("set") => ListType::Set,
        Some("map") => ListType::Map(strings(&schema["x-kubernetes-list-map-keys"])),
        _ => ListType::Atomic,
    }
}

fn strings(value: &Value) -> Vec<Box<str>> {
    array(value).iter().filter_map(Value::as_str).map(Into::into).collect()
}

fn text(value: &Value) -> Option<Box<str>> {
    value.as_str().filter(|it| !it.is_empty()).map(Into::into)
}

/// The items of a list; none where there is no list.
pub(super) fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The fields of an object; none where there is no object.
pub(super) fn object(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}
