//! `EndpointSlices`.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::TRIGGER;
use super::pods::{groups, host_name, is_beside, labels, target};
use crate::control::workloads::action::{Plan, Verb};
use crate::control::workloads::labels::label;
use crate::control::workloads::owner::{controller_reference, is_deleted, name};
use crate::control::workloads::pod::is_ready;
use crate::control::workloads::time;
use crate::read::{is_true, some_text, text};

const SERVICE: &str = "kubernetes.io/service-name";
const MANAGER: (&str, &str) = (
    "endpointslice.kubernetes.io/managed-by",
    "endpointslice-controller.k8s.io",
);
/// Endpoints in one slice.
const MOST: usize = 100;

/// What the `EndpointSlice` controller would do now. `pods`, `nodes` and `slices` are those that there are.
pub fn reconcile_endpoint_slices(
    service: &Value,
    pods: &[&Value],
    nodes: &[&Value],
    slices: &[&Value],
    now: Timestamp,
) -> Plan {
    let mut plan = Plan::default();
    let Some(groups) = groups(service, pods, true) else {
        return plan;
    };
    let is_own = |slice: &&&Value| {
        is_beside(service, slice)
            && label(slice, SERVICE) == Some(name(service))
            && label(slice, MANAGER.0) == Some(MANAGER.1)
    };
    let mut free: Vec<&Value> = slices.iter().filter(is_own).copied().collect();
    let labels = labels(service, &[MANAGER, (SERVICE, name(service))]);
    let mut wanted = Vec::new();
    for (ports, pods) in &groups {
        for pods in pods.chunks(MOST) {
            let endpoints: Vec<Value> = pods.iter().map(|pod| endpoint(service, pod, nodes)).collect();
            wanted.push((ports.clone(), Value::Array(endpoints)));
        }
    }
    if wanted.is_empty() {
        // A Service without Pods has one empty slice.
        wanted.push((Value::Null, Value::Null));
    }
    for (ports, endpoints) in wanted {
        // A slice with the same ports is changed rather than replaced.
        let at = free
            .iter()
            .position(|slice| slice["ports"] == ports)
            .or_else(|| (!free.is_empty()).then_some(0));
        let slice = at.map(|at| free.remove(at));
        write_slice(service, slice, &labels, (ports, endpoints), now, &mut plan);
    }
    free.into_iter().for_each(|slice| plan.delete(slice, None));
    plan
}

fn write_slice(
    service: &Value,
    slice: Option<&Value>,
    labels: &Value,
    (ports, endpoints): (Value, Value),
    now: Timestamp,
    plan: &mut Plan,
) {
    let family = if text(service, "/spec/ipFamilies/0") == "IPv6" {
        "IPv6"
    } else {
        "IPv4"
    };
    let Some(slice) = slice else {
        let metadata = json!({
            "generateName": format!("{}-", name(service)),
            "namespace": text(service, "/metadata/namespace"),
            "labels": labels,
            "annotations": { TRIGGER: time::written(now) },
            "ownerReferences": [controller_reference(service)],
        });
        plan.push(Verb::Create(json!({
            "apiVersion": "discovery.k8s.io/v1",
            "kind": "EndpointSlice",
            "metadata": metadata,
            "addressType": family,
            "endpoints": endpoints,
            "ports": ports,
        })));
        return;
    };
    if slice["endpoints"] == endpoints && slice["ports"] == ports && slice["metadata"]["labels"] == *labels {
        return;
    }
    let mut changed = slice.clone();
    changed["metadata"]["labels"] = labels.clone();
    changed["metadata"]["annotations"][TRIGGER] = time::written(now);
    changed["endpoints"] = endpoints;
    changed["ports"] = ports;
    plan.push(Verb::Update(changed));
}

fn endpoint(service: &Value, pod: &Value, nodes: &[&Value]) -> Value {
    let (is_serving, is_terminating) = (is_ready(pod), is_deleted(pod));
    let is_early = is_true(service, "/spec/publishNotReadyAddresses");
    let mut endpoint = json!({
        "addresses": [text(pod, "/status/podIP")],
        "conditions": {
            "ready": is_early || (is_serving && !is_terminating),
            "serving": is_serving,
            "terminating": is_terminating,
        },
        "targetRef": target(pod),
    });
    if let Some(node_name) = some_text(pod, "/spec/nodeName") {
        endpoint["nodeName"] = json!(node_name);
        let node = nodes.iter().find(|node| name(node) == node_name);
        if let Some(zone) = node.and_then(|node| label(node, "topology.kubernetes.io/zone")) {
            endpoint["zone"] = json!(zone);
        }
    }
    if let Some(host) = host_name(service, pod) {
        endpoint["hostname"] = json!(host);
    }
    endpoint
}
