//! Each case is an object, and what the real server made of it: created with `dryRun=All`, less what is allocated, what admission
//! adds, and metadata but labels.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{apply_defaults, field::is_empty, pod::pull_policy};
use crate::builtin::kinds;

#[derive(Deserialize)]
struct Case {
    about: String,
    sent: Value,
    answer: Value,
}

#[test]
fn objects_become_what_the_real_server_makes_of_them() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("cases.json")).unwrap();
    for case in cases {
        let mut object = case.sent.clone();
        default(&mut object);
        let [ours, theirs] = [&object, &case.answer].map(without_empty);
        assert_eq!(ours, theirs, "{}", case.about);
        let once = object.clone();
        default(&mut object);
        assert_eq!(object, once, "{}, twice", case.about);
    }
}

/// Which empty values are written is a matter of the types, and of `decode`.
fn without_empty(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| (key.clone(), without_empty(value)));
            fields
                .filter(|(_, value)| !is_empty(value))
                .collect::<Map<_, _>>()
                .into()
        }
        Value::Array(items) => items.iter().map(without_empty).collect(),
        other => other.clone(),
    }
}

fn default(object: &mut Value) {
    let api_version = object["apiVersion"].as_str().unwrap();
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    let schema = kinds()
        .schema(group, version, object["kind"].as_str().unwrap())
        .unwrap();
    apply_defaults(schema.get(), object);
}

#[test]
fn empty_values_are_defaulted_where_go_cannot_tell_them_from_nothing() {
    let probe = kinds().named("io.k8s.api.core.v1.Probe").unwrap();
    let mut value = json!({ "periodSeconds": 0, "timeoutSeconds": null, "initialDelaySeconds": 0 });
    apply_defaults(probe.get(), &mut value);
    let expected = json!({
        "periodSeconds": 10, "timeoutSeconds": 1, "successThreshold": 1, "failureThreshold": 3, "initialDelaySeconds": 0,
    });
    assert_eq!(value, expected);
    let deployment = kinds().named("io.k8s.api.apps.v1.DeploymentSpec").unwrap();
    let mut value = json!({ "replicas": 0 });
    apply_defaults(deployment.get(), &mut value);
    assert_eq!(value["replicas"], 0, "a pointer to 0 is not nothing");
}

#[test]
fn what_is_not_built_in_stays_as_it_is() {
    let mut types = crate::schema::Types::new();
    let id = types.add(crate::schema::Node::default());
    let mut value = json!({ "spec": {} });
    apply_defaults(types.schema(id), &mut value);
    assert_eq!(value, json!({ "spec": {} }));
}

#[test]
fn values_of_other_types_do_no_harm() {
    for resource in kinds().resources() {
        for wrong in [
            json!(null),
            json!([1]),
            json!("x"),
            json!({ "spec": 1, "metadata": [], "status": "x" }),
        ] {
            apply_defaults(resource.schema.get(), &mut wrong.clone());
        }
        let mut deeper =
            json!({ "spec": { "template": { "spec": [] }, "ports": [1, null], "behavior": { "scaleUp": 1 } } });
        apply_defaults(resource.schema.get(), &mut deeper);
    }
}

#[test]
fn a_name_of_64_digits_is_no_image() {
    assert_eq!(pull_policy(&"a".repeat(64)), "IfNotPresent");
    assert_eq!(pull_policy(&"a".repeat(63)), "Always");
    assert_eq!(pull_policy(""), "IfNotPresent");
}
