//! Bodies that were sent to a real server, with what it answered: the message of a 400, or the object, of which what we read
//! must be a part, since a real server adds defaults.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::openapi;
use crate::decode::{Content, FieldValidation, Kind, Media, warning};

#[test]
fn bodies_are_read_as_by_the_real_server() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("bodies.json")).unwrap();
    assert!(cases.len() > 300);
    let wrong: Vec<String> = cases.iter().filter_map(check).collect();
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// What is wrong with our answer.
fn check(case: &Value) -> Option<String> {
    let body = body(case);
    let media = if case["media"] == "yaml" {
        Media::Yaml
    } else {
        Media::Json
    };
    let validation = FieldValidation::parse(case["validation"].as_str().unwrap()).unwrap();
    let read = kind(case["kind"].as_str().unwrap(), |kind| {
        kind.decode(&body, media, validation)
    });
    let wrong = match read {
        Ok(decoded) => {
            let warnings: Vec<String> = decoded.warnings.iter().map(|it| warning(it)).collect();
            let part = case["object"].is_null() || is_part(&decoded.object, &case["object"]);
            (case["code"] == 400 || json!(warnings) != case["warnings"] || !part)
                .then(|| format!("{} {warnings:?}", decoded.object))
        }
        Err(failure) => (case["code"] != 400 || case["message"] != failure.message).then_some(failure.message),
    };
    wrong.map(|wrong| {
        format!(
            "{:?}\n  expected {case}\n  actual   {wrong}",
            String::from_utf8_lossy(&body)
        )
    })
}

fn body(case: &Value) -> Vec<u8> {
    let Some(bytes) = case["bytes"].as_str() else {
        return case["body"].as_str().unwrap().as_bytes().to_vec();
    };
    let digits: Vec<char> = bytes.chars().collect();
    let byte = |pair: &[char]| u8::from_str_radix(&pair.iter().collect::<String>(), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}

fn kind<T>(name: &str, with: impl FnOnce(&Kind<'_>) -> T) -> T {
    let (group, version) = match name {
        "Deployment" | "ControllerRevision" => ("apps", "v1"),
        "Role" => ("rbac.authorization.k8s.io", "v1"),
        "Lease" => ("coordination.k8s.io", "v1"),
        "HorizontalPodAutoscaler" => ("autoscaling", "v2"),
        "Foo" => ("patchfacts.dev", "v1"),
        _ => ("", "v1"),
    };
    let api_version = if group.is_empty() {
        version.to_owned()
    } else {
        format!("{group}/{version}")
    };
    let metadata = openapi::types()
        .named("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta")
        .unwrap();
    let content = match openapi::registered(&api_version, name) {
        Some(schema) => Content::Typed {
            schema,
            registered: &openapi::registered,
        },
        None => Content::Custom {
            metadata,
            prune: &|_| Vec::new(),
        },
    };
    with(&Kind {
        group,
        version,
        kind: name,
        content,
    })
}

/// Whether all that we read is in the real object, too.
fn is_part(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Object(ours), Value::Object(theirs)) => ours.iter().all(|(key, value)| {
            // What a server sets itself was taken out.
            matches!(
                key.as_str(),
                "creationTimestamp" | "generation" | "managedFields" | "uid" | "status" | "stringData"
            ) || theirs.get(key).is_some_and(|it| is_part(value, it))
        }),
        (Value::Array(ours), Value::Array(theirs)) => {
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(ours, theirs)| is_part(ours, theirs))
        }
        _ => ours == theirs,
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        for media in [Media::Json, Media::Yaml] {
            let _ = kind("Deployment", |kind| kind.decode(&bytes, media, FieldValidation::Strict));
        }
    }

    #[test]
    fn any_yaml_is_read_or_refused(text in "[a-z0-9:&*!\\[\\]{}, \n\"'|>#%~<-]{0,40}") {
        let _ = kind("ConfigMap", |kind| kind.decode(text.as_bytes(), Media::Yaml, FieldValidation::Warn));
    }
}

fn refuses(yaml: &str) {
    let read = kind("ConfigMap", |kind| {
        kind.decode(yaml.as_bytes(), Media::Yaml, FieldValidation::Warn)
    });
    assert_eq!(read.unwrap_err().code, 400);
}

#[test]
fn aliases_of_aliases_are_refused() {
    let mut yaml = "a: &a [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for (name, before) in ('b'..='i').zip('a'..) {
        let aliases = vec![format!("*{before}"); 9].join(", ");
        yaml = format!("{yaml}{name}: &{name} [{aliases}]\n");
    }
    refuses(&yaml);
}

#[test]
fn aliases_of_long_texts_are_refused() {
    let text = "x".repeat(1_000_000);
    refuses(&format!("a: &a {text}\nb: [{}]\n", vec!["*a"; 99].join(",")));
}

#[test]
fn deep_nesting_is_refused() {
    refuses(&"[".repeat(100_000));
    refuses(&"- ".repeat(100_000));
    refuses(&format!("{}{}", "[".repeat(10_000), "]".repeat(10_000)));
    refuses(&format!("{}x", "? ".repeat(10_000)));
}
