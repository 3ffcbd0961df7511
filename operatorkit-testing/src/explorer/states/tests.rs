//! What is drawn is what the API server accepts, as wide as the schema, and as narrow as it is asked for.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use proptest::{
    strategy::{Strategy, ValueTree as _},
    test_runner::{Config, RngSeed, TestRunner},
};
use serde_json::{Value, json};

use super::{Specs, specs};
use crate::assert_valid_with;

/// A CRD with something of all that a schema can say.
fn crd() -> CustomResourceDefinition {
    let pool = json!({
        "type": "object", "required": ["name", "size"],
        "properties": {
            "name": { "type": "string", "pattern": "^[a-z]\\w{0,2}$" },
            "size": { "type": "integer", "minimum": 1, "maximum": 7, "exclusiveMaximum": true },
            "spot": { "type": "boolean", "default": false },
        },
    });
    let spec = json!({
        "type": "object", "required": ["mode", "port"],
        "properties": {
            "mode": { "type": "string", "enum": ["Fast", "Safe"] },
            "port": { "x-kubernetes-int-or-string": true, "anyOf": [{ "type": "integer" }, { "type": "string" }] },
            "tens": { "type": "integer", "minimum": -25, "maximum": -5, "multipleOf": 10 },
            "ratio": { "type": "number", "minimum": 0, "exclusiveMinimum": true, "maximum": 1 },
            "motto": { "type": "string", "minLength": 2, "maxLength": 4, "nullable": true },
            "since": { "type": "string", "format": "date-time" },
            "id": { "type": "string", "format": "uuid" },
            "pools": {
                "type": "array", "items": pool, "minItems": 1,
                "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
            },
            "zones": { "type": "array", "items": { "type": "string", "enum": ["a", "b"] }, "x-kubernetes-list-type": "set" },
            "labels": { "type": "object", "additionalProperties": { "type": "string" }, "maxProperties": 2 },
            "free": { "type": "object", "x-kubernetes-preserve-unknown-fields": true },
            "store": {
                "type": "object",
                "properties": {
                    "disk": { "type": "object", "properties": { "size": { "type": "integer", "default": 3 } } },
                    "memory": { "type": "boolean" },
                },
                "oneOf": [{ "required": ["disk"] }, { "required": ["memory"] }],
            },
        },
    });
    let schema = json!({ "type": "object", "properties": { "spec": spec } });
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": "draws.states.test" },
        "spec": {
            "group": "states.test", "scope": "Namespaced", "names": { "kind": "Draw", "plural": "draws" },
            "versions": [{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema } }],
        },
    });
    serde_json::from_value(crd).expect("a CRD")
}

fn drawn(specs: &Specs) -> Vec<Value> {
    let mut runner = TestRunner::new(Config {
        rng_seed: RngSeed::Fixed(1),
        ..Config::default()
    });
    let mut draw = || specs.new_tree(&mut runner).expect("it is drawn").current();
    (0..200).map(|_| draw()).collect()
}

#[test]
fn the_server_accepts_what_is_drawn() {
    let objects = drawn(&specs(&crd())).into_iter().enumerate().map(|(number, spec)| {
        json!({ "apiVersion": "states.test/v1", "kind": "Draw", "metadata": { "name": format!("x-{number}") }, "spec": spec })
    });
    assert_valid_with([crd()], objects);
}

#[test]
fn all_that_a_schema_allows_is_drawn_sometimes() {
    let all = drawn(&specs(&crd()));
    let some = |what: &str, is: &dyn Fn(&Value) -> bool| {
        assert!(all.iter().any(is), "never drawn: {what}");
        assert!(!all.iter().all(is), "always drawn: {what}");
    };
    some("one of an enum", &|spec| spec["mode"] == "Safe");
    some("a number where a string may be", &|spec| spec["port"].is_i64());
    some("null", &|spec| spec.get("motto") == Some(&Value::Null));
    some("an optional field", &|spec| spec.get("since").is_some());
    some("a default that is given", &|spec| {
        spec["pools"][0].get("spot").is_some()
    });
    some("several items", &|spec| {
        spec["pools"].as_array().is_some_and(|all| all.len() > 1)
    });
    some("a key of a map", &|spec| {
        spec["labels"].as_object().is_some_and(|all| !all.is_empty())
    });
    some("unknown fields", &|spec| {
        spec["free"].as_object().is_some_and(|all| !all.is_empty())
    });
    some("one form", &|spec| spec["store"].get("disk").is_some());
    some("the other form", &|spec| spec["store"].get("memory").is_some());
    some("the only number above zero that is left", &|spec| spec["ratio"] == 1.0);
    some("the largest number", &|spec| spec["pools"][0]["size"] == 6);
}

#[test]
fn fields_are_narrowed() {
    let narrowed = specs(&crd())
        .fix("/spec/tens", -10)
        .draw("/spec/pools/*/name", "ab?")
        .draw("/spec/labels/*", (1..3).boxed())
        .leave_out("/spec/free");
    for spec in drawn(&narrowed) {
        assert_eq!(spec["tens"], -10);
        assert_eq!(spec.get("free"), None);
        let names = spec["pools"].as_array().into_iter().flatten().map(|pool| &pool["name"]);
        assert!(names.into_iter().all(|name| name == "a" || name == "ab"), "{spec}");
        let labels = spec["labels"].as_object().into_iter().flatten();
        assert!(labels.into_iter().all(|(_, value)| value == 1 || value == 2), "{spec}");
    }
}

#[test]
#[should_panic(expected = "the schema has no field /spec/pool")]
fn a_field_that_does_not_exist_is_told() {
    let _specs = specs(&crd()).fix("/spec/pool", 0);
}
