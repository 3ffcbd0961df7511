//! The status that the stand-in kubelet gives a Pod.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::kubelet::Outcome;
use super::{container, time};
use crate::read::{condition, has, integer, is_condition_true, items, some_text, text};

/// The conditions that are the kubelet's and the scheduler's.
const OWN: [&str; 4] = ["PodScheduled", "Initialized", "ContainersReady", "Ready"];

pub(super) fn status(pod: &Value, outcome: Outcome, number: u32, now: Timestamp) -> Value {
    let started = pod
        .pointer("/status/startTime")
        .cloned()
        .unwrap_or_else(|| time::written(now));
    let address = some_text(pod, "/status/podIP").map_or_else(|| address(number), str::to_owned);
    let mut conditions = foreign_conditions(pod);
    let is_ready = outcome.is_ready() && are_gates_open(pod);
    let values = [true, true, outcome.is_ready(), is_ready];
    conditions.extend(
        OWN.iter()
            .zip(values)
            .map(|(kind, value)| own_condition(pod, kind, value, now)),
    );
    let closed = conditions.last_mut().filter(|_| outcome.is_ready() && !is_ready);
    if let Some(closed) = closed {
        closed["reason"] = json!("ReadinessGatesNotReady");
        closed["message"] = json!("the status of a readiness gate is not \"True\"");
    }
    let mut status = json!({
        "phase": outcome.phase(),
        "observedGeneration": integer(pod, "/metadata/generation"),
        "conditions": conditions,
        "containerStatuses": container::statuses(pod, outcome, &started, &time::written(now)),
        "hostIP": "127.0.0.1",
        "hostIPs": [{ "ip": "127.0.0.1" }],
        "podIP": address,
        "podIPs": [{ "ip": address }],
        "startTime": started,
    });
    if has(pod, "/spec/initContainers") {
        status["initContainerStatuses"] = container::init_statuses(pod, outcome, &started, &time::written(now));
    }
    status
}

/// A condition, with the time since which it is so.
pub(super) fn own_condition(pod: &Value, kind: &str, value: bool, now: Timestamp) -> Value {
    let value = if value { "True" } else { "False" };
    let before = condition(pod, "/status/conditions", kind).filter(|before| text(before, "/status") == value);
    let since = before.and_then(|before| before.get("lastTransitionTime").cloned());
    json!({ "type": kind, "status": value, "lastTransitionTime": since.unwrap_or_else(|| time::written(now)) })
}

/// The conditions that others have set: readiness gates.
pub(super) fn foreign_conditions(pod: &Value) -> Vec<Value> {
    let conditions = items(pod, "/status/conditions").iter();
    conditions
        .filter(|condition| !OWN.contains(&text(condition, "/type")))
        .cloned()
        .collect()
}

/// An address outside the range that Services have.
fn address(number: u32) -> String {
    let [_, high, middle, low] = number.to_be_bytes();
    format!("10.{}.{middle}.{low}", 128 | high)
}

pub(super) fn are_gates_open(pod: &Value) -> bool {
    let is_open = |gate: &Value| is_condition_true(pod, "/status/conditions", text(gate, "/conditionType"));
    items(pod, "/spec/readinessGates").iter().all(is_open)
}
