//! Which kind has which rule, and the rules of kinds that run no Pods.

use serde_json::Value;

use super::{
    Readiness,
    conditions::{Condition, all, find_true, text},
    pods::{job, pod},
    workloads::{daemon_set, deployment, replica_set, stateful_set},
};

/// Decides for an object that is not being deleted and whose controller is not known to lag.
pub(super) type Rule = fn(&Value) -> Readiness;

/// The rule of the object's kind, if it has one of its own.
pub(super) fn rule(object: &Value) -> Option<Rule> {
    let group = text(&object["apiVersion"])
        .split_once('/')
        .map_or("", |(group, _)| group);
    Some(match (group, text(&object["kind"])) {
        ("", "ConfigMap" | "Secret") | ("batch", "CronJob") | ("policy", "PodDisruptionBudget") => always,
        ("", "PersistentVolume") => volume,
        ("", "PersistentVolumeClaim") => claim,
        ("", "Pod") => pod,
        ("", "Service") => service,
        ("apiextensions.k8s.io", "CustomResourceDefinition") => definition,
        ("apiregistration.k8s.io", "APIService") => api_service,
        ("apps", "DaemonSet") => daemon_set,
        ("apps", "Deployment") => deployment,
        ("apps", "ReplicaSet") => replica_set,
        ("apps", "StatefulSet") => stateful_set,
        ("batch", "Job") => job,
        _ => return None,
    })
}

fn always(_: &Value) -> Readiness {
    Readiness::Ready
}

/// Without a phase no controller cares for volumes here, and there is nothing to wait for.
fn volume(object: &Value) -> Readiness {
    match text(&object["status"]["phase"]) {
        "Pending" => Readiness::pending("NotAvailable", "the PersistentVolume is not available"),
        "Failed" => Readiness::failed("VolumeFailed", "the PersistentVolume could not be reclaimed"),
        _ => Readiness::Ready,
    }
}

/// A claim that waits for its first consumer is pending too: whoever wants to go on without, orders the consumer beside it.
fn claim(object: &Value) -> Readiness {
    match text(&object["status"]["phase"]) {
        "Bound" => Readiness::Ready,
        "Lost" => Readiness::failed("ClaimLost", "the PersistentVolumeClaim has lost its volume"),
        _ => Readiness::pending("NotBound", "the PersistentVolumeClaim is not bound"),
    }
}

fn service(object: &Value) -> Readiness {
    let spec = &object["spec"];
    let filled = |list: &Value| list.as_array().is_some_and(|items| !items.is_empty());
    let addressed = !text(&spec["clusterIP"]).is_empty()
        && (filled(&object["status"]["loadBalancer"]["ingress"]) || filled(&spec["externalIPs"]));
    Readiness::ready_if(spec["type"] != "LoadBalancer" || addressed, || {
        Readiness::pending("NoAddress", "the Service has no address from its load balancer")
    })
}

fn definition(object: &Value) -> Readiness {
    let decided = all(object).find_map(|condition| match condition {
        Condition {
            kind: "NamesAccepted",
            status: "False",
            ..
        } => Some(condition.failed(object)),
        Condition {
            kind: "Established",
            status: "False",
            reason,
            ..
        } if reason != "Installing" => Some(condition.failed(object)),
        Condition {
            kind: "Established",
            status: "True",
            ..
        } => Some(Readiness::Ready),
        _ => None,
    });
    decided.unwrap_or_else(|| Readiness::pending("Installing", "the CustomResourceDefinition is not established"))
}

fn api_service(object: &Value) -> Readiness {
    Readiness::ready_if(find_true(object, "Available").is_some(), || {
        Readiness::pending("NotAvailable", "the APIService is not available")
    })
}
