//! Horizontal Pod autoscalers: what they scale, and by which numbers.

use serde_json::{Value, json};

use crate::read::{items, quantity, text};

/// `Deployment/web`.
pub(super) fn target(scaler: &Value) -> Value {
    json!(format!(
        "{}/{}",
        text(scaler, "/spec/scaleTargetRef/kind"),
        text(scaler, "/spec/scaleTargetRef/name")
    ))
}

pub(super) fn minimum(scaler: &Value) -> Value {
    json!(match scaler.pointer("/spec/minReplicas").and_then(Value::as_i64) {
        Some(minimum) => minimum.to_string(),
        None => "<unset>".to_owned(),
    })
}

/// `cpu: 42%/80%, memory: 100Mi/500Mi + 1 more...`.
pub(super) fn metrics(scaler: &Value) -> Value {
    const MOST: usize = 2;
    let specs = items(scaler, "/spec/metrics");
    let statuses = items(scaler, "/status/currentMetrics");
    let mut lines: Vec<String> = share_of_v1(scaler).into_iter().collect();
    for (at, spec) in specs.iter().enumerate() {
        lines.push(metric(spec, statuses.get(at).unwrap_or(&Value::Null)));
    }
    if lines.is_empty() {
        return json!("<none>");
    }
    let more = lines.len().saturating_sub(MOST);
    lines.truncate(MOST);
    let shown = lines.join(", ");
    json!(if more > 0 {
        format!("{shown} + {more} more...")
    } else {
        shown
    })
}

/// The share of CPU, which `autoscaling/v1` has in fields of its own.
///
/// Its other metrics are in annotations, and not shown: print the object of `autoscaling/v2`.
fn share_of_v1(scaler: &Value) -> Option<String> {
    let target = scaler
        .pointer("/spec/targetCPUUtilizationPercentage")
        .and_then(Value::as_i64)?;
    let current = scaler
        .pointer("/status/currentCPUUtilizationPercentage")
        .and_then(Value::as_i64);
    Some(format!(
        "cpu: {}/{target}%",
        current.map_or_else(|| "<unknown>".to_owned(), |current| format!("{current}%"))
    ))
}

fn metric(spec: &Value, status: &Value) -> String {
    let (field, is_of_resource, has_total) = match text(spec, "/type") {
        "Resource" => ("resource", true, false),
        "ContainerResource" => ("containerResource", true, false),
        "Pods" => ("pods", false, false),
        "Object" => ("object", false, true),
        "External" => ("external", false, true),
        _ => return "<unknown type>".to_owned(),
    };
    let target = spec
        .get(field)
        .and_then(|metric| metric.get("target"))
        .unwrap_or(&Value::Null);
    let current = status.get(field).and_then(|metric| metric.get("current"));
    if is_of_resource {
        return format!("{}: {}", text(&spec[field], "/name"), of_resource(target, current));
    }
    let average = target.get("averageValue");
    match average {
        // Pods are always averaged; the others say so.
        _ if !has_total => format!("{}/{}", value(current, "averageValue", "0"), quantity(average)),
        Some(average) => format!(
            "{}/{} (avg)",
            value(current, "averageValue", UNKNOWN),
            quantity(Some(average))
        ),
        None => format!("{}/{}", value(current, "value", "0"), quantity(target.get("value"))),
    }
}

const UNKNOWN: &str = "<unknown>";

/// A current value; `missing` if there is a status without it.
fn value(current: Option<&Value>, name: &str, missing: &str) -> String {
    match current {
        None => UNKNOWN.to_owned(),
        Some(current) => current
            .get(name)
            .map_or_else(|| missing.to_owned(), |value| quantity(Some(value))),
    }
}

/// `42%/80%` of what was asked for, or `100Mi/500Mi`.
fn of_resource(target: &Value, current: Option<&Value>) -> String {
    if let Some(average) = target.get("averageValue") {
        return format!(
            "{}/{}",
            value(current, "averageValue", "<nil>"),
            quantity(Some(average))
        );
    }
    let share = |of: &Value| {
        of.get("averageUtilization")
            .and_then(Value::as_i64)
            .map(|share| format!("{share}%"))
    };
    let now = current.and_then(share).unwrap_or_else(|| UNKNOWN.to_owned());
    format!("{now}/{}", share(target).unwrap_or_else(|| "<auto>".to_owned()))
}
