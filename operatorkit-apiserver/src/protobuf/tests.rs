//! Objects of a real server of Kubernetes 1.37, in both forms.

use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use serde_json::{Value, json};

use super::{
    DecodeError, decode,
    duration::{go_duration, parse_go_duration},
    encode, is_known, watch_event,
};

/// In JSON Go writes `null` for some of what is not set.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let set = map.into_iter().filter(|(_, value)| !value.is_null());
            set.map(|(key, value)| (key, without_nulls(value))).collect()
        }
        Value::Array(list) => list.into_iter().map(without_nulls).collect(),
        value => value,
    }
}

fn facts() -> Vec<(Value, Vec<u8>)> {
    let facts: Vec<Value> = serde_json::from_str(include_str!("facts.json")).unwrap();
    let bytes = |fact: &Value| BASE64.decode(fact["protobuf"].as_str().unwrap()).unwrap();
    let object = |fact: &Value| {
        let mut object = without_nulls(fact["json"].clone());
        if object["kind"] == "PartialObjectMetadataList" {
            // In protobuf only the list says its kind.
            for item in object["items"].as_array_mut().unwrap() {
                item.as_object_mut().unwrap().retain(|key, _| key == "metadata");
            }
        }
        object
    };
    facts.iter().map(|fact| (object(fact), bytes(fact))).collect()
}

#[test]
fn what_the_real_server_writes_is_read() {
    for (expected, bytes) in facts() {
        assert_eq!(decode(&bytes, None).unwrap(), expected);
    }
}

#[test]
fn what_is_written_reads_back() {
    for (object, _) in facts() {
        assert_eq!(decode(&encode(&object).unwrap(), None).unwrap(), object);
    }
}

#[test]
fn what_is_written_is_what_the_real_server_writes() {
    // Its `caBundle` is empty but there, which JSON does not say.
    let silent = |object: &Value| object["kind"] == "ValidatingWebhookConfiguration";
    for (object, bytes) in facts().into_iter().filter(|(object, _)| !silent(object)) {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(text(&encode(&object).unwrap()), text(&bytes));
    }
}

#[test]
fn kinds_are_known_by_version() {
    assert!(is_known("v1", "Pod") && is_known("apps/v1", "DeploymentList") && is_known("v1", "Status"));
    assert!(!is_known("v1", "Deployment") && !is_known("serve.dev/v1", "Widget"));
    let widget = json!({"apiVersion": "serve.dev/v1", "kind": "Widget"});
    assert_eq!(
        encode(&widget),
        Err(DecodeError::UnknownKind("serve.dev/v1".into(), "Widget".into()))
    );
}

#[test]
fn what_does_not_start_with_the_magic_is_refused() {
    assert_eq!(
        decode(b"{}", None).unwrap_err().to_string(),
        "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]"
    );
}

#[test]
fn an_object_that_does_not_say_its_kind_has_that_of_the_request() {
    let bytes = encode(&json!({"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "b"}})).unwrap();
    // Without the type: the field 1 of the envelope is 4 + 13 bytes long.
    let nameless = [b"k8s\0", &bytes[4 + 2 + 15..]].concat();
    let expected = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {}, "data": {"a": "b"}});
    assert_eq!(decode(&nameless, Some(("v1", "ConfigMap"))).unwrap(), expected);
    assert!(matches!(decode(&nameless, None), Err(DecodeError::UnknownKind(..))));
}

#[test]
fn a_wrong_type_cannot_be_written() {
    let error = encode(&json!({"apiVersion": "v1", "kind": "ConfigMap", "data": "x"})).unwrap_err();
    assert_eq!(error.to_string(), "\"x\" cannot be written in protobuf here");
}

#[test]
fn an_event_of_a_watch_is_framed() {
    let frame = watch_event("ADDED", b"k8s\0");
    assert_eq!(frame, b"\0\0\0\x0f\x0a\x05ADDED\x12\x06\x0a\x04k8s\0");
}

#[test]
fn deep_objects_are_refused() {
    let mut schema = json!({});
    for _ in 0..200 {
        schema = json!({"not": schema});
    }
    let versions = json!([{"name": "v1", "schema": {"openAPIV3Schema": schema}}]);
    let kind = "CustomResourceDefinition";
    let deep = json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": kind, "spec": {"versions": versions}});
    let bytes = encode(&deep).unwrap();
    assert_eq!(
        decode(&bytes, None),
        Err(DecodeError::Malformed("exceeded max depth".into()))
    );
}

#[test]
fn durations_are_those_of_go() {
    for (nanoseconds, text) in [
        (0, "0s"),
        (1, "1ns"),
        (1_500, "1.5µs"),
        (100_000_000, "100ms"),
        (1_500_000_000, "1.5s"),
        (60_000_000_000, "1m0s"),
        (-3_661_000_000_001, "-1h1m1.000000001s"),
    ] {
        assert_eq!(go_duration(nanoseconds), text);
        assert_eq!(parse_go_duration(text), Some(nanoseconds));
    }
    for bad in ["", "1", "s", "1x", "1.1.1s", "9999999999999h", "-"] {
        assert_eq!(parse_go_duration(bad), None, "{bad}");
    }
}

proptest::proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(which in 0_usize..20, changes in proptest::collection::vec((0.0_f64..1.0, 0_u8..), 1..20), cut in 0.5_f64..1.0) {
        let facts = facts();
        let mut bytes = facts[which % facts.len()].1.clone();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a place in a short list")]
        let place = |part: f64, length: usize| ((length as f64 * part) as usize).min(length - 1);
        for (part, byte) in changes {
            let at = place(part, bytes.len());
            bytes[at] = byte;
        }
        bytes[..4].copy_from_slice(b"k8s\0");
        bytes.truncate(place(cut, bytes.len()) + 4);
        if let Ok(object) = decode(&bytes, Some(("v1", "Pod"))) {
            _ = encode(&object);
        }
    }
}
