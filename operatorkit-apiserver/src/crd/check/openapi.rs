//! The keywords of a schema, at each place of it.

use serde_json::Value;

use super::{is_zero, lists, rules, text};
use crate::{
    crd::{
        prune::META_FIELDS,
        structure::{array, object},
    },
    failure::{FieldError, FieldPath},
    schema::Schema,
};

const TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];

/// What holds at a place of a schema because of what is above it.
#[derive(Clone, Debug, Default)]
pub(super) struct Context {
    root: bool,
    /// Inside of `apiVersion`, `kind` or `metadata`.
    meta: bool,
    /// Why there may be no defaults.
    no_defaults: Option<String>,
    /// The place above which old and new values cannot be told to belong together.
    pub uncorrelated: Option<FieldPath>,
}

impl Context {
    fn root() -> Self {
        Self {
            root: true,
            ..Self::default()
        }
    }

    /// Whether the place is the root of the schema.
    pub(super) fn is_root(&self) -> bool {
        self.root
    }

    fn below(&self) -> Self {
        Self {
            root: false,
            ..self.clone()
        }
    }

    fn uncorrelated(mut self, at: &FieldPath) -> Self {
        self.uncorrelated.get_or_insert_with(|| at.clone());
        self
    }
}

/// What is wrong with a schema: its own errors, then those of its rules.
#[derive(Debug, Default)]
pub(super) struct Found {
    schema: Vec<FieldError>,
    rules: Vec<FieldError>,
}

/// Checks a schema and everything in it. Rules are compiled only where there is a node: the schema is structural.
pub(super) fn check(schema: &Value, node: Option<Schema<'_>>, at: &FieldPath) -> Vec<FieldError> {
    let found = descend(schema, node, at, &Context::root());
    found.schema.into_iter().chain(found.rules).collect()
}

fn descend(schema: &Value, node: Option<Schema<'_>>, at: &FieldPath, context: &Context) -> Found {
    let mut found = Found::default();
    keywords(schema, at, context, &mut found.schema);
    let mut visit = |schema: &Value, node: Option<Schema<'_>>, at: FieldPath, context: &Context| {
        let below = descend(schema, node, &at, context);
        found.schema.extend(below.schema);
        found.rules.extend(below.rules);
    };
    if schema["additionalProperties"].is_object() {
        let mut below = context.below();
        if context.meta {
            below.no_defaults = Some("inside additionalProperties applying to object metadata".into());
        }
        let node = node.and_then(Schema::additional);
        visit(
            &schema["additionalProperties"],
            node,
            at.child("additionalProperties"),
            &below,
        );
    }
    for (name, property) in object(&schema["properties"]) {
        let below = property_context(schema, name, context);
        let node = node.and_then(|it| it.property(name));
        visit(property, node, at.child("properties").key(name), &below);
    }
    let below = context.below();
    if schema["not"].is_object() {
        visit(&schema["not"], None, at.child("not"), &below);
    }
    for name in ["allOf", "oneOf", "anyOf"] {
        for (index, branch) in array(&schema[name]).iter().enumerate() {
            visit(branch, None, at.child(name).index(index), &below);
        }
    }
    let mut items = below;
    if schema["x-kubernetes-list-type"] != "map" {
        items = items.uncorrelated(at);
    }
    if schema["items"].is_object() {
        visit(
            &schema["items"],
            node.and_then(Schema::items),
            at.child("items"),
            &items,
        );
    }
    for (index, item) in array(&schema["items"]).iter().enumerate() {
        visit(item, None, at.child("items").index(index), &items);
    }
    if schema["x-kubernetes-preserve-unknown-fields"] == false {
        let field = at.child("x-kubernetes-preserve-unknown-fields");
        found
            .schema
            .push(FieldError::invalid(&field, &false.into(), "must be true or undefined"));
    }
    lists::check(schema, at, &mut found.schema);
    rules::check_form(schema, at, &mut found.schema);
    if let Some(node) = node.filter(|_| found.schema.is_empty()) {
        rules::compile(schema, node, context, at, &mut found.rules);
    }
    found
}

fn property_context(schema: &Value, name: &str, context: &Context) -> Context {
    let mut below = context.below();
    if (context.root || schema["x-kubernetes-embedded-resource"] == true) && META_FIELDS.contains(&name) {
        below.meta = true;
        if context.root {
            below.no_defaults = Some(format!("in top-level {name}"));
        }
    }
    below
}

fn keywords(schema: &Value, at: &FieldPath, context: &Context, errors: &mut Vec<FieldError>) {
    if text(&schema["type"]).is_some_and(|it| !TYPES.contains(&it)) {
        errors.push(FieldError::not_supported(&at.child("type"), &schema["type"], &TYPES));
    }
    let mut forbid = |name: &str, detail: &str| errors.push(FieldError::forbidden(&at.child(name), detail));
    if let Some(reason) = context.no_defaults.as_ref().filter(|_| !schema["default"].is_null()) {
        forbid("default", &format!("must not be set {reason}"));
    }
    for name in [
        "id",
        "additionalItems",
        "patternProperties",
        "definitions",
        "dependencies",
        "$ref",
    ] {
        if !is_zero(&schema[name]) {
            forbid(name, &format!("{name} is not supported"));
        }
    }
    if schema["type"] == "null" {
        forbid("type", "type cannot be set to null, use nullable as an alternative");
    }
    if !array(&schema["items"]).is_empty() {
        forbid("items", "items must be a schema object and not an array");
    }
    if context.meta && schema["x-kubernetes-embedded-resource"] == true {
        forbid(
            "x-kubernetes-embedded-resource",
            "must not be used inside of resource meta",
        );
    }
    if schema["uniqueItems"] == true {
        forbid(
            "uniqueItems",
            "uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
        );
    }
    let additional = &schema["additionalProperties"];
    if !is_zero(&schema["properties"]) && (additional.is_object() || *additional == false) {
        forbid(
            "additionalProperties",
            "additionalProperties and properties are mutual exclusive",
        );
    }
}
