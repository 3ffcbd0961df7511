//! Answers of the real server, replayed.

mod budget;
mod definitions;
mod names;
mod objects;
mod properties;
mod rules;
mod scale;
mod updates;

use serde_json::{Value, json};

use super::{CustomVersion, compile};

/// A CRD of one version `v1` with this schema.
fn crd(kind: &str, schema: &Value) -> Value {
    let plural = kind.to_lowercase();
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": format!("{plural}.crd.helpers.example.com") },
        "spec": {
            "group": "crd.helpers.example.com", "scope": "Cluster",
            "names": { "plural": plural, "singular": plural, "kind": kind, "listKind": format!("{kind}List") },
            "versions": [{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema } }],
        },
    })
}

fn version(kind: &str, schema: &Value) -> CustomVersion {
    compile(&crd(kind, schema), "v1").expect("it has the version")
}

/// A cause: its field, its reason, its message.
type Told = (String, String, String);

/// The causes of an answer, in an order of their own: the real server's is that of Go's maps.
fn causes(causes: impl IntoIterator<Item = Told>) -> Vec<Told> {
    let mut causes: Vec<_> = causes.into_iter().collect();
    causes.sort();
    causes
}

fn expected_causes(answer: &Value) -> Vec<Told> {
    let text = |it: &Value| it.as_str().unwrap_or_default().to_owned();
    let found = answer["causes"].as_array().cloned().unwrap_or_default();
    causes(
        found
            .iter()
            .map(|it| (text(&it["field"]), text(&it["reason"]), text(&it["message"]))),
    )
}
