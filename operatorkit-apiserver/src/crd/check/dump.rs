//! Values of the real server's internal types, as its messages print them: Go's JSON of structs without JSON names.

use std::fmt::Write as _;

use serde_json::Value;

use super::form;
use crate::crd::structure::array;

/// How a field of `JSONSchemaProps` is printed.
enum Kind {
    Text,
    Flag,
    Pointer,
    Schema,
    Schemas,
    SchemaMap,
    Items,
    SchemaOrBool,
    Rules,
    Docs,
}

use Kind::{Docs, Flag, Items, Pointer, Rules, Schema, SchemaMap, SchemaOrBool, Schemas, Text};

/// The fields of `JSONSchemaProps`, in the order of the Go struct.
const FIELDS: [(&str, &str, Kind); 43] = [
    ("ID", "id", Text),
    ("Schema", "$schema", Text),
    ("Ref", "$ref", Pointer),
    ("Description", "description", Text),
    ("Type", "type", Text),
    ("Nullable", "nullable", Flag),
    ("Format", "format", Text),
    ("Title", "title", Text),
    ("Default", "default", Pointer),
    ("Maximum", "maximum", Pointer),
    ("ExclusiveMaximum", "exclusiveMaximum", Flag),
    ("Minimum", "minimum", Pointer),
    ("ExclusiveMinimum", "exclusiveMinimum", Flag),
    ("MaxLength", "maxLength", Pointer),
    ("MinLength", "minLength", Pointer),
    ("Pattern", "pattern", Text),
    ("MaxItems", "maxItems", Pointer),
    ("MinItems", "minItems", Pointer),
    ("UniqueItems", "uniqueItems", Flag),
    ("MultipleOf", "multipleOf", Pointer),
    ("Enum", "enum", Pointer),
    ("MaxProperties", "maxProperties", Pointer),
    ("MinProperties", "minProperties", Pointer),
    ("Required", "required", Pointer),
    ("Items", "items", Items),
    ("AllOf", "allOf", Schemas),
    ("OneOf", "oneOf", Schemas),
    ("AnyOf", "anyOf", Schemas),
    ("Not", "not", Schema),
    ("Properties", "properties", SchemaMap),
    ("AdditionalProperties", "additionalProperties", SchemaOrBool),
    ("PatternProperties", "patternProperties", SchemaMap),
    ("Dependencies", "dependencies", Pointer),
    ("AdditionalItems", "additionalItems", SchemaOrBool),
    ("Definitions", "definitions", SchemaMap),
    ("ExternalDocs", "externalDocs", Docs),
    ("Example", "example", Pointer),
    (
        "XPreserveUnknownFields",
        "x-kubernetes-preserve-unknown-fields",
        Pointer,
    ),
    ("XEmbeddedResource", "x-kubernetes-embedded-resource", Flag),
    ("XIntOrString", "x-kubernetes-int-or-string", Flag),
    ("XListMapKeys", "x-kubernetes-list-map-keys", Pointer),
    ("XListType", "x-kubernetes-list-type", Pointer),
    ("XMapType", "x-kubernetes-map-type", Pointer),
];

/// The Go name and the JSON name of each field of a schema, in the order of the Go struct.
pub(super) fn fields() -> impl Iterator<Item = (&'static str, &'static str)> {
    let fields = FIELDS.iter().map(|(go, json, _)| (*go, *json));
    fields.chain([("XValidations", "x-kubernetes-validations")])
}

/// A schema.
pub(super) fn schema(schema: &Value) -> String {
    let mut parts: Vec<String> = FIELDS
        .iter()
        .map(|(go, json, kind)| format!("\"{go}\":{}", field(&schema[*json], kind)))
        .collect();
    parts.push(format!(
        "\"XValidations\":{}",
        field(&schema["x-kubernetes-validations"], &Rules)
    ));
    format!("{{{}}}", parts.join(","))
}

