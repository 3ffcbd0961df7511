//! Which nodes are to have a Pod of a `DaemonSet`, and what puts the Pod on its node.

use std::cmp::Ordering;

use serde_json::{Value, json};

use crate::control::workloads::node::{is_tolerated, is_wanted};
use crate::control::workloads::owner::name;
use crate::control::workloads::time::created;
use crate::read::{is_true, items, some_text, text};

const REQUIRED: &str = "/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution";

/// Whether a node is to get a Pod, and whether one that is there can stay.
pub(super) fn should_run(set: &Value, node: &Value) -> (bool, bool) {
    let mut spec = set.pointer("/spec/template/spec").cloned().unwrap_or_else(|| json!({}));
    let is_other = some_text(&spec, "/nodeName").is_some_and(|wanted| wanted != name(node));
    if is_other || !is_wanted(&spec, node) {
        return (false, false);
    }
    tolerate(&mut spec);
    let tolerations = items(&spec, "/tolerations");
    let can_start = is_tolerated(tolerations, node, &["NoSchedule", "NoExecute"]);
    (can_start, can_start || is_tolerated(tolerations, node, &["NoExecute"]))
}

/// Lets a Pod be where nodes have trouble: it is a part of the node.
pub(super) fn tolerate(spec: &mut Value) {
    let mut wanted = vec![
        ("not-ready", "NoExecute"),
        ("unreachable", "NoExecute"),
        ("disk-pressure", "NoSchedule"),
        ("memory-pressure", "NoSchedule"),
        ("pid-pressure", "NoSchedule"),
        ("unschedulable", "NoSchedule"),
    ];
    if is_true(spec, "/hostNetwork") {
        wanted.push(("network-unavailable", "NoSchedule"));
    }
    let mut tolerations = items(spec, "/tolerations").to_vec();
    for (trouble, effect) in wanted {
        let toleration =
            json!({ "key": format!("node.kubernetes.io/{trouble}"), "operator": "Exists", "effect": effect });
        if !tolerations.contains(&toleration) {
            tolerations.push(toleration);
        }
    }
    spec["tolerations"] = Value::Array(tolerations);
}

/// Lets a Pod be on this node only.
pub(super) fn pin(spec: &mut Value, node: &str) {
    let field = json!({ "key": "metadata.name", "operator": "In", "values": [node] });
    let terms = json!([{ "matchFields": [field] }]);
    spec["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"] = terms;
}

/// The node that a Pod is on, or is to be on; empty for none.
pub(super) fn node_of(pod: &Value) -> &str {
    if let Some(node) = some_text(pod, "/spec/nodeName") {
        return node;
    }
    let terms = pod.pointer("/spec").and_then(|spec| spec.pointer(REQUIRED));
    let terms = terms.map_or(&[][..], |required| items(required, "/nodeSelectorTerms"));
    let fields = terms.iter().flat_map(|term| items(term, "/matchFields"));
    let mut fields = fields.filter(|field| text(field, "/key") == "metadata.name");
    fields.next().map_or("", |field| text(field, "/values/0"))
}

/// Pods on a node before those that are not, then the older, then by name.
pub(super) fn by_age(a: &Value, b: &Value) -> Ordering {
    let is_placed = |pod| some_text(pod, "/spec/nodeName").is_some();
    is_placed(b)
        .cmp(&is_placed(a))
        .then_with(|| created(a).cmp(&created(b)))
        .then_with(|| name(a).cmp(name(b)))
}
