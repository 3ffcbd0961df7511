//! Bodies in all forms, whole and damaged.

use std::io::Write as _;

use flate2::{Compression, write::GzEncoder};
use operatorkit_apiserver::{protobuf, schema::Schema};
use serde_json::{Value, json};

use super::{
    choices::Choices,
    objects::{odd, value},
};

/// Of what kind the objects of a path are.
#[expect(clippy::struct_field_names, reason = "as objects say it")]
pub(super) struct Kind<'a> {
    pub(super) api_version: String,
    pub(super) kind: String,
    pub(super) schema: Option<Schema<'a>>,
    pub(super) namespace: Option<String>,
    pub(super) name: String,
}

/// A body, its `Content-Type`, and whether it is compressed.
pub(super) struct Body {
    pub(super) bytes: Vec<u8>,
    pub(super) form: String,
    pub(super) gzip: bool,
}

/// The body of a create, an update or a deletion.
pub(super) fn object(choices: &mut Choices<'_>, kind: &Kind<'_>) -> Body {
    let object = of_kind(choices, kind);
    let json = || object.to_string().into_bytes();
    let (bytes, form) = match choices.below(8) {
        ..=3 => (json(), "application/json"),
        4 => (
            serde_saphyr::to_string(&object).unwrap_or_default().into_bytes(),
            "application/yaml",
        ),
        5 | 6 => match protobuf::encode(&object) {
            Ok(bytes) => (bytes, "application/vnd.kubernetes.protobuf"),
            Err(_) => (json(), "application/json"),
        },
        _ => (
            json(),
            *choices.pick(&[
                "",
                "text/plain",
                "application/json; charset=utf-8",
                ";",
                "application/cbor",
                "*/*",
            ]),
        ),
    };
    finish(choices, bytes, form)
}

/// The body of a patch.
pub(super) fn patch(choices: &mut Choices<'_>, kind: &Kind<'_>) -> Body {
    match choices.below(4) {
        0 => {
            let patch = of_kind(choices, kind).to_string();
            finish(choices, patch.into(), "application/apply-patch+yaml")
        }
        1 => {
            let patch = of_kind(choices, kind).to_string();
            finish(choices, patch.into(), "application/merge-patch+json")
        }
        2 => {
            let mut patch = of_kind(choices, kind);
            directives(choices, &mut patch);
            finish(
                choices,
                patch.to_string().into(),
                "application/strategic-merge-patch+json",
            )
        }
        _ => {
            let operations: Vec<_> = (0..=choices.below(4)).map(|_| operation(choices, kind)).collect();
            finish(
                choices,
                Value::from(operations).to_string().into(),
                "application/json-patch+json",
            )
        }
    }
}

/// An object of the kind, with the name of its path in most cases.
fn of_kind(choices: &mut Choices<'_>, kind: &Kind<'_>) -> Value {
    let mut object = match kind.schema {
        Some(schema) => value(choices, schema, 0),
        None => json!({ "spec": { "size": odd(choices) } }),
    };
    if !object.is_object() || choices.one_in(30) {
        return object;
    }
    object["apiVersion"] = kind.api_version.as_str().into();
    object["kind"] = kind.kind.as_str().into();
    if !object["metadata"].is_object() {
        object["metadata"] = json!({});
    }
    let metadata = &mut object["metadata"];
    metadata["name"] = kind.name.as_str().into();
    match &kind.namespace {
        Some(namespace) => metadata["namespace"] = namespace.as_str().into(),
        None => metadata["namespace"] = Value::Null,
    }
    for field in ["resourceVersion", "uid", "deletionTimestamp"] {
        if metadata[field].is_null() || !choices.one_in(4) {
            metadata[field] = Value::Null;
        }
    }
    object
}

/// Puts the directives of strategic merge patches here and there.
fn directives(choices: &mut Choices<'_>, patch: &mut Value) {
    match patch {
        Value::Object(fields) => {
            fields.values_mut().for_each(|value| directives(choices, value));
            if choices.one_in(4) {
                let name = fields.keys().next().cloned().unwrap_or_default();
                let (key, value) = match choices.below(5) {
                    0 => (
                        "$patch".to_owned(),
                        json!(choices.pick(&["delete", "replace", "merge", "", "x"])),
                    ),
                    1 => ("$retainKeys".to_owned(), json!([name, choices.text()])),
                    2 => (
                        format!("$setElementOrder/{name}"),
                        json!([{ "name": "a" }, choices.text()]),
                    ),
                    3 => (format!("$deleteFromPrimitiveList/{name}"), json!([choices.text()])),
                    _ => (
                        choices
                            .pick(&["$patch", "$retainKeys", "$setElementOrder/"])
                            .to_string(),
                        odd(choices),
                    ),
                };
                fields.insert(key, value);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| directives(choices, item)),
        _ => {}
    }
}

fn operation(choices: &mut Choices<'_>, kind: &Kind<'_>) -> Value {
    let fields: Vec<_> = kind
        .schema
        .iter()
        .flat_map(|schema| schema.node().properties.keys())
        .collect();
    let path = |choices: &mut Choices<'_>| match choices.below(6) {
        0 => "/metadata/labels".to_owned(),
        1 => "/metadata/finalizers/-".to_owned(),
        2 if !fields.is_empty() => format!("/{}/{}", choices.pick(&fields), choices.text()),
        3 if !fields.is_empty() => format!("/{}", choices.pick(&fields)),
        4 => (*choices.pick(&[
            "",
            "/",
            "//",
            "/metadata",
            "/metadata/name",
            "/kind",
            "/~2",
            "/data/~1~0",
            "a",
            "/0",
        ]))
        .to_owned(),
        _ => format!("/metadata/annotations/{}", choices.text()),
    };
    let (to, from) = (path(choices), path(choices));
    let name = choices.pick(&["add", "replace", "remove", "move", "copy", "test", "", "x"]);
    let mut operation = json!({ "op": name, "path": to, "from": from, "value": odd(choices) });
    if choices.one_in(8) {
        let fields = operation.as_object_mut().expect("an object");
        fields.remove(*choices.pick(&["op", "path", "from", "value"]));
    }
    operation
}

/// Damages bytes here and there, and compresses them.
fn finish(choices: &mut Choices<'_>, mut bytes: Vec<u8>, form: &str) -> Body {
    if choices.one_in(8) {
        bytes = (0..choices.below(40)).map(|_| choices.byte()).collect();
    }
    if choices.one_in(5) && !bytes.is_empty() {
        for _ in 0..=choices.below(4) {
            let place = choices.below(bytes.len());
            match choices.below(4) {
                0 => bytes[place] = choices.byte(),
                1 => bytes.insert(place, choices.byte()),
                2 => bytes.truncate(place.max(1)),
                _ => bytes[place] ^= 1 << choices.below(8),
            }
        }
    }
    let gzip = choices.one_in(10);
    if gzip && !choices.one_in(4) {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&bytes).expect("a Vec takes all bytes");
        bytes = encoder.finish().expect("a Vec takes all bytes");
    }
    Body {
        bytes,
        form: form.to_owned(),
        gzip,
    }
}
