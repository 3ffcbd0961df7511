//! `Deployment` and `ReplicaSet`.

use serde_json::{Value, json};

use super::{
    edit,
    strategy::Strategy,
    workload::{
        at_most, collisions, immutable_selector, non_negative, required_selector, selected_template, template_defaults,
        template_warnings,
    },
};
use crate::validation::{At, Errors, number};

/// `Deployment`.
pub static DEPLOYMENT: Strategy = Strategy {
    status: true,
    status_keeps_labels: true,
    generation: &["spec", "metadata.annotations"],
    defaults: |object| {
        template_defaults(object);
        edit::set_default(object, &["spec", "strategy", "type"], json!("RollingUpdate"));
        if edit::text(object, &["spec", "strategy", "type"]) == "RollingUpdate" {
            for name in ["maxUnavailable", "maxSurge"] {
                edit::set_default(object, &["spec", "strategy", "rollingUpdate", name], json!("25%"));
            }
        }
    },
    validate: deployment,
    validate_update: Some(|new, old| {
        let mut errors = deployment(new);
        errors.extend(immutable_selector(new, old));
        errors
    }),
    prepare_status: |new, old| edit::keep(new, old, &["metadata", "labels"]),
    validate_status: |new, old| {
        let status = At::root(new).get("status");
        let replicas = [
            "replicas",
            "updatedReplicas",
            "readyReplicas",
            "availableReplicas",
            "unavailableReplicas",
        ];
        let mut errors = non_negative(&status, &["observedGeneration"]);
        errors.extend(non_negative(&status, &replicas));
        errors.extend(non_negative(&status, &["terminatingReplicas", "collisionCount"]));
        let parts = ["updatedReplicas", "readyReplicas", "availableReplicas"];
        errors.extend(at_most(&status, &parts, "replicas", "status.replicas"));
        errors.extend(at_most(
            &status,
            &["availableReplicas"],
            "readyReplicas",
            "readyReplicas",
        ));
        errors.extend(collisions(new, old));
        errors
    },
    warn: template_warnings,
    ..Strategy::NAMESPACED
};

/// `ReplicaSet`.
pub static REPLICA_SET: Strategy = Strategy {
    status: true,
    initial_status: r#"{"replicas":0}"#,
    generation: &["spec"],
    defaults: template_defaults,
    validate: replica_set,
    validate_update: Some(|new, old| {
        let mut errors = replica_set(new);
        errors.extend(immutable_selector(new, old));
        errors
    }),
    validate_status: |new, _| replica_status(new),
    warn: template_warnings,
    ..Strategy::NAMESPACED
};

fn deployment(object: &Value) -> Errors {
    let spec = At::root(object).get("spec");
    let mut errors = non_negative(&spec, &["replicas"]);
    errors.extend(required_selector(&spec.get("selector"), "deployment"));
    errors.extend(selected_template(&spec, "ReplicaSet", "invalid label selector"));
    errors.extend(strategy(&spec.get("strategy")));
    errors.extend(non_negative(
        &spec,
        &["minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds"],
    ));
    let deadline = spec.get("progressDeadlineSeconds");
    if deadline
        .int()
        .is_some_and(|it| it <= spec.get("minReadySeconds").number())
    {
        errors.push(deadline.invalid("must be greater than minReadySeconds"));
    }
    errors
}

fn strategy(at: &At<'_>) -> Errors {
    let rolling = at.get("rollingUpdate");
    match at.get("type").text() {
        "Recreate" if rolling.is_set() => {
            vec![rolling.forbidden("may not be specified when strategy `type` is 'Recreate'")]
        }
        "Recreate" => Errors::new(),
        "RollingUpdate" if !rolling.is_set() => {
            vec![rolling.required("this should be defaulted and never be nil")]
        }
        "RollingUpdate" => {
            let (unavailable, surge) = (rolling.get("maxUnavailable"), rolling.get("maxSurge"));
            let mut errors = number::int_or_percent(&unavailable);
            errors.extend(number::int_or_percent(&surge));
            let zero = |at: &At<'_>| number::int_or_percent_value(at.value) == 0;
            if zero(&unavailable) && zero(&surge) {
                errors.push(unavailable.invalid("may not be 0 when `maxSurge` is 0"));
            }
            errors.extend(number::at_most_100_percent(&unavailable));
            errors
        }
        kind => {
            // The real server writes the names of the Go fields.
            let shown = json!({"Type": kind, "RollingUpdate": rolling.value});
            let mut error = At::new(&shown, at.path.clone()).not_supported(&["Recreate", "RollingUpdate"]);
            error.body = error.body.replace(
                &shown.to_string(),
                &format!("{{\"Type\":{},\"RollingUpdate\":{}}}", json!(kind), rolling.value),
            );
            vec![error]
        }
    }
}

fn replica_set(object: &Value) -> Errors {
    let spec = At::root(object).get("spec");
    let mut errors = non_negative(&spec, &["replicas", "minReadySeconds"]);
    // The real server says "deployment" here, too.
    errors.extend(required_selector(&spec.get("selector"), "deployment"));
    errors.extend(selected_template(&spec, "ReplicaSet", "invalid label selector"));
    errors
}

/// The status of a `ReplicaSet` or a `ReplicationController`.
pub(super) fn replica_status(object: &Value) -> Errors {
    let status = At::root(object).get("status");
    let parts = ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"];
    let mut errors = non_negative(&status, &["replicas"]);
    errors.extend(non_negative(&status, &parts));
    errors.extend(non_negative(&status, &["observedGeneration", "terminatingReplicas"]));
    errors.extend(at_most(&status, &parts, "replicas", "status.replicas"));
    errors.extend(at_most(
        &status,
        &["availableReplicas"],
        "readyReplicas",
        "readyReplicas",
    ));
    errors
}
