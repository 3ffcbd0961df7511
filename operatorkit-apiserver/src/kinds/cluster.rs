//! Small kinds: `Lease`, `PodDisruptionBudget`, `PriorityClass`, `RuntimeClass`, `Node`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{edit, pod::scheduling, strategy::Strategy, workload::non_negative};
use crate::{
    failure::FieldError,
    validation::{At, Errors, address, condition, names, number, selector},
};

/// `Lease`.
pub static LEASE: Strategy = Strategy {
    create_on_update: true,
    unconditional_update: false,
    kube_finalizers: false,
    prepare: drop_coordination,
    prepare_update: |new, _| drop_coordination(new),
    validate: |object| {
        let spec = At::root(object).get("spec");
        let (duration, transitions) = (spec.get("leaseDurationSeconds"), spec.get("leaseTransitions"));
        let mut errors = Errors::new();
        if duration.int().is_some_and(|it| it <= 0) {
            errors.push(duration.invalid("must be greater than 0"));
        }
        if transitions.number() < 0 {
            errors.push(transitions.invalid("must be greater than or equal to 0"));
        }
        errors
    },
    ..Strategy::NAMESPACED
};

/// The fields of coordinated leader election (KEP-4355), which is off by default.
fn drop_coordination(lease: &mut Value) {
    for field in ["strategy", "preferredHolder"] {
        edit::remove(lease, &["spec", field]);
    }
}

/// `PodDisruptionBudget`.
pub static POD_DISRUPTION_BUDGET: Strategy = Strategy {
    status: true,
    initial_status: r#"{"currentHealthy":0,"desiredHealthy":0,"disruptionsAllowed":0,"expectedPods":0}"#,
    generation: &["spec"],
    unconditional_update: false,
    name: names::path_segment,
    kube_finalizers: false,
    validate: |object| {
        let spec = At::root(object).get("spec");
        let (least, most) = (spec.get("minAvailable"), spec.get("maxUnavailable"));
        let mut errors = Errors::new();
        if least.is_set() && most.is_set() {
            // The real server prints its internal type, whose fields have capital letters.
            let shown = json!({
                "MinAvailable": least.value, "Selector": spec.get("selector").value, "MaxUnavailable": most.value,
                "UnhealthyPodEvictionPolicy": spec.get("unhealthyPodEvictionPolicy").value,
            });
            let order = [
                &[
                    "MinAvailable",
                    "Selector",
                    "MaxUnavailable",
                    "UnhealthyPodEvictionPolicy",
                ],
                selector::ORDER.as_slice(),
            ]
            .concat();
            let at = At::new(&shown, spec.path.clone());
            errors.push(at.invalid_in_order(&order, "minAvailable and maxUnavailable cannot be both set"));
        }
        for at in [least, most].iter().filter(|it| it.is_set()) {
            errors.extend(number::int_or_percent(at));
            errors.extend(number::at_most_100_percent(at));
        }
        errors.extend(selector::label_selector(&spec.get("selector")));
        let policy = spec.get("unhealthyPodEvictionPolicy");
        if policy.is_set() && !policy.is_any(&["AlwaysAllow", "IfHealthyBudget"]) {
            errors.push(policy.not_supported(&["AlwaysAllow", "IfHealthyBudget"]));
        }
        errors
    },
    validate_status: |new, _| {
        let status = At::root(new).get("status");
        let mut errors = condition::conditions(&status.get("conditions"));
        let numbers = ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"];
        errors.extend(non_negative(&status, &numbers));
        errors
    },
    ..Strategy::NAMESPACED
};

/// `PriorityClass`.
pub static PRIORITY_CLASS: Strategy = Strategy {
    generation: &[],
    prepare: |object| edit::set(object, &["metadata", "generation"], json!(1)),
    validate: |object| {
        let root = At::root(object);
        let (name, value, policy) = (
            root.get("metadata").get("name"),
            root.get("value"),
            root.get("preemptionPolicy"),
        );
        let mut errors = Errors::new();
        if name.text().starts_with("system-") {
            let known = matches!(
                (name.text(), value.number()),
                ("system-cluster-critical", 2_000_000_000) | ("system-node-critical", 2_000_001_000)
            );
            if !known {
                let says = "priority class names with 'system-' prefix are reserved for system use only. error:";
                let why = format!("{} is not a known system priority class", name.text());
                errors.push(name.forbidden(format!("{says} {why}")));
            }
        } else if value.number() > 1_000_000_000 {
            errors.push(value.forbidden("maximum allowed value of a user defined priority is 1000000000"));
        }
        if policy.is_set() && !policy.is_any(&["PreemptLowerPriority", "Never"]) {
            errors.push(policy.not_supported(&["PreemptLowerPriority", "Never"]));
        }
        errors
    },
    validate_update: Some(|new, old| {
        let (root, before) = (At::root(new), At::root(old));
        let mut errors = Errors::new();
        if root.get("value").number() != before.get("value").number() {
            errors.push(root.get("value").forbidden("may not be changed in an update."));
        }
        errors.extend(root.get("preemptionPolicy").immutable(&before.get("preemptionPolicy")));
        errors
    }),
    ..Strategy::CLUSTER
};

