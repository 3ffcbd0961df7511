//! `HorizontalPodAutoscaler`: kept as `autoscaling/v2`, also served as `autoscaling/v1`.

use serde_json::{Value, json};

use super::{edit, strategy::Strategy, workload::non_negative};
use crate::validation::{At, Errors, names, number, selector};

const METRICS: &str = "autoscaling.alpha.kubernetes.io/metrics";
const BEHAVIOR: &str = "autoscaling.alpha.kubernetes.io/behavior";
const CURRENT: &str = "autoscaling.alpha.kubernetes.io/current-metrics";
const CONDITIONS: &str = "autoscaling.alpha.kubernetes.io/conditions";
const CPU: [&str; 2] = ["targetCPUUtilizationPercentage", "currentCPUUtilizationPercentage"];

/// `HorizontalPodAutoscaler`, in the form of `autoscaling/v2`.
pub static HORIZONTAL_POD_AUTOSCALER: Strategy = Strategy {
    status: true,
    initial_status: r#"{"currentMetrics":null,"desiredReplicas":0}"#,
    generation: &["spec"],
    defaults: |object| {
        edit::set_default(object, &["spec", "minReplicas"], json!(1));
        if At::root(object).get("spec").get("metrics").is_empty() {
            edit::set(object, &["spec", "metrics"], json!([cpu_metric(80)]));
        }
        behavior_defaults(object);
    },
    validate,
    validate_status: |new, _| non_negative(&At::root(new).get("status"), &["currentReplicas", "desiredReplicas"]),
    ..Strategy::NAMESPACED
};

/// Once `behavior` is given, both of its directions are complete.
fn behavior_defaults(object: &mut Value) {
    if !edit::get(object, &["spec", "behavior"]).is_object() {
        return;
    }
    let percent = json!({"type": "Percent", "value": 100, "periodSeconds": 15});
    let pods = json!({"type": "Pods", "value": 4, "periodSeconds": 15});
    edit::set_default(
        object,
        &["spec", "behavior", "scaleUp", "stabilizationWindowSeconds"],
        json!(0),
    );
    for (name, policies) in [("scaleUp", json!([pods, percent])), ("scaleDown", json!([percent]))] {
        edit::set_default(object, &["spec", "behavior", name, "selectPolicy"], json!("Max"));
        edit::set_default(object, &["spec", "behavior", name, "policies"], policies);
    }
}

fn cpu_metric(percent: i64) -> Value {
    json!({"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": percent}}})
}

/// The percentage, if a metric is the utilization of CPU.
fn cpu_percent(metric: &Value, target: &str) -> Option<i64> {
    let cpu = edit::text(metric, &["type"]) == "Resource" && edit::text(metric, &["resource", "name"]) == "cpu";
    cpu.then(|| edit::get(metric, &["resource", target, "averageUtilization"]).as_i64())
        .flatten()
}

/// An autoscaler as `autoscaling/v1` has it; what that has no field for is written into annotations.
pub fn to_v1(v2: &Value) -> Value {
    let mut v1 = v2.clone();
    edit::set(&mut v1, &["apiVersion"], json!("autoscaling/v1"));
    for (place, list, target, cpu, note) in [
        ("spec", "metrics", "target", CPU[0], METRICS),
        ("status", "currentMetrics", "current", CPU[1], CURRENT),
    ] {
        let Some(Value::Array(metrics)) = edit::remove(&mut v1, &[place, list]) else {
            continue;
        };
        let at = metrics.iter().position(|it| cpu_percent(it, target).is_some());
        let mut others = metrics;
        if let Some(at) = at {
            let metric = others.remove(at);
            edit::set(&mut v1, &[place, cpu], json!(cpu_percent(&metric, target)));
        }
        if !others.is_empty() {
            edit::set(
                &mut v1,
                &["metadata", "annotations", note],
                json!(Value::from(others).to_string()),
            );
        }
    }
    for (path, note) in [(["spec", "behavior"], BEHAVIOR), (["status", "conditions"], CONDITIONS)] {
        if let Some(value) = edit::remove(&mut v1, &path).filter(|it| !it.is_null()) {
            edit::set(&mut v1, &["metadata", "annotations", note], json!(value.to_string()));
        }
    }
    if edit::get(&v1, &["status"]).is_object() {
        edit::set_default(&mut v1, &["status", "currentReplicas"], json!(0));
        edit::set_default(&mut v1, &["status", "desiredReplicas"], json!(0));
    }
    v1
}

/// An autoscaler of `autoscaling/v1`, as `autoscaling/v2` has it.
pub fn to_v2(v1: &Value) -> Value {
    let mut v2 = v1.clone();
    edit::set(&mut v2, &["apiVersion"], json!("autoscaling/v2"));
    let note = |object: &mut Value, name: &str| -> Option<Value> {
        let text = edit::remove(object, &["metadata", "annotations", name])?;
        serde_json::from_str(text.as_str()?).ok()
    };
    let mut metrics = Vec::new();
    if let Some(percent) = edit::remove(&mut v2, &["spec", CPU[0]]).and_then(|it| it.as_i64()) {
        metrics.push(cpu_metric(percent));
    }
    if let Some(Value::Array(others)) = note(&mut v2, METRICS) {
        metrics.extend(others);
    }
    if !metrics.is_empty() {
        edit::set(&mut v2, &["spec", "metrics"], metrics.into());
    }
    let mut current = Vec::new();
    if let Some(percent) = edit::remove(&mut v2, &["status", CPU[1]]) {
        current
            .push(json!({"type": "Resource", "resource": {"name": "cpu", "current": {"averageUtilization": percent}}}));
    }
    if let Some(Value::Array(others)) = note(&mut v2, CURRENT) {
        current.extend(others);
    }
    if edit::get(&v2, &["status"]).is_object() {
        let current = if current.is_empty() {
            Value::Null
        } else {
            current.into()
        };
        edit::set(&mut v2, &["status", "currentMetrics"], current);
    }
    for (path, name) in [(["spec", "behavior"], BEHAVIOR), (["status", "conditions"], CONDITIONS)] {
        if let Some(value) = note(&mut v2, name) {
            edit::set(&mut v2, &path, value);
        }
    }
    if At::root(&v2).get("metadata").get("annotations").is_empty() {
        edit::remove(&mut v2, &["metadata", "annotations"]);
    }
    v2
}

