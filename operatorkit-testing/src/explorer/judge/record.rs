//! What operatorkit stores in the cluster, read by itself: it must stay readable for operators of other versions, so it may be known here.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

const PREFIX: &str = "operatorkit.dev/";
const MARK: &str = "operatorkit.dev/mark";

/// The mark on a child.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct Mark {
    pub(super) resource: String,
    /// The UID of its owner.
    pub(super) uid: String,
    /// It is left behind when it would be deleted.
    #[serde(default)]
    pub(super) keep: bool,
    #[serde(rename = "self")]
    this: Identity,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Identity {
    kind: String,
    #[serde(default)]
    namespace: String,
    name: String,
}

impl Mark {
    /// The mark on an object, whatever it is worth.
    pub(super) fn on(object: &Value) -> Option<Self> {
        let text = object["metadata"]["annotations"][MARK].as_str()?;
        serde_json::from_str(text).ok()
    }

    /// The mark that was put on this very object.
    pub(super) fn put_on(object: &Value) -> Option<Self> {
        let metadata = &object["metadata"];
        Self::on(object).filter(|mark| {
            mark.this.kind == kind(object)
                && mark.this.name == text(&metadata["name"])
                && mark.this.namespace == text(&metadata["namespace"])
        })
    }
}

/// `Deployment.apps`, `ConfigMap`.
pub(super) fn kind(object: &Value) -> String {
    let kind = text(&object["kind"]);
    match text(&object["apiVersion"]).split_once('/') {
        Some((group, _)) => format!("{kind}.{group}"),
        None => kind.to_owned(),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Our finalizers on an object.
pub(super) fn finalizers(object: &Value) -> Vec<&str> {
    let all = object["metadata"]["finalizers"].as_array();
    let all = all.into_iter().flatten().filter_map(Value::as_str);
    all.filter(|name| name.starts_with(PREFIX)).collect()
}

/// The inventory of an object.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub(super) struct Inventory {
    pub(super) nodes: Vec<Node>,
    kinds: Vec<Covered>,
}

/// A resource in an inventory.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct Node {
    #[serde(rename = "n")]
    pub(super) name: String,
    /// What it waits for when it is deleted.
    #[serde(rename = "d", default)]
    pub(super) delete: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Covered {
    #[serde(rename = "k")]
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Kind {
    #[serde(default)]
    group: String,
    kind: String,
}

impl Inventory {
    pub(super) fn of(object: &Value) -> Option<Self> {
        let annotations = object["metadata"]["annotations"].as_object()?;
        let key = |key: &str| key.starts_with("operatorkit.dev/inventory.");
        let (_, text) = annotations.iter().find(|(name, _)| key(name))?;
        serde_json::from_str(text.as_str()?).ok()
    }

    /// Whether children of this kind are looked for.
    pub(super) fn covers(&self, wanted: &str) -> bool {
        self.kinds.iter().any(|it| {
            let Kind { group, kind } = &it.kind;
            if group.is_empty() {
                *kind == wanted
            } else {
                format!("{kind}.{group}") == wanted
            }
        })
    }

    pub(super) fn node(&self, name: &str) -> Option<&Node> {
        self.nodes.iter().find(|node| node.name == name)
    }
}

/// The slots of an object: what is stored of things outside, by resource.
pub(super) fn slots(object: &Value) -> BTreeMap<String, Value> {
    let slots = &object["status"]["operatorkit"]["state"];
    let of_status = serde_json::from_value(slots.clone()).unwrap_or_default();
    let annotations = object["metadata"]["annotations"].as_object();
    let text = annotations.and_then(|all| {
        let (_, text) = all.iter().find(|(key, _)| key.starts_with("operatorkit.dev/state."))?;
        text.as_str()
    });
    text.and_then(|text| serde_json::from_str(text).ok())
        .unwrap_or(of_status)
}

/// What a thing of a resource is tagged with.
pub(super) fn token(uid: &str, resource: &str) -> String {
    let mut hash = Sha256::new();
    for part in [uid, resource] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part.as_bytes());
    }
    let digest = hash.finalize();
    let digits = digest.iter().take(8).map(|byte| format!("{byte:02x}"));
    format!("ok-{}", digits.collect::<String>())
}
