//! What is created.

use serde_json::{Value, json};

use crate::client::Client;

/// The ConfigMaps of the namespace `default`.
pub(crate) const MAPS: &str = "/api/v1/namespaces/default/configmaps";

/// A ConfigMap.
pub(crate) fn map(name: &str) -> Value {
    json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name } })
}

/// A ConfigMap with a value.
pub(crate) fn map_of(name: &str, value: &str) -> Value {
    json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name }, "data": { "value": value } })
}

/// A ConfigMap that this one owns.
pub(crate) fn owned(name: &str, owner: &Value) -> Value {
    let metadata = &owner["metadata"];
    json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": { "name": name, "ownerReferences": [{
            "apiVersion": "v1", "kind": "ConfigMap", "name": metadata["name"], "uid": metadata["uid"],
        }] },
    })
}

/// Creates ConfigMaps of these names in the namespace `default`.
pub(crate) async fn create(client: &Client, names: &[&str]) {
    for name in names {
        client.post(MAPS, &map(name)).await.expect(201);
    }
}

/// The resourceVersion of an object or a list.
#[track_caller]
pub(crate) fn version(object: &Value) -> u64 {
    let version = object["metadata"]["resourceVersion"]
        .as_str()
        .expect("a resourceVersion");
    version.parse().expect("a number")
}

/// The names of the items of a list.
pub(crate) fn names(list: &Value) -> Vec<&str> {
    let items = list["items"].as_array().expect("items");
    items
        .iter()
        .filter_map(|item| item["metadata"]["name"].as_str())
        .collect()
}

/// The definition of `things.example.com`, whose objects have a `spec.size`.
pub(crate) fn things() -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": "things.example.com" },
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": { "plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList" },
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": { "openAPIV3Schema": { "type": "object", "properties": {
                    "spec": { "type": "object", "properties": { "size": { "type": "integer", "default": 1 } } },
                } } },
            }],
        },
    })
}

/// The path of all CRDs.
pub(crate) const CRDS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// The things of the namespace `default`.
pub(crate) const THINGS: &str = "/apis/example.com/v1/namespaces/default/things";