/// `RuntimeClass`.
pub static RUNTIME_CLASS: Strategy = Strategy {
    create_on_update: true,
    unconditional_update: false,
    validate: |object| {
        let root = At::root(object);
        let handler = root.get("handler");
        let mut errors = handler.all_invalid(names::dns_label(handler.text()));
        errors.extend(selector::labels(&root.get("scheduling").get("nodeSelector")));
        errors.extend(scheduling::tolerations(&root.get("scheduling").get("tolerations")));
        errors
    },
    validate_update: Some(|new, old| {
        let at = |object| At::root(object).get("handler");
        at(new).declared_immutable(&at(old)).into_iter().collect()
    }),
    ..Strategy::CLUSTER
};

/// `Node`.
pub static NODE: Strategy = Strategy {
    names_on_update: true,
    status: true,
    initial_status: r#"{"daemonEndpoints":{"kubeletEndpoint":{"Port":0}},"nodeInfo":{"architecture":"","bootID":"","containerRuntimeVersion":"","kernelVersion":"","kubeProxyVersion":"","kubeletVersion":"","machineID":"","operatingSystem":"","osImage":"","systemUUID":""}}"#,
    // A node may bring its status along.
    prepare: |_| {},
    admit: |object| {
        // `TaintNodesByCondition`.
        let taint = json!({"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"});
        let mut taints = edit::get(object, &["spec", "taints"])
            .as_array()
            .cloned()
            .unwrap_or_default();
        if !taints
            .iter()
            .any(|it| it["key"] == taint["key"] && it["effect"] == taint["effect"])
        {
            taints.push(taint);
            edit::set(object, &["spec", "taints"], taints.into());
        }
    },
    validate: node,
    validate_update: Some(|new, old| {
        let mut errors = node(new);
        let (spec, before) = (At::root(new).get("spec"), At::root(old).get("spec"));
        let (cidrs, old_cidrs) = (spec.get("podCIDRs"), before.get("podCIDRs"));
        if !old_cidrs.is_empty() && cidrs.value != old_cidrs.value {
            errors.push(cidrs.forbidden("node updates may not change podCIDR except from \"\" to valid"));
        }
        let (id, old_id) = (spec.get("providerID"), before.get("providerID"));
        if !old_id.is_empty() && id.value != old_id.value {
            let what = if id.is_empty() { "cleared" } else { "modified" };
            errors.push(
                id.with(&Value::Null)
                    .invalid(format!("field cannot be {what} once set")),
            );
        }
        errors
    }),
    ..Strategy::CLUSTER
};

fn node(object: &Value) -> Errors {
    let spec = At::root(object).get("spec");
    let taints = spec.get("taints");
    // The real server writes this path.
    let mut errors = self::taints(&taints.placed(At::root(object).get("metadata").get("taints").path));
    errors.extend(
        spec.get("podCIDRs")
            .items()
            .flat_map(|it| address::legacy_cidr(&it, &[])),
    );
    errors
}

fn taints(list: &At<'_>) -> Errors {
    let (mut errors, mut seen) = (Errors::new(), BTreeSet::new());
    for item in list.items() {
        let (key, value, effect) = (item.get("key"), item.get("value"), item.get("effect"));
        errors.extend(key.all_invalid(names::qualified_name(key.text())));
        let wrong = names::label_value(value.text());
        if !wrong.is_empty() {
            errors.push(value.invalid(wrong.join(";")));
        }
        errors.extend(scheduling::taint_effect(&effect));
        if !seen.insert((key.text(), effect.text())) {
            let mut error: FieldError = item.duplicate();
            let shown = format!(
                "{{\"Key\":{},\"Value\":{},\"Effect\":{},\"TimeAdded\":null}}",
                json!(key.text()),
                json!(value.text()),
                json!(effect.text())
            );
            error.body = format!("Duplicate value: {shown}: taints must be unique by key and effect pair");
            errors.push(error);
        }
    }
    errors
}
