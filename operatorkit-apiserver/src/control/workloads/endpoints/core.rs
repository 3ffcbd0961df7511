//! Endpoints, the older form: one object for a Service.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::TRIGGER;
use super::pods::{groups, host_name, is_beside, labels, target};
use crate::control::workloads::action::{Plan, Reference, Verb};
use crate::control::workloads::owner::name;
use crate::control::workloads::pod::is_ready;
use crate::control::workloads::time;
use crate::read::{is_true, some_text, text};

const MANAGER: (&str, &str) = ("endpoints.kubernetes.io/managed-by", "endpoint-controller");

/// What the Endpoints controller would do now. `endpoints` are those of the namespace.
pub fn reconcile_endpoints(service: &Value, pods: &[&Value], endpoints: &[&Value], now: Timestamp) -> Plan {
    let mut plan = Plan::default();
    let is_early = is_true(service, "/spec/publishNotReadyAddresses");
    let Some(groups) = groups(service, pods, is_early) else {
        return plan;
    };
    let labels = labels(service, &[MANAGER]);
    let subsets: Vec<Value> = groups
        .iter()
        .map(|(ports, pods)| subset(service, ports, pods))
        .collect();
    let subsets = if subsets.is_empty() {
        Value::Null
    } else {
        Value::Array(subsets)
    };
    let known = endpoints
        .iter()
        .find(|of| is_beside(service, of) && name(of) == name(service));
    let mut written = match known {
        Some(known) if known["metadata"]["labels"] == labels && known["subsets"] == subsets => return plan,
        Some(known) => (*known).clone(),
        None => {
            let metadata = json!({ "name": name(service), "namespace": text(service, "/metadata/namespace") });
            json!({ "apiVersion": "v1", "kind": "Endpoints", "metadata": metadata })
        }
    };
    written["metadata"]["labels"] = labels;
    written["metadata"]["annotations"][TRIGGER] = time::written(now);
    written["subsets"] = subsets;
    if written["subsets"].is_null() {
        written.as_object_mut().and_then(|written| written.remove("subsets"));
    }
    plan.push(if known.is_some() {
        Verb::Update(written)
    } else {
        Verb::Create(written)
    });
    plan
}

/// What the Endpoints controller would do now that there is no Service of this name: `ended` if there was one, whose Endpoints go
/// with it, whoever made them. They have no owner that the garbage collector would see.
pub fn reconcile_left_endpoints(endpoints: &Value, ended: bool) -> Plan {
    let mut plan = Plan::default();
    let (label, manager) = MANAGER;
    if ended || endpoints["metadata"]["labels"][label] == manager {
        plan.push(Verb::Delete {
            object: Reference::to(endpoints),
            grace_period: None,
            propagation: "",
        });
    }
    plan
}

fn subset(service: &Value, ports: &Value, pods: &[&Value]) -> Value {
    let is_early = is_true(service, "/spec/publishNotReadyAddresses");
    let (ready, unready): (Vec<&Value>, Vec<&Value>) = pods.iter().copied().partition(|pod| is_early || is_ready(pod));
    let address = |pod: &Value| {
        let mut address = json!({ "ip": text(pod, "/status/podIP"), "targetRef": target(pod) });
        if let Some(node) = some_text(pod, "/spec/nodeName") {
            address["nodeName"] = json!(node);
        }
        if let Some(host) = host_name(service, pod) {
            address["hostname"] = json!(host);
        }
        address
    };
    let mut subset = Map::new();
    for (name, pods) in [("addresses", ready), ("notReadyAddresses", unready)] {
        if !pods.is_empty() {
            subset.insert(name.to_owned(), pods.into_iter().map(address).collect());
        }
    }
    let mut ports = ports.clone();
    for port in ports
        .as_array_mut()
        .into_iter()
        .flatten()
        .filter_map(Value::as_object_mut)
    {
        // Core Endpoints leave an empty name out.
        if port.get("name").and_then(Value::as_str) == Some("") {
            port.remove("name");
        }
    }
    if !ports.is_null() {
        subset.insert("ports".to_owned(), ports);
    }
    Value::Object(subset)
}
