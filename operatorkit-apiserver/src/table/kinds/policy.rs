//! Quotas, disruption budgets, role bindings, flow schemas.

use serde_json::{Value, json};

use crate::read::{condition, items, quantity, text};

pub(super) fn quota_requests(quota: &Value) -> Value {
    json!(quotas(quota, false))
}

pub(super) fn quota_limits(quota: &Value) -> Value {
    json!(quotas(quota, true))
}

/// `name: used/hard, …`, either of the limits or of all else.
fn quotas(quota: &Value, of_limits: bool) -> String {
    let hard = quota.pointer("/status/hard").and_then(Value::as_object);
    let hard = hard
        .into_iter()
        .flatten()
        .filter(|(name, _)| name.starts_with("limits.") == of_limits);
    let used = |name: &String| quantity(quota.pointer("/status/used").and_then(|used| used.get(name)));
    let line = |(name, hard): (&String, &Value)| format!("{name}: {}/{}", used(name), quantity(Some(hard)));
    hard.map(line).collect::<Vec<_>>().join(", ")
}

pub(super) fn min_available(budget: &Value) -> Value {
    number_or_share(budget, "/spec/minAvailable")
}

pub(super) fn max_unavailable(budget: &Value) -> Value {
    number_or_share(budget, "/spec/maxUnavailable")
}

/// An integer or a percentage, as a string either way.
fn number_or_share(budget: &Value, pointer: &str) -> Value {
    match budget.pointer(pointer) {
        None | Some(Value::Null) => json!("N/A"),
        some => json!(quantity(some)),
    }
}

pub(super) fn role(binding: &Value) -> Value {
    json!(format!(
        "{}/{}",
        text(binding, "/roleRef/kind"),
        text(binding, "/roleRef/name")
    ))
}

pub(super) fn users(binding: &Value) -> Value {
    subjects(binding, "User", |subject| text(subject, "/name").to_owned())
}

pub(super) fn groups(binding: &Value) -> Value {
    subjects(binding, "Group", |subject| text(subject, "/name").to_owned())
}

pub(super) fn service_accounts(binding: &Value) -> Value {
    subjects(binding, "ServiceAccount", |subject| {
        format!("{}/{}", text(subject, "/namespace"), text(subject, "/name"))
    })
}

fn subjects(binding: &Value, kind: &str, name: fn(&Value) -> String) -> Value {
    let of_kind = items(binding, "/subjects")
        .iter()
        .filter(|subject| text(subject, "/kind") == kind);
    json!(of_kind.map(name).collect::<Vec<_>>().join(", "))
}

/// Whether the priority level of a flow schema is missing.
pub(super) fn dangling(schema: &Value) -> Value {
    json!(condition(schema, "/status/conditions", "Dangling").map_or("?", |dangling| text(dangling, "/status")))
}
