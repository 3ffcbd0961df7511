//! The Pods of a Service, and the ports at which they serve it.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::control::workloads::labels::has_all;
use crate::control::workloads::owner::{is_deleted, name, uid};
use crate::control::workloads::pod::is_ended;
use crate::read::{has, integer, items, some_text, text};

const HEADLESS: &str = "service.kubernetes.io/headless";

/// The Pods of a Service by the ports at which they serve it. `None` for a Service that has no selector, or no Pods to
/// have by its type.
pub(super) fn groups<'a>(
    service: &Value,
    pods: &[&'a Value],
    with_terminating: bool,
) -> Option<Vec<(Value, Vec<&'a Value>)>> {
    let selector = service
        .pointer("/spec/selector")
        .and_then(Value::as_object)
        .filter(|labels| !labels.is_empty())?;
    if text(service, "/spec/type") == "ExternalName" || is_deleted(service) {
        return None;
    }
    let mut groups: BTreeMap<String, (Value, Vec<&Value>)> = BTreeMap::new();
    for pod in pods
        .iter()
        .copied()
        .filter(|pod| is_beside(service, pod) && has_all(pod, selector))
    {
        let is_in = !is_ended(pod) && has(pod, "/status/podIP") && (with_terminating || !is_deleted(pod));
        if !is_in {
            continue;
        }
        let ports = ports(service, pod);
        if ports.is_null() && !is_headless(service) {
            continue;
        }
        groups
            .entry(ports.to_string())
            .or_insert_with(|| (ports, Vec::new()))
            .1
            .push(pod);
    }
    let mut groups: Vec<(Value, Vec<&Value>)> = groups.into_values().collect();
    groups
        .iter_mut()
        .for_each(|(_, pods)| pods.sort_by_key(|pod| (text(pod, "/status/podIP"), uid(pod))));
    Some(groups)
}

/// The ports of a Pod for a Service; null for none.
fn ports(service: &Value, pod: &Value) -> Value {
    let port = |port: &Value| {
        let mut found = Map::new();
        found.insert("name".to_owned(), json!(text(port, "/name")));
        found.insert("port".to_owned(), json!(number(port, pod)?));
        found.insert(
            "protocol".to_owned(),
            json!(some_text(port, "/protocol").unwrap_or("TCP")),
        );
        if let Some(protocol) = some_text(port, "/appProtocol") {
            found.insert("appProtocol".to_owned(), json!(protocol));
        }
        Some(Value::Object(found))
    };
    let ports: Vec<Value> = items(service, "/spec/ports").iter().filter_map(port).collect();
    if ports.is_empty() {
        Value::Null
    } else {
        Value::Array(ports)
    }
}

/// The number of a port, which can be named in the Pod.
fn number(port: &Value, pod: &Value) -> Option<i64> {
    let target = match port.get("targetPort") {
        Some(Value::Number(number)) => return number.as_i64(),
        Some(Value::String(name)) if !name.is_empty() => name.as_str(),
        _ => return Some(integer(port, "/port")),
    };
    let protocol = some_text(port, "/protocol").unwrap_or("TCP");
    let sidecars = items(pod, "/spec/initContainers")
        .iter()
        .filter(|init| text(init, "/restartPolicy") == "Always");
    let containers = items(pod, "/spec/containers").iter().chain(sidecars);
    let is_it = |of: &&Value| text(of, "/name") == target && some_text(of, "/protocol").unwrap_or("TCP") == protocol;
    let mut found = containers
        .flat_map(|container| items(container, "/ports"))
        .filter(is_it);
    found.next().map(|of| integer(of, "/containerPort"))
}

pub(super) fn target(pod: &Value) -> Value {
    json!({
        "kind": "Pod",
        "namespace": text(pod, "/metadata/namespace"),
        "name": name(pod),
        "uid": uid(pod),
    })
}

/// The host name that a Pod has in the domain of the Service.
pub(super) fn host_name<'a>(service: &Value, pod: &'a Value) -> Option<&'a str> {
    some_text(pod, "/spec/hostname").filter(|_| text(pod, "/spec/subdomain") == name(service))
}

fn is_headless(service: &Value) -> bool {
    matches!(text(service, "/spec/clusterIP"), "None" | "")
}

pub(super) fn is_beside(service: &Value, object: &Value) -> bool {
    text(service, "/metadata/namespace") == text(object, "/metadata/namespace")
}

/// The Service's labels with those of the controller.
pub(super) fn labels(service: &Value, own: &[(&str, &str)]) -> Value {
    let mut labels = service
        .pointer("/metadata/labels")
        .and_then(Value::as_object)
        .cloned()
        .unwrap_or_default();
    labels.remove(HEADLESS);
    if is_headless(service) {
        labels.insert(HEADLESS.to_owned(), json!(""));
    }
    labels.extend(own.iter().map(|(key, value)| ((*key).to_owned(), json!(value))));
    Value::Object(labels)
}
