//! Workloads: how they roll, Jobs, and autoscalers.

use serde_json::{Value, json};

use super::field::{Fields, default, default_empty, given, items, labels_of_template, object, text};

/// Rolling updates have a surge.
pub(super) fn deployment_strategy(fields: &mut Fields) {
    // For another type, Go's inner type has room for a number and none for nothing.
    let value = match text(fields, "type") {
        "RollingUpdate" => {
            default(fields, "rollingUpdate", json!({}));
            json!("25%")
        }
        _ => json!(0),
    };
    if let Some(update) = object(fields, "rollingUpdate") {
        default(update, "maxUnavailable", value.clone());
        default(update, "maxSurge", value);
    }
}

/// One at a time.
pub(super) fn daemon_set_strategy(fields: &mut Fields) {
    // As for Deployments.
    let mut unavailable = 0;
    if text(fields, "type") == "RollingUpdate" {
        default(fields, "rollingUpdate", json!({}));
        unavailable = 1;
    }
    if let Some(update) = object(fields, "rollingUpdate") {
        default(update, "maxUnavailable", unavailable);
        default(update, "maxSurge", 0);
    }
}

/// One at a time. `type: RollingUpdate`, written out, says nothing about how to roll.
pub(super) fn stateful_set_strategy(fields: &mut Fields) {
    if text(fields, "type").is_empty() {
        default_empty(fields, "type", "RollingUpdate");
        default(fields, "rollingUpdate", json!({}));
    }
    if text(fields, "type") == "RollingUpdate"
        && let Some(update) = object(fields, "rollingUpdate")
    {
        default(update, "partition", 0);
        default(update, "maxUnavailable", 1);
    }
}

/// The templates of claims are whole claims, whatever they say.
pub(super) fn stateful_set(fields: &mut Fields) {
    for claim in items(fields, "volumeClaimTemplates") {
        claim.insert("apiVersion".into(), "v1".into());
        claim.insert("kind".into(), "PersistentVolumeClaim".into());
    }
}

/// What a Job gets and the template of a `CronJob` does not.
pub(super) fn job(fields: &mut Fields) {
    labels_of_template(fields);
    let Some(spec) = object(fields, "spec") else { return };
    if !given(spec, "parallelism") {
        default(spec, "completions", 1);
        default(spec, "parallelism", 1);
    }
    let per_index = given(spec, "backoffLimitPerIndex");
    default(spec, "backoffLimit", if per_index { i32::MAX } else { 6 });
    default(spec, "completionMode", "NonIndexed");
    default(spec, "suspend", false);
    default(spec, "manualSelector", false);
    let by_policy = given(spec, "podFailurePolicy");
    default(
        spec,
        "podReplacementPolicy",
        if by_policy { "Failed" } else { "TerminatingOrFailed" },
    );
}

/// The selector and the labels are those of the template.
pub(super) fn replication_controller(fields: &mut Fields) {
    labels_of_template(fields);
    if let Some(spec) = object(fields, "spec") {
        let labels = spec
            .get("template")
            .map_or(Value::Null, |it| it["metadata"]["labels"].clone());
        if labels.as_object().is_some_and(|labels| !labels.is_empty()) {
            default_empty(spec, "selector", labels);
        }
    }
}

/// An autoscaler that is told how to scale in one direction is told all of both.
pub(super) fn behavior(fields: &mut Fields) {
    let percent = json!({ "type": "Percent", "value": 100, "periodSeconds": 15 });
    let pods = json!({ "type": "Pods", "value": 4, "periodSeconds": 15 });
    for (direction, policies) in [("scaleUp", json!([pods, percent])), ("scaleDown", json!([percent]))] {
        default(fields, direction, json!({}));
        let Some(rules) = object(fields, direction) else {
            continue;
        };
        default(rules, "policies", policies);
        default(rules, "selectPolicy", "Max");
        if direction == "scaleUp" {
            default(rules, "stabilizationWindowSeconds", 0);
        }
    }
}
