//! What the API server would refuse is told, all of it; what it would take is not.

use std::panic::catch_unwind;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use serde_json::{Value, from_value, json};

use crate::{assert_valid, assert_valid_with};

fn deployment(spec: &Value) -> Value {
    let mut object = json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "web", "namespace": "elsewhere" },
        "spec": {
            "selector": { "matchLabels": { "app": "web" } },
            "template": {
                "metadata": { "labels": { "app": "web" } },
                "spec": { "containers": [{ "name": "web", "image": "web" }] },
            },
        },
    });
    let fields = spec.as_object().expect("fields").clone();
    object["spec"].as_object_mut().expect("fields").extend(fields);
    object
}

/// What is said of objects that are refused.
fn refusal(judge: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let panic = catch_unwind(judge).expect_err("they are refused");
    *panic.downcast::<String>().expect("a text")
}

#[test]
fn what_the_api_server_takes_is_valid_wherever_it_is_called() {
    assert_valid([deployment(&json!({ "replicas": 3 }))]);
    assert_valid(Vec::<Value>::new());
    let namespace = json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": "cluster-scoped" } });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    runtime.block_on(async { assert_valid([namespace]) });
}

#[test]
fn unknown_fields_wrong_types_and_broken_rules_are_told_together() {
    let said = refusal(|| {
        let mut wrong = deployment(&json!({ "replicas": "three" }));
        wrong["metadata"]["name"] = json!("wrong");
        assert_valid([
            deployment(&json!({ "replica": 3 })),
            wrong,
            deployment(&json!({})),
            deployment(&json!({ "selector": { "matchLabels": { "app": "other" } } })),
        ]);
    });
    let lines: Vec<_> = said.lines().collect();
    assert_eq!(lines.len(), 4, "{said}");
    assert!(
        lines[1].starts_with("Deployment web: ") && lines[1].contains("replica"),
        "{said}"
    );
    assert!(
        lines[2].starts_with("Deployment wrong: ") && lines[2].contains("replicas"),
        "{said}"
    );
    assert!(lines[3].contains("selector"), "{said}");
}

#[test]
fn a_kind_of_ones_own_is_judged_by_its_definition() {
    let gadget = |spec: Value| json!({ "apiVersion": "test.example.com/v1", "kind": "Gadget", "metadata": { "name": "x" }, "spec": spec });
    let said = refusal(|| assert_valid([gadget(json!({}))]));
    assert!(
        said.contains("Gadget is not served: for a kind of your own say its definition"),
        "{said}"
    );
    let definition: CustomResourceDefinition = from_value(json!({
        "metadata": { "name": "gadgets.test.example.com" },
        "spec": {
            "group": "test.example.com", "scope": "Namespaced", "names": { "kind": "Gadget", "plural": "gadgets" },
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": { "openAPIV3Schema": {
                    "type": "object",
                    "properties": { "spec": { "type": "object", "properties": { "size": { "type": "integer" } } } },
                } },
            }],
        },
    }))
    .expect("a definition");
    assert_valid_with([definition.clone()], [gadget(json!({ "size": 1 }))]);
    let said = refusal(|| assert_valid_with([definition], [gadget(json!({ "sise": 1 }))]));
    assert!(said.contains("Gadget x: ") && said.contains("sise"), "{said}");
}
