//! The `scale` subresource, with the answers of the real server.

use serde_json::{Value, json};

use super::crd;
use crate::crd::{CustomVersion, compile};

fn version() -> CustomVersion {
    let any = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
    let mut crd = crd(
        "Sc",
        &json!({ "type": "object", "properties": { "spec": any, "status": any } }),
    );
    crd["spec"]["versions"][0]["subresources"]["scale"] = json!({
        "specReplicasPath": ".spec.a.n", "statusReplicasPath": ".status.n", "labelSelectorPath": ".status.s",
    });
    compile(&crd, "v1").expect("it has the version")
}

fn object(rest: &Value) -> Value {
    let metadata = json!({ "name": "o0", "namespace": "default", "uid": "u", "resourceVersion": "1", "labels": {} });
    let mut object = json!({ "apiVersion": "crd.helpers.example.com/v1", "kind": "Sc", "metadata": metadata });
    for (name, value) in rest.as_object().expect("fields") {
        object[name] = value.clone();
    }
    object
}

#[test]
fn a_scale_has_the_replicas_the_selector_and_some_of_the_metadata() {
    let object = object(&json!({ "spec": { "a": { "n": 3 } }, "status": { "n": 2, "s": "a=b" } }));
    let (scale, found) = version()
        .scale_of(&object)
        .expect("it can be read")
        .expect("there is one");
    assert!(found);
    let metadata = json!({ "name": "o0", "namespace": "default", "uid": "u", "resourceVersion": "1" });
    let expected = json!({
        "kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": metadata,
        "spec": { "replicas": 3 }, "status": { "replicas": 2, "selector": "a=b" },
    });
    assert_eq!(scale, expected);
}

#[test]
fn an_object_without_replicas_has_no_scale_but_can_be_scaled() {
    let version = version();
    let mut object = object(&json!({ "spec": {} }));
    let (scale, found) = version
        .scale_of(&object)
        .expect("it can be read")
        .expect("there is one");
    assert!(!found);
    assert_eq!(scale["spec"], json!({}));
    let message = "Internal error occurred: the spec replicas field \".spec.a.n\" does not exist";
    assert_eq!(version.no_replicas().message, message);

    let unchanged = version
        .scale_to_change(&object)
        .expect("it can be read")
        .expect("there is one");
    let failure = version
        .apply_scale(&mut object, &unchanged)
        .expect_err("there are no replicas");
    assert_eq!(
        (failure.code, &*failure.message),
        (400, "the spec replicas field \".spec.a.n\" cannot be empty")
    );

    version
        .apply_scale(&mut object, &json!({ "spec": { "replicas": 5 } }))
        .expect("it can be scaled");
    assert_eq!(object["spec"], json!({ "a": { "n": 5 } }));
    version
        .apply_scale(&mut object, &json!({ "spec": {} }))
        .expect("it can be scaled");
    assert_eq!(object["spec"], json!({ "a": { "n": 0 } }));
}

#[test]
fn replicas_have_no_place_in_a_text() {
    let mut object = object(&json!({ "spec": { "a": "text" } }));
    let failure = version()
        .apply_scale(&mut object, &json!({ "spec": { "replicas": 5 } }))
        .expect_err("no place");
    assert_eq!(failure.code, 500);
}
