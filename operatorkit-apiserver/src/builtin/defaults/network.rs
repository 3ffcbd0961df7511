//! Services, network policies.

use serde_json::{Value, json};

use super::field::{Fields, default, default_empty, filled, items, object, text};

/// Fields that depend on the type of the service.
pub(super) fn service(fields: &mut Fields) {
    let Some(spec) = object(fields, "spec") else { return };
    default_empty(spec, "type", "ClusterIP");
    default_empty(spec, "sessionAffinity", "None");
    affinity(spec);
    items(spec, "ports").for_each(target_port);
    let type_ = text(spec, "type").to_owned();
    let balanced = type_ == "LoadBalancer";
    let outside = balanced || type_ == "NodePort" || (type_ == "ClusterIP" && filled(spec, "externalIPs"));
    if outside {
        default_empty(spec, "externalTrafficPolicy", "Cluster");
    }
    if matches!(&*type_, "NodePort" | "LoadBalancer" | "ClusterIP") {
        default(spec, "internalTrafficPolicy", "Cluster");
    }
    if balanced {
        default(spec, "allocateLoadBalancerNodePorts", true);
        if let Some(balancer) = object(fields, "status").and_then(|status| object(status, "loadBalancer")) {
            items(balancer, "ingress")
                .filter(|it| filled(it, "ip"))
                .for_each(|it| default(it, "ipMode", "VIP"));
        }
    }
}

fn affinity(spec: &mut Fields) {
    match text(spec, "sessionAffinity") {
        "None" => drop(spec.remove("sessionAffinityConfig")),
        // What a configuration without a timeout has is filled in by its type.
        "ClientIP" => default(spec, "sessionAffinityConfig", json!({})),
        _ => {}
    }
}

/// The port of the Pods is that of the service.
fn target_port(port: &mut Fields) {
    let number = port.get("port").cloned().unwrap_or(Value::from(0));
    default_empty(port, "targetPort", number);
}

/// A policy is about what comes in, and about what goes out if it says so.
pub(super) fn policy(fields: &mut Fields) {
    let types = if filled(fields, "egress") {
        json!(["Ingress", "Egress"])
    } else {
        json!(["Ingress"])
    };
    default_empty(fields, "policyTypes", types);
}
