//! Field selectors: what a real server answers.

use proptest::prelude::*;
use serde_json::json;

use crate::selector::{
    FieldSelector,
    fields::{self, Resource},
};

fn matches(text: &str) -> bool {
    let selector = FieldSelector::parse(text).unwrap();
    selector.matches(|label| match label {
        "metadata.name" => "x".to_owned(),
        "spec.color" => "a,b".to_owned(),
        _ => String::new(),
    })
}

#[test]
fn terms_must_all_be_satisfied() {
    for text in [
        "",
        ",",
        "metadata.name=x",
        "metadata.name==x",
        "metadata.name!=y",
        "metadata.name=x,",
        "spec.color=a\\,b",
        "metadata.name=x,spec.color!=c",
        "spec.none=",
    ] {
        assert!(matches(text), "{text}");
    }
    for text in [
        "metadata.name=y",
        "metadata.name!=x",
        "metadata.name=x,spec.color=c",
        "spec.none=x",
    ] {
        assert!(!matches(text), "{text}");
    }
}

#[test]
fn errors_are_those_of_the_real_server() {
    for (text, error) in [
        ("foo", "invalid selector: 'foo'; can't understand 'foo'"),
        ("a=b=c", "invalid field selector: unescaped character in value: 61"),
        (
            "metadata.name=x\\y",
            "invalid field selector: invalid escape sequence: \\y",
        ),
        ("a=x\\", "invalid field selector: invalid escape sequence: \\"),
    ] {
        let failure = FieldSelector::parse(text).unwrap_err();
        assert_eq!((failure.code, failure.message.as_str()), (400, error));
    }
}

fn resource(group: &'static str, plural: &'static str, kind: &'static str, namespaced: bool) -> Resource<'static> {
    Resource {
        group,
        version: "v1",
        plural,
        kind,
        namespaced,
        custom: false,
    }
}

#[test]
fn unknown_labels_are_refused_in_the_words_of_the_kind() {
    let known = "\"foo\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"";
    for (resource, namespace, message) in [
        (
            resource("", "pods", "Pod", true),
            true,
            "field label not supported: foo",
        ),
        (
            resource("", "nodes", "Node", false),
            false,
            "field label not supported: foo",
        ),
        (resource("", "configmaps", "ConfigMap", true), true, known),
        (
            resource("", "persistentvolumes", "PersistentVolume", false),
            true,
            known,
        ),
        (
            resource("batch", "jobs", "Job", true),
            true,
            "field label \"foo\" not supported for Job",
        ),
        (
            resource("resource.k8s.io", "resourceslices", "ResourceSlice", false),
            false,
            "field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: foo",
        ),
    ] {
        assert_eq!(resource.unsupported("foo"), message);
        assert_eq!(resource.has_metadata("metadata.namespace"), namespace, "{message}");
        assert!(resource.has_metadata("metadata.name"));
    }
}

#[test]
fn fields_are_read_from_objects() {
    let read = |group, plural, label: &str, object| {
        let field = fields::of(group, "v1", plural)
            .iter()
            .find(|it| it.label == label)
            .unwrap();
        (field.read)(&object, field.label)
    };
    assert_eq!(read("", "pods", "spec.hostNetwork", json!({})), "false");
    assert_eq!(read("", "pods", "spec.host", json!({"spec": {"nodeName": "n"}})), "n");
    assert_eq!(
        read(
            "batch",
            "jobs",
            "status.successful",
            json!({"status": {"succeeded": 2}})
        ),
        "2"
    );
    assert_eq!(read("batch", "jobs", "status.successful", json!({})), "0");
    assert_eq!(
        read("", "events", "source", json!({"reportingComponent": "c", "source": {}})),
        "c"
    );
    assert_eq!(read("", "secrets", "type", json!({"type": "Opaque"})), "Opaque");
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(text in "([a-z.]{1,5}(=|==|!=)([a-z]|\\\\\\\\|\\\\,|\\\\=){0,4},?){0,3}") {
        if let Ok(selector) = FieldSelector::parse(&text) {
            prop_assert_eq!(FieldSelector::parse(&selector.to_string()).unwrap().to_string(), selector.to_string());
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[a-z=!,\\\\é]{0,20}") {
        let _ = FieldSelector::parse(&text);
    }
}
