//! What makes a schema structural (`k8s.io/apiextensions-apiserver/pkg/apiserver/schema`).

use serde_json::{Value, json};

use super::{is_zero, text};
use crate::{
    crd::{
        structure::{array, object},
        validation::pattern,
    },
    failure::{FieldError, FieldPath},
};

mod complete;
mod nested;

/// Where in the schema a part of it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Root,
    Item,
    Field,
}

/// A keyword that structural schemas do not have, in words.
pub(super) fn unsupported(schema: &Value) -> Option<String> {
    const KEYWORDS: [(&str, &str); 7] = [
        ("id", "id"),
        ("$schema", "schema"),
        ("$ref", "$ref"),
        ("patternProperties", "patternProperties"),
        ("dependencies", "dependencies"),
        ("additionalItems", "additionalItems"),
        ("definitions", "definitions"),
    ];
    let mut found = None;
    super::root::visit(schema, &mut |it| {
        let keyword = KEYWORDS
            .iter()
            .find(|(key, _)| it.get(*key).is_some_and(|it| !is_zero(it)));
        let why = if let Some((_, name)) = keyword {
            Some(format!("OpenAPIV3Schema '{name}' is not supported"))
        } else if it["items"].is_array() {
            Some("OpenAPIV3Schema 'items' must be a schema, but is an array".to_owned())
        } else if it["x-kubernetes-preserve-unknown-fields"] == false {
            Some("internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined".to_owned())
        } else {
            None
        };
        if found.is_none() {
            found = why;
        }
    });
    found
}

/// Checks that a schema is structural.
pub(super) fn check(schema: &Value, at: &FieldPath) -> Vec<FieldError> {
    let mut errors = Vec::new();
    invariants(schema, Level::Root, at, &mut errors);
    complete::check(schema, Some(schema), at, at, &mut errors);
    errors.sort_by_key(ToString::to_string);
    errors
}

fn invariants(schema: &Value, level: Level, at: &FieldPath, errors: &mut Vec<FieldError>) {
    let type_ = text(&schema["type"]);
    if type_ == Some("array") && !schema["items"].is_object() {
        errors.push(FieldError::required(&at.child("items"), "must be specified"));
    }
    if schema["items"].is_object() {
        invariants(&schema["items"], Level::Item, &at.child("items"), errors);
    }
    for (name, property) in object(&schema["properties"]) {
        invariants(property, Level::Field, &at.child("properties").key(name), errors);
    }
    let additional = schema.get("additionalProperties").filter(|it| !it.is_null());
    if let Some(values) = additional {
        let at = at.child("additionalProperties");
        if level == Level::Root {
            errors.push(FieldError::forbidden(&at, "must not be used at the root"));
        }
        if values.is_object() {
            invariants(values, Level::Field, &at, errors);
        }
    }
    extensions(schema, at, errors);
    nested::value_validation(
        schema,
        is_int_or_string(&schema["anyOf"]),
        has_int_or_string(schema),
        at,
        errors,
    );
    type_rules(schema, level, type_, at, errors);
    if schema["x-kubernetes-embedded-resource"] == true && additional.is_some() {
        let detail = "must not be used if x-kubernetes-embedded-resource is set";
        errors.push(FieldError::forbidden(&at.child("additionalProperties"), detail));
    }
    meta(schema, level, at, errors);
}

fn extensions(schema: &Value, at: &FieldPath, errors: &mut Vec<FieldError>) {
    if schema["x-kubernetes-int-or-string"] != true {
        return;
    }
    for name in ["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"] {
        if schema[name] == true {
            let detail = "must be false if x-kubernetes-int-or-string is true";
            errors.push(FieldError::invalid(&at.child(name), &true.into(), detail));
        }
    }
}

fn type_rules(schema: &Value, level: Level, type_: Option<&str>, at: &FieldPath, errors: &mut Vec<FieldError>) {
    let field = at.child("type");
    let loose = ["x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields"];
    let loose = loose.iter().any(|it| schema[*it] == true);
    if schema["x-kubernetes-embedded-resource"] == true && type_ != Some("object") {
        let detail = "must be object if x-kubernetes-embedded-resource is true";
        errors.push(match type_ {
            None => FieldError::required(&field, detail),
            Some(type_) => FieldError::invalid(&field, &type_.into(), detail),
        });
    } else if type_.is_none() && !loose {
        let detail = match level {
            Level::Root => "must not be empty at the root",
            Level::Item => "must not be empty for specified array items",
            Level::Field => "must not be empty for specified object fields",
        };
        errors.push(FieldError::required(&field, detail));
    }
    if let Some(type_) = type_.filter(|it| level == Level::Root && *it != "object") {
        errors.push(FieldError::invalid(&field, &type_.into(), "must be object at the root"));
    }
}

fn meta(schema: &Value, level: Level, at: &FieldPath, errors: &mut Vec<FieldError>) {
    let embedded = schema["x-kubernetes-embedded-resource"] == true;
    let properties = at.child("properties");
    if level == Level::Root || embedded {
        for (name, expected) in [("kind", "string"), ("apiVersion", "string"), ("metadata", "object")] {
            let Some(property) = schema["properties"].get(name) else {
                continue;
            };
            let type_ = property["type"].as_str().unwrap_or_default();
            if type_ != expected {
                let field = properties.key(name).child("type");
                errors.push(FieldError::invalid(
                    &field,
                    &type_.into(),
                    format!("must be {expected}"),
                ));
            }
        }
    }
    if let Some(metadata) = schema["properties"].get("metadata").filter(|_| level == Level::Root)
        && !says_only_names(metadata)
    {
        let detail = "must not specify anything other than name and generateName, but metadata is implicitly \
                          specified";
        errors.push(FieldError::forbidden(&properties.key("metadata"), detail));
    }
    let preserve = schema["x-kubernetes-preserve-unknown-fields"] == true;
    if embedded && !preserve && is_zero(&schema["properties"]) {
        let detail = "must not be empty if x-kubernetes-embedded-resource is true without \
                      x-kubernetes-preserve-unknown-fields";
        errors.push(FieldError::required(&properties, detail));
    }
}

fn says_only_names(metadata: &Value) -> bool {
    let names = |it: &Value| object(it).all(|(name, _)| matches!(name.as_str(), "name" | "generateName"));
    object(metadata).all(|(key, value)| match key.as_str() {
        "type" | "default" => true,
        "properties" => names(value),
        _ => is_zero(value),
    })
}

/// `anyOf: [{type: integer}, {type: string}]`, which may stand where types may not.
fn is_int_or_string(any_of: &Value) -> bool {
    *any_of == json!([{ "type": "integer" }, { "type": "string" }])
}

/// The same, as the first of `allOf`.
fn has_int_or_string(schema: &Value) -> bool {
    array(&schema["allOf"])
        .first()
        .is_some_and(|it| is_int_or_string(&it["anyOf"]))
}

fn pattern_is_one(schema: &Value, at: &FieldPath, errors: &mut Vec<FieldError>) {
    let Some(expression) = text(&schema["pattern"]) else {
        return;
    };
    if let Err(why) = pattern::compile(expression) {
        let detail = format!("must be a valid regular expression, but isn't: {why}");
        errors.push(FieldError::invalid(&at.child("pattern"), &schema["pattern"], detail));
    }
}
