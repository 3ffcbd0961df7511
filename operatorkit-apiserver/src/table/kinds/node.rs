//! Nodes, and the health of the control plane: components and `APIServices`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::read::{condition, has, is_true, items, some_text, text};

pub(super) fn status(node: &Value) -> Value {
    let ready = items(node, "/status/conditions")
        .iter()
        .rfind(|condition| text(condition, "/type") == "Ready");
    let status = match ready.map(|ready| text(ready, "/status")) {
        Some("True") => "Ready",
        Some(_) => "NotReady",
        None => "Unknown",
    };
    json!(if is_true(node, "/spec/unschedulable") {
        format!("{status},SchedulingDisabled")
    } else {
        status.to_owned()
    })
}

/// `control-plane,worker`, from the labels.
pub(super) fn roles(node: &Value) -> Value {
    let labels = node.pointer("/metadata/labels").and_then(Value::as_object);
    let role = |(key, value): (&'_ String, &'_ Value)| match key.strip_prefix("node-role.kubernetes.io/") {
        Some(role) => Some(role.to_owned()),
        None if key == "kubernetes.io/role" => value.as_str().map(str::to_owned),
        None => None,
    };
    let roles: BTreeSet<String> = labels
        .into_iter()
        .flatten()
        .filter_map(role)
        .filter(|role| !role.is_empty())
        .collect();
    let roles: Vec<String> = roles.into_iter().collect();
    json!(if roles.is_empty() {
        "<none>".to_owned()
    } else {
        roles.join(",")
    })
}

pub(super) fn internal_ip(node: &Value) -> Value {
    address(node, "InternalIP")
}

pub(super) fn external_ip(node: &Value) -> Value {
    address(node, "ExternalIP")
}

fn address(node: &Value, kind: &str) -> Value {
    json!(condition(node, "/status/addresses", kind).map_or("<none>", |address| text(address, "/address")))
}

pub(super) fn os_image(node: &Value) -> Value {
    json!(some_text(node, "/status/nodeInfo/osImage").unwrap_or("<unknown>"))
}

pub(super) fn kernel_version(node: &Value) -> Value {
    let version = some_text(node, "/status/nodeInfo/kernelVersion").unwrap_or("<unknown>");
    json!(match some_text(node, "/status/nodeInfo/architecture") {
        Some(architecture) => format!("{version} ({architecture})"),
        None => version.to_owned(),
    })
}

pub(super) fn container_runtime(node: &Value) -> Value {
    json!(some_text(node, "/status/nodeInfo/containerRuntimeVersion").unwrap_or("<unknown>"))
}

pub(super) fn component(component: &Value) -> Value {
    json!(
        match condition(component, "/conditions", "Healthy").map(|healthy| text(healthy, "/status")) {
            Some("True") => "Healthy",
            Some(_) => "Unhealthy",
            None => "Unknown",
        }
    )
}

pub(super) fn component_message(component: &Value) -> Value {
    json!(condition(component, "/conditions", "Healthy").map_or("", |healthy| text(healthy, "/message")))
}

pub(super) fn component_error(component: &Value) -> Value {
    json!(condition(component, "/conditions", "Healthy").map_or("", |healthy| text(healthy, "/error")))
}

/// Who serves the group: `namespace/service`, or `Local`.
pub(super) fn api_service(service: &Value) -> Value {
    if !has(service, "/spec/service") {
        return json!("Local");
    }
    json!(format!(
        "{}/{}",
        text(service, "/spec/service/namespace"),
        text(service, "/spec/service/name")
    ))
}

pub(super) fn api_available(service: &Value) -> Value {
    let Some(available) = condition(service, "/status/conditions", "Available") else {
        return json!("Unknown");
    };
    let status = text(available, "/status");
    json!(match some_text(available, "/reason") {
        Some(reason) if status != "True" => format!("{status} ({reason})"),
        _ => status.to_owned(),
    })
}