fn validate(object: &Value) -> Errors {
    let spec = At::root(object).get("spec");
    let (min, max) = (spec.get("minReplicas"), spec.get("maxReplicas"));
    let mut errors = Errors::new();
    errors.extend(number::non_negative(&min));
    match max.number() {
        0 => errors.push(max.required("")),
        it if it < 0 => errors.push(max.invalid("must be greater than or equal to 1")),
        _ => {}
    }
    if min.int().is_some_and(|it| max.number() < it) {
        let shown = json!(max.number());
        errors.push(
            max.with(&shown)
                .invalid("must be greater than or equal to `minReplicas`"),
        );
    }
    errors.extend(target_ref(&spec.get("scaleTargetRef")));
    let metrics = spec.get("metrics");
    errors.extend(metrics.items().flat_map(|it| metric(&it)));
    if min.int() == Some(0) && !metrics.items().any(|it| it.get("type").is_any(&["Object", "External"])) {
        let says = "must specify at least one Object or External metric to support scaling to zero replicas";
        errors.push(metrics.forbidden(says));
    }
    for name in ["scaleUp", "scaleDown"] {
        errors.extend(rules(&spec.get("behavior").get(name)));
    }
    errors
}

fn target_ref(at: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    for name in ["kind", "name"] {
        let field = at.get(name);
        if field.is_empty() {
            errors.push(field.required(""));
        } else {
            errors.extend(field.all_invalid(names::path_segment(field.text(), false)));
        }
    }
    let version = at.get("apiVersion");
    if !version.text().contains('/') {
        errors.extend(version.all_invalid(["apiVersion must specify API group"]));
    }
    if version.text().matches('/').count() > 1 {
        errors.push(version.invalid(format!("unexpected GroupVersion string: {}", version.text())));
    }
    errors
}

fn metric(at: &At<'_>) -> Errors {
    let kinds = ["ContainerResource", "External", "Object", "Pods", "Resource"];
    let kind = at.get("type");
    let mut errors = Errors::new();
    if kind.is_empty() {
        errors.push(kind.required("must specify a metric source type"));
    }
    if !kind.is_any(&kinds) {
        errors.push(kind.not_supported(&kinds));
        return errors;
    }
    let mut field = kind.text().to_owned();
    field[..1].make_ascii_lowercase();
    let source = at.get(&field);
    if !source.is_set() {
        let says = "must populate information for the given metric source";
        errors.push(source.required(says));
        return errors;
    }
    let target = source.get("target");
    if kind.is_any(&["Resource", "ContainerResource"]) && source.get("name").is_empty() {
        errors.push(source.get("name").required("must specify a resource name"));
    }
    let metric = source.get("metric");
    if kind.is_any(&["External", "Object", "Pods"]) {
        if metric.get("name").is_empty() {
            errors.push(metric.get("name").required("must specify a metric name"));
        }
        errors.extend(selector::label_selector(&metric.get("selector")));
    }
    let types = ["AverageValue", "Utilization", "Value"];
    if target.get("type").is_empty() {
        errors.push(target.get("type").required("must specify a metric target type"));
    } else if !target.get("type").is_any(&types) {
        errors.push(
            target
                .get("type")
                .invalid("must be either Utilization, Value, or AverageValue"),
        );
    }
    errors.extend(
        target
            .get("averageUtilization")
            .int()
            .filter(|it| *it < 1)
            .map(|_| target.get("averageUtilization").invalid("must be greater than 0")),
    );
    errors
}

fn rules(at: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    if !at.is_set() {
        return errors;
    }
    let window = at.get("stabilizationWindowSeconds");
    if window.number() < 0 {
        errors.push(window.invalid("must be greater than or equal to zero"));
    }
    if window.number() > 3600 {
        errors.push(window.invalid("must be less than or equal to 3600"));
    }
    let (select, known) = (at.get("selectPolicy"), ["Disabled", "Max", "Min"]);
    if select.is_set() && !select.is_any(&known) {
        errors.push(select.not_supported(&known));
    }
    let policies = at.get("policies");
    if policies.is_empty() {
        errors.push(policies.required("must specify at least one Policy"));
    }
    for policy in policies.items() {
        let kind = policy.get("type");
        if !kind.is_any(&["Percent", "Pods"]) {
            errors.push(kind.not_supported(&["Percent", "Pods"]));
        }
        for name in ["value", "periodSeconds"] {
            errors.extend(number::positive(&policy.get(name)));
        }
        let period = policy.get("periodSeconds");
        if period.number() > 1800 {
            errors.push(period.invalid("must be less than or equal to 1800"));
        }
    }
    errors
}
