//! What is sent, and its hashes.

use serde_json::{Map, Value, json};

use crate::compare::{fingerprint, hash, prepare};

fn prepared(mut object: Value) -> Value {
    prepare(&mut object);
    object
}

#[test]
fn what_the_server_sets_is_not_sent() {
    let object = json!({
        "apiVersion": "v1", "kind": "ConfigMap", "status": {"a": 1}, "data": {"uid": "kept"},
        "metadata": {
            "name": "a", "namespace": "b", "uid": "1", "resourceVersion": "2", "generation": 3, "selfLink": "/", "managedFields": [],
            "creationTimestamp": "2026-01-01T00:00:00Z", "deletionTimestamp": null, "deletionGracePeriodSeconds": 0,
            "labels": {}, "annotations": {}, "finalizers": ["x/y"],
        },
    });
    assert_eq!(
        prepared(object),
        json!({
            "apiVersion": "v1", "kind": "ConfigMap", "data": {"uid": "kept"},
            "metadata": {"name": "a", "namespace": "b", "finalizers": ["x/y"]},
        })
    );
}

#[test]
fn nulls_are_dropped_from_objects_and_kept_in_lists() {
    let object = json!({"spec": {"a": null, "b": {"c": null}, "list": [null, {"d": null, "e": false}]}});
    assert_eq!(
        prepared(object),
        json!({"spec": {"b": {}, "list": [null, {"e": false}]}})
    );
}

#[test]
fn string_data_of_a_secret_becomes_data_and_wins() {
    let secret = json!({
        "apiVersion": "v1", "kind": "Secret",
        "data": {"a": "b2xk", "b": "Yg=="}, "stringData": {"a": "new", "c": "ü", "gone": null},
    });
    let sent = json!({"apiVersion": "v1", "kind": "Secret", "data": {"a": "bmV3", "b": "Yg==", "c": "w7w="}});
    assert_eq!(prepared(secret), sent);
    assert_eq!(prepared(sent.clone()), sent);
    assert_eq!(
        prepared(json!({"apiVersion": "v1", "kind": "Secret", "stringData": {"a": ""}})),
        json!({"apiVersion": "v1", "kind": "Secret", "data": {"a": ""}})
    );
}

#[test]
fn what_the_server_would_refuse_in_a_secret_is_left_for_it() {
    let number = json!({"apiVersion": "v1", "kind": "Secret", "stringData": {"a": 1, "b": "b"}});
    let sent = json!({"apiVersion": "v1", "kind": "Secret", "data": {"b": "Yg=="}, "stringData": {"a": 1}});
    assert_eq!(prepared(number), sent);
    let data = json!({"apiVersion": "v1", "kind": "Secret", "data": "text", "stringData": {"a": "b"}});
    assert_eq!(prepared(data.clone()), data);
}

#[test]
fn string_data_of_another_kind_is_its_own() {
    for (version, kind) in [("v1", "ConfigMap"), ("example.com/v1", "Secret")] {
        let object = json!({"apiVersion": version, "kind": kind, "stringData": {"a": "b"}});
        assert_eq!(prepared(object.clone()), object);
    }
}

#[test]
fn what_is_no_object_stays_as_it_is() {
    for value in [json!(null), json!("a"), json!([{"status": 1}]), json!({"metadata": 1})] {
        assert_eq!(prepared(value.clone()), value);
    }
}

/// The value is stored on children: another one makes every child of every user be applied once more.
#[test]
fn the_hash_stays_as_it_was_released() {
    let object = json!({"b": [1, 2.5, "ü\n\"", null, true], "a": {"d": {}, "c": []}});
    assert_eq!(hash(&object), "871040139f59c1c759c53c9cbeb3812b");
    assert_eq!(hash(&json!({})), "44136fa355b3678a1146ad16f7e8649e");
}

#[test]
fn the_hash_does_not_depend_on_the_order_of_keys() {
    let map = |keys: [&str; 3]| {
        Value::Object(
            keys.iter()
                .map(|key| ((*key).to_owned(), json!(key)))
                .collect::<Map<_, _>>(),
        )
    };
    assert_eq!(hash(&map(["a", "b", "c"])), hash(&map(["c", "a", "b"])));
}

#[test]
fn the_hash_tells_structures_apart() {
    let values = [
        json!(["a", "b"]),
        json!(["a,b"]),
        json!([["a"], "b"]),
        json!({"a": "b"}),
        json!("a"),
        json!(1),
        json!("1"),
        json!([]),
        json!({}),
        json!(null),
    ];
    for (index, one) in values.iter().enumerate() {
        assert!(
            values[index + 1..].iter().all(|other| hash(one) != hash(other)),
            "{one}"
        );
    }
}

#[test]
fn the_fingerprint_is_that_of_the_serialised_value() {
    let value = json!({"a": [1, "b"], "c": null});
    assert_ne!(fingerprint(&value), fingerprint(&json!({"a": [1, "b"]})));
    // Also where the text is longer than the buffer, in one piece or in many.
    for length in [0, 1, 1000, 1021, 1022, 1023, 1024, 1025, 5000] {
        for value in [
            json!("x".repeat(length)),
            json!(vec![7; length]),
            json!([value, "x".repeat(length), value]),
        ] {
            assert_eq!(
                fingerprint(&value),
                xxhash_rust::xxh3::xxh3_64(value.to_string().as_bytes())
            );
        }
    }
}
