//! Which items of two lists belong together.

use serde_json::{Value, json};

use crate::compare::{digest, matches};

#[track_caller]
fn equal(list: &str, sent: &Value, observed: &Value) {
    let (sent, observed) = (json!({ list: sent }), json!({ list: observed }));
    assert!(matches(&sent, &observed), "{sent} should match {observed}");
    assert_eq!(digest(&sent, &sent), digest(&sent, &observed), "{sent} and {observed}");
}

#[track_caller]
fn differ(list: &str, sent: &Value, observed: &Value) {
    let (sent, observed) = (json!({ list: sent }), json!({ list: observed }));
    assert!(!matches(&sent, &observed), "{sent} should not match {observed}");
    assert_ne!(digest(&sent, &sent), digest(&sent, &observed), "{sent} and {observed}");
}

#[test]
fn items_are_compared_in_order() {
    equal("args", &json!(["a", "b"]), &json!(["a", "b"]));
    equal("rules", &json!([{"host": "a"}]), &json!([{"host": "a", "extra": 1}]));
    differ("args", &json!(["a", "b"]), &json!(["b", "a"]));
    differ(
        "steps",
        &json!([{"name": "a"}, {"name": "b"}]),
        &json!([{"name": "b"}, {"name": "a"}]),
    );
    differ(
        "initContainers",
        &json!([{"name": "a"}, {"name": "b"}]),
        &json!([{"name": "b"}, {"name": "a"}]),
    );
}

#[test]
fn lists_of_another_length_differ() {
    differ("args", &json!(["a"]), &json!(["a", "b"]));
    differ("args", &json!(["a", "b"]), &json!(["a"]));
    differ("args", &json!(["a"]), &json!([]));
    differ(
        "containers",
        &json!([{"name": "a"}]),
        &json!([{"name": "a"}, {"name": "b"}]),
    );
}

#[test]
fn maps_are_compared_by_key() {
    equal(
        "containers",
        &json!([{"name": "a", "image": "x"}, {"name": "b"}]),
        &json!([{"name": "b"}, {"name": "a", "image": "x"}]),
    );
    equal(
        "volumeMounts",
        &json!([{"mountPath": "/a"}, {"mountPath": "/b"}]),
        &json!([{"mountPath": "/b"}, {"mountPath": "/a"}]),
    );
    differ(
        "containers",
        &json!([{"name": "a", "image": "x"}, {"name": "b"}]),
        &json!([{"name": "b"}, {"name": "a", "image": "y"}]),
    );
    differ(
        "containers",
        &json!([{"name": "a"}, {"name": "b"}]),
        &json!([{"name": "c"}, {"name": "a"}]),
    );
}

#[test]
fn ports_are_keyed_by_number_and_protocol() {
    let (tcp, udp) = (json!({"port": 53}), json!({"port": 53, "protocol": "UDP"}));
    equal(
        "ports",
        &json!([tcp, udp]),
        &json!([udp, {"port": 53, "protocol": "TCP", "targetPort": 53}]),
    );
    differ(
        "ports",
        &json!([tcp, udp]),
        &json!([udp, {"port": 53, "protocol": "SCTP"}]),
    );
    equal(
        "ports",
        &json!([{"containerPort": 1, "name": "a"}, {"containerPort": 2}]),
        &json!([{"containerPort": 2}, {"containerPort": 1, "name": "a"}]),
    );
}

#[test]
fn a_key_that_is_there_twice_is_none() {
    let doubled = json!([{"name": "a", "value": "1"}, {"name": "a", "value": "2"}]);
    equal("env", &doubled, &doubled);
    differ(
        "env",
        &doubled,
        &json!([{"name": "a", "value": "2"}, {"name": "a", "value": "1"}]),
    );
    differ(
        "env",
        &json!([{"name": "a"}, {"name": "b"}]),
        &json!([{"name": "b"}, {"name": "b"}]),
    );
    differ("env", &json!([{"name": "a"}, 1]), &json!([1, {"name": "a"}]));
}

#[test]
fn an_item_may_be_added_to_without_being_sent() {
    let sent = json!({"spec": {"tolerations": [{"key": "a"}]}});
    let answer = json!({"spec": {"tolerations": [{"key": "a"}, {"key": "b"}], "x": 1}});
    let same = json!({"spec": {"tolerations": [{"key": "a"}, {"key": "b"}], "x": 2}});
    let drifted = json!({"spec": {"tolerations": [{"key": "a"}, {"key": "c"}], "x": 1}});
    assert!(!matches(&sent, &answer));
    assert_eq!(digest(&sent, &answer), digest(&sent, &same));
    assert_ne!(digest(&sent, &answer), digest(&sent, &drifted));
}
