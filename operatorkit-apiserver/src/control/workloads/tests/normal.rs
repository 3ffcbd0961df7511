//! Objects without what differs from run to run: UIDs, times, addresses, random names and hashes.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Value, json};

use crate::control::workloads::labels::label;
use crate::control::workloads::owner::name;
use crate::read::{items, text};

/// What differs from run to run, and what stands for it.
static PATTERNS: LazyLock<[(Regex, &str); 4]> = LazyLock::new(|| {
    [
        (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "TIME"),
        (
            r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|uid-\d{5}",
            "UID",
        ),
        (r"10\.\d+\.\d+\.\d+", "IP"),
        (r"((?:web-<[^>]*>|agent|work(?:-\d)?)-)([a-z0-9]{5})\b", "${1}NAME"),
    ]
    .map(|(pattern, stands)| (Regex::new(pattern).unwrap(), stands))
});

/// The objects as text, each on a line, in order.
pub(super) fn lines(objects: &[Value]) -> Vec<String> {
    let hashes = hashes(objects);
    let mut lines: Vec<String> = objects
        .iter()
        .filter_map(reduced)
        .map(|object| line(&object, &hashes))
        .collect();
    lines.sort();
    lines
}

/// Events as text, each once. They tell of `ReplicaSets` that are gone: their hashes are left out.
pub(super) fn events(events: &[String]) -> Vec<String> {
    let hash = Regex::new(r"web-[a-z0-9]{7,10}\b").unwrap();
    let event = |event: &String| replaced(&hash.replace_all(event, "web-<>"), &BTreeMap::new());
    let mut lines: Vec<String> = events.iter().map(event).collect();
    lines.sort();
    lines.dedup();
    lines
}

/// What the controllers write of an object; the rest is the server's.
fn reduced(object: &Value) -> Option<Value> {
    let mut metadata = object["metadata"].clone();
    let metadata_of = metadata.as_object_mut()?;
    for field in [
        "uid",
        "resourceVersion",
        "generation",
        "namespace",
        "creationTimestamp",
        "finalizers",
    ] {
        if field != "finalizers" || text(object, "/kind") == "PersistentVolumeClaim" {
            metadata_of.remove(field);
        }
    }
    // The real controllers leave the time out of a write that no Pod and no Service has caused.
    if let Some(annotations) = metadata_of.get_mut("annotations").and_then(Value::as_object_mut) {
        annotations.remove("endpoints.kubernetes.io/last-change-trigger-time");
    }
    metadata_of.retain(|_, value| value.as_object().is_none_or(|map| !map.is_empty()) && !value.is_null());
    let prefix = text(object, "/metadata/generateName");
    if !prefix.is_empty() && !name(object).ends_with(char::is_numeric) || label(object, "pod-template-hash").is_some() {
        metadata_of.remove("name");
    }
    if !prefix.is_empty() && label(object, "statefulset.kubernetes.io/pod-name").is_none() {
        metadata_of.remove("name");
    }
    let mut kept = json!({ "kind": object["kind"], "metadata": metadata });
    match text(object, "/kind") {
        "Pod" => {
            for field in ["nodeName", "hostname", "subdomain", "volumes"] {
                kept["spec"][field] = object["spec"][field].clone();
            }
            kept["status"] = object["status"]["phase"].clone();
        }
        "ReplicaSet" => {
            kept["spec"] = json!([object["spec"]["replicas"], object["spec"]["selector"]]);
            kept["template"] = object["spec"]["template"]["metadata"].clone();
            kept["status"] = object["status"].clone();
        }
        "Deployment" | "StatefulSet" | "DaemonSet" | "Job" => kept["status"] = object["status"].clone(),
        "ControllerRevision" => {
            kept["data"] = object["data"].clone();
            kept["revision"] = object["revision"].clone();
        }
        "EndpointSlice" => kept["slice"] = json!([object["addressType"], object["endpoints"], object["ports"]]),
        "Endpoints" => kept["subsets"] = object["subsets"].clone(),
        "PersistentVolumeClaim" => {}
        _ => return None,
    }
    if let Some(status) = kept.get_mut("status").and_then(Value::as_object_mut) {
        status.remove("observedGeneration");
    }
    Some(kept)
}

/// Each hash of a template, and what stands for it.
fn hashes(objects: &[Value]) -> BTreeMap<String, String> {
    let mut hashes = BTreeMap::new();
    for object in objects {
        let (key, template) = match text(object, "/kind") {
            "ReplicaSet" => ("pod-template-hash", &object["spec"]["template"]),
            "ControllerRevision" => ("controller-revision-hash", &object["data"]["spec"]["template"]),
            _ => continue,
        };
        let Some(hash) = label(object, key) else { continue };
        let image = items(template, "/spec/containers")
            .first()
            .map_or("", |container| text(container, "/image"));
        let outcome = text(template, "/metadata/annotations/operatorkit.dev~1test-outcome");
        let selector = template["spec"]["nodeSelector"].to_string();
        hashes.insert(hash.to_owned(), format!("<{image}{outcome}{selector}>"));
    }
    hashes
}

fn line(object: &Value, hashes: &BTreeMap<String, String>) -> String {
    replaced(&object.to_string(), hashes)
}

fn replaced(text: &str, hashes: &BTreeMap<String, String>) -> String {
    let mut text = text.to_owned();
    for (hash, stands) in hashes {
        text = text.replace(hash, stands);
    }
    for (pattern, stands) in PATTERNS.iter() {
        text = pattern.replace_all(&text, *stands).into_owned();
    }
    text
}
