//! Enums of all representations.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde_json::{Value, json};

use super::schema;

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
enum Unit {
    /// The first.
    One,
    Two,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
enum Other {
    Three,
}

#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only the schema is looked at")]
enum Units {
    Unit(Unit),
    Other(Other),
}

#[test]
fn words_of_several_enums_are_words_to_choose_from() {
    let words = |words: Value| json!({ "type": "string", "enum": words });
    assert_eq!(schema::<Unit>(), words(json!(["Two", "One"])));
    assert_eq!(schema::<Units>(), words(json!(["Two", "One", "Three"])));
    let mut optional = words(json!(["Two", "One"]));
    optional["nullable"] = true.into();
    assert_eq!(schema::<Option<Unit>>(), optional);
}

#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only the schema is looked at")]
enum Number {
    Text(String),
    Number(i64),
}

#[test]
fn a_string_or_an_integer_is_what_kubernetes_calls_so() {
    let schema = schema::<Number>();
    assert_eq!(schema["x-kubernetes-int-or-string"], true, "{schema:#}");
    assert!(schema.get("type").is_none(), "{schema:#}");
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Pair {
    name: String,
    n: i32,
}

#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only the schema is looked at")]
enum Short {
    Name(String),
    Pair(Pair),
}

#[test]
fn a_string_or_a_struct_has_no_type_and_says_which_types_it_does_not_take() {
    assert_eq!(
        schema::<Short>(),
        json!({
            "x-kubernetes-preserve-unknown-fields": true,
            "properties": { "name": { "type": "string" }, "n": { "type": "integer", "format": "int32" } },
            "allOf": [
                { "not": { "enum": [true, false] } },
                { "minimum": 1, "maximum": 0 },
                { "minItems": 1, "maxItems": 0 },
            ],
            "anyOf": [
                { "allOf": [{ "minProperties": 1, "maxProperties": 0 }] },
                { "required": ["name", "n"], "allOf": [{ "minLength": 1, "maxLength": 0 }] },
            ],
        })
    );
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
enum Mixed {
    Off,
    /// How many.
    Some {
        count: u8,
    },
    All(Unit),
}

#[test]
fn variants_with_and_without_data_may_stand_in_one_enum() {
    let schema = schema::<Mixed>();
    assert_eq!(
        schema["properties"],
        json!({
            "Some": {
                "type": "object", "required": ["count"], "description": "How many.",
                "properties": { "count": { "type": "integer", "format": "int32", "minimum": 0, "maximum": 255 } },
            },
            "All": { "type": "string", "enum": ["Two", "One"] },
        })
    );
    let forms = schema["oneOf"].as_array().unwrap();
    assert_eq!(forms[0], json!({ "enum": ["Off"] }));
    assert_eq!(forms[1]["required"], json!(["Some"]));
    // Where the place has several types the API server drops no field, and serde takes none beside the variant.
    assert_eq!(forms[1]["allOf"][0], json!({ "maxProperties": 1 }));
    assert_eq!(schema["x-kubernetes-preserve-unknown-fields"], true);
}

#[derive(JsonSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
#[expect(dead_code, reason = "only the schema is looked at")]
enum Tagged {
    Disk { size: u32 },
    Memory { size: String },
    None,
}

#[test]
fn a_tag_tells_which_fields_are_needed_and_what_they_are() {
    let schema = schema::<Tagged>();
    assert_eq!(
        schema["properties"],
        json!({
            "type": { "type": "string", "enum": ["disk", "memory", "none"] },
            "size": { "x-kubernetes-int-or-string": true },
        })
    );
    let forms = schema["oneOf"].as_array().unwrap();
    assert_eq!(
        forms[0]["properties"],
        json!({
            "type": { "enum": ["disk"] },
            "size": { "format": "int64", "minimum": 0, "maximum": 4_294_967_295_u32, "allOf": [{ "minLength": 1, "maxLength": 0 }] },
        })
    );
    assert_eq!(forms[0]["required"], json!(["type", "size"]));
    assert_eq!(
        forms[2],
        json!({ "properties": { "type": { "enum": ["none"] } }, "required": ["type"] })
    );
    assert_eq!(schema["type"], "object");
}

#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only the schema is looked at")]
enum Loose {
    Pair(Pair),
    Anything(BTreeMap<String, Value>),
}

#[test]
fn a_form_that_takes_anything_is_not_narrowed_by_the_others() {
    let schema = schema::<Loose>();
    assert_eq!(schema["type"], "object");
    assert_eq!(schema["x-kubernetes-preserve-unknown-fields"], true);
    assert!(schema["properties"]["n"].get("type").is_none(), "{schema:#}");
    assert!(schema.get("anyOf").is_none(), "{schema:#}");
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Flattened {
    own: String,
    #[serde(flatten)]
    source: Source,
    #[serde(flatten)]
    maybe: Option<Tagged>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only the schema is looked at")]
enum Source {
    Url(String),
    File(String),
}

#[test]
fn flattened_enums_are_fields_of_the_struct() {
    let schema = schema::<Flattened>();
    assert_eq!(schema["type"], "object");
    let fields: Vec<_> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(fields, ["file", "own", "size", "type", "url"]);
    assert_eq!(schema["properties"]["type"]["enum"], json!(["disk", "memory", "none"]));
    assert_eq!(schema["properties"]["size"]["x-kubernetes-int-or-string"], true);
    assert_eq!(schema["required"], json!(["own"]));
    // Of the optional one nothing is required.
    assert_eq!(
        schema["oneOf"],
        json!([{ "required": ["url"] }, { "required": ["file"] }]),
        "{schema:#}"
    );
    assert!(
        schema.get("anyOf").is_none() && schema.get("allOf").is_none(),
        "{schema:#}"
    );
}