fn field(value: &Value, kind: &Kind) -> String {
    let list = |items: Vec<String>| format!("[{}]", items.join(","));
    match (kind, value) {
        (Text, Value::Null) => "\"\"".into(),
        (Flag, Value::Null) => "false".into(),
        (_, Value::Null) => "null".into(),
        (Text | Flag | Pointer, value) => json(value),
        (Schema, value) => schema(value),
        (Schemas, value) => list(array(value).iter().map(schema).collect()),
        (SchemaMap, value) => {
            let fields = crate::crd::structure::object(value);
            let fields: Vec<_> = fields
                .map(|(name, it)| format!("{}:{}", json(&Value::from(name.as_str())), schema(it)))
                .collect();
            format!("{{{}}}", fields.join(","))
        }
        (Items, Value::Array(items)) => {
            format!(
                "{{\"Schema\":null,\"JSONSchemas\":{}}}",
                list(items.iter().map(schema).collect())
            )
        }
        (Items, value) => format!("{{\"Schema\":{},\"JSONSchemas\":null}}", schema(value)),
        (SchemaOrBool, Value::Bool(allows)) => format!("{{\"Allows\":{allows},\"Schema\":null}}"),
        (SchemaOrBool, value) => format!("{{\"Allows\":true,\"Schema\":{}}}", schema(value)),
        (Rules, value) => list(array(value).iter().map(rule).collect()),
        (Docs, value) => format!(
            "{{\"Description\":{},\"URL\":{}}}",
            field(&value["description"], &Text),
            field(&value["url"], &Text)
        ),
    }
}

/// JSON as Go's encoder writes it: fit to stand in HTML.
fn json(value: &Value) -> String {
    let mut out = String::new();
    for letter in value.to_string().chars() {
        match letter {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(letter));
            }
            it => out.push(it),
        }
    }
    out
}

/// A rule of `x-kubernetes-validations`.
pub(super) fn rule(rule: &Value) -> String {
    format!(
        "{{\"Rule\":{},\"Message\":{},\"MessageExpression\":{},\"Reason\":{},\"FieldPath\":{},\"OptionalOldSelf\":{}}}",
        field(&rule["rule"], &Text),
        field(&rule["message"], &Text),
        field(&rule["messageExpression"], &Text),
        field(&rule["reason"], &Pointer),
        field(&rule["fieldPath"], &Text),
        field(&rule["optionalOldSelf"], &Pointer),
    )
}

/// The versions of a CRD. What they share is not shown.
pub(super) fn versions(spec: &Value) -> String {
    if spec["versions"].is_null() {
        return "null".into();
    }
    let versions = array(&spec["versions"]).iter().map(|it| version(spec, it));
    format!("[{}]", versions.collect::<Vec<_>>().join(","))
}

fn version(spec: &Value, version: &Value) -> String {
    let own = |name: &str, print: &dyn Fn(&Value) -> String| match form::part(version, name) {
        Some(part) if !form::is_shared(spec, name) => print(part),
        _ => "null".into(),
    };
    let columns = |columns: &Value| {
        let columns = array(columns).iter().map(column);
        format!("[{}]", columns.collect::<Vec<_>>().join(","))
    };
    let selectable = |fields: &Value| {
        let fields = array(fields)
            .iter()
            .map(|it| format!("{{\"JSONPath\":{}}}", field(&it["jsonPath"], &Text)));
        format!("[{}]", fields.collect::<Vec<_>>().join(","))
    };
    let validation = |it: &Value| match it.get("openAPIV3Schema") {
        Some(it) => format!("{{\"OpenAPIV3Schema\":{}}}", schema(it)),
        None => "{\"OpenAPIV3Schema\":null}".into(),
    };
    format!(
        "{{\"Name\":{},\"Served\":{},\"Storage\":{},\"Deprecated\":{},\"DeprecationWarning\":{},\"Schema\":{},\
         \"Subresources\":{},\"AdditionalPrinterColumns\":{},\"SelectableFields\":{}}}",
        field(&version["name"], &Text),
        field(&version["served"], &Flag),
        field(&version["storage"], &Flag),
        field(&version["deprecated"], &Flag),
        field(&version["deprecationWarning"], &Pointer),
        own("schema", &validation),
        own("subresources", &subresources),
        own("additionalPrinterColumns", &columns),
        own("selectableFields", &selectable),
    )
}

fn column(column: &Value) -> String {
    format!(
        "{{\"Name\":{},\"Type\":{},\"Format\":{},\"Description\":{},\"Priority\":{},\"JSONPath\":{}}}",
        field(&column["name"], &Text),
        field(&column["type"], &Text),
        field(&column["format"], &Text),
        field(&column["description"], &Text),
        column["priority"].as_i64().unwrap_or(0),
        field(&column["jsonPath"], &Text),
    )
}

fn subresources(subresources: &Value) -> String {
    let status = if subresources["status"].is_null() { "null" } else { "{}" };
    let scale = match &subresources["scale"] {
        Value::Null => "null".into(),
        scale => format!(
            "{{\"SpecReplicasPath\":{},\"StatusReplicasPath\":{},\"LabelSelectorPath\":{}}}",
            field(&scale["specReplicasPath"], &Text),
            field(&scale["statusReplicasPath"], &Text),
            field(&scale["labelSelectorPath"], &Pointer),
        ),
    };
    format!("{{\"Status\":{status},\"Scale\":{scale}}}")
}
