//! What the server sets in a pod: defaults, admission, status.

use serde_json::{Value, json};

use super::template;
use crate::{
    kinds::edit,
    validation::{At, Quantity},
};

/// Defaults that depend on other fields: requests are limits, ports of the host's network are those of the host.
pub(super) fn defaults(pod: &mut Value) {
    sync_ips(pod);
    let Some(spec) = pod.get_mut("spec") else { return };
    template::spec_defaults(spec);
    if edit::number(spec, &["terminationGracePeriodSeconds"]) < 0 {
        edit::set(spec, &["terminationGracePeriodSeconds"], json!(1));
    }
    edit::set_default(spec, &["enableServiceLinks"], json!(true));
    let host_network = edit::get(spec, &["hostNetwork"]) == &json!(true);
    for list in ["containers", "initContainers"] {
        for container in edit::items_mut(spec, &[list]) {
            let limits = edit::get(container, &["resources", "limits"]).clone();
            for (name, limit) in limits.as_object().into_iter().flatten() {
                edit::set_default(container, &["resources", "requests", name], limit.clone());
            }
            if host_network {
                for port in edit::items_mut(container, &["ports"]) {
                    let number = edit::get(port, &["containerPort"]).clone();
                    edit::set_default(port, &["hostPort"], number);
                }
            }
        }
    }
}

/// `DefaultTolerationSeconds` and `Priority`. The latter knows no priority classes but those of the system.
pub(super) fn admit(pod: &mut Value) {
    for taint in ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"] {
        let tolerations = At::root(pod).get("spec").get("tolerations");
        let covers = |it: At<'_>| {
            let (key, effect) = (it.get("key"), it.get("effect"));
            (key.is(taint) || key.is_empty()) && (effect.is("NoExecute") || effect.is_empty())
        };
        if tolerations.items().any(covers) {
            continue;
        }
        let mut list = tolerations.value.as_array().cloned().unwrap_or_default();
        list.push(json!({"key": taint, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}));
        edit::set(pod, &["spec", "tolerations"], list.into());
    }
    let priority = match edit::text(pod, &["spec", "priorityClassName"]) {
        "system-cluster-critical" => 2_000_000_000,
        "system-node-critical" => 2_000_001_000,
        _ => 0,
    };
    edit::set_default(pod, &["spec", "priority"], json!(priority));
    edit::set_default(pod, &["spec", "preemptionPolicy"], json!("PreemptLowerPriority"));
}

/// The status of a new pod.
pub(super) fn create(pod: &mut Value) {
    if !At::root(pod).get("spec").get("schedulingGates").is_empty() {
        let now = edit::get(pod, &["metadata", "creationTimestamp"]).clone();
        let condition = json!({
            "type": "PodScheduled", "status": "False", "reason": "SchedulingGated", "lastProbeTime": null, "lastTransitionTime": now,
            "message": "Scheduling is blocked due to non-empty scheduling gates",
        });
        edit::set(pod, &["status", "conditions"], json!([condition]));
    }
    let class = qos_class(pod);
    edit::set(pod, &["status", "qosClass"], class.into());
}

/// What an update of the status does not change.
pub(super) fn status(new: &mut Value, old: &Value) {
    edit::keep(new, old, &["metadata", "ownerReferences"]);
    edit::remove(new, &["metadata", "deletionTimestamp"]);
    for name in ["qosClass", "resourceClaimStatuses", "observedGeneration"] {
        if At::root(new).get("status").get(name).is_empty() {
            edit::keep(new, old, &["status", name]);
        }
    }
}

/// `podIP` is the first of `podIPs` (conversion to the internal version).
pub(super) fn sync_ips(pod: &mut Value) {
    let status = At::root(pod).get("status");
    let (single, list) = (status.get("podIP"), status.get("podIPs"));
    let first = list.items().next().map(|it| it.get("ip").text().to_owned());
    if single.is_empty() {
        if let Some(first) = first {
            edit::set(pod, &["status", "podIP"], first.into());
        }
    } else if first.as_deref() != Some(single.text()) {
        let ips = json!([{"ip": single.value}]);
        edit::set(pod, &["status", "podIPs"], ips);
    }
}

/// `Guaranteed`, `Burstable` or `BestEffort` (`pkg/apis/core/v1/helper/qos`).
pub fn qos_class(pod: &Value) -> &'static str {
    let spec = At::root(pod).get("spec");
    let positive = |list: &At<'_>, name: &str| {
        let quantity = Quantity::of(list.key(name).value);
        (quantity > Quantity::of(&Value::Null)).then_some(quantity)
    };
    let (mut any, mut guaranteed) = (false, true);
    for list in ["containers", "initContainers"] {
        for container in spec.get(list).items() {
            let resources = container.get("resources");
            for name in ["cpu", "memory"] {
                let limit = positive(&resources.get("limits"), name);
                let request = positive(&resources.get("requests"), name);
                any |= limit.is_some() || request.is_some();
                let equal = request.is_none() || request == limit;
                guaranteed &= limit.is_some() && equal;
            }
        }
    }
    match (any, guaranteed) {
        (false, _) => "BestEffort",
        (true, true) => "Guaranteed",
        (true, false) => "Burstable",
    }
}
