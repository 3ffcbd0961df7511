//! How a Pod is, as the controllers see it.

use jiff::Timestamp;
use serde_json::Value;

use super::action::Plan;
use super::owner::is_deleted;
use super::time;
use crate::read::{condition, integer, is_condition_true, items, text};

const CONDITIONS: &str = "/status/conditions";

/// Whether the Pod has ended.
pub(super) fn is_ended(pod: &Value) -> bool {
    matches!(text(pod, "/status/phase"), "Succeeded" | "Failed")
}

/// Whether the Pod is to live on.
pub(super) fn is_active(pod: &Value) -> bool {
    !is_ended(pod) && !is_deleted(pod)
}

/// Whether the Pod is being deleted and has not ended yet.
pub(super) fn is_terminating(pod: &Value) -> bool {
    !is_ended(pod) && is_deleted(pod)
}

/// Whether the Pod is ready.
pub(super) fn is_ready(pod: &Value) -> bool {
    is_condition_true(pod, CONDITIONS, "Ready")
}

/// Since when the Pod's `Ready` is what it is.
pub(super) fn ready_since(pod: &Value) -> Option<Timestamp> {
    time::read(condition(pod, CONDITIONS, "Ready")?, "/lastTransitionTime")
}

/// Whether the Pod has been ready for long enough.
pub(super) fn is_available(pod: &Value, min_ready_seconds: i64, now: Timestamp) -> bool {
    is_ready(pod)
        && (min_ready_seconds == 0 || available_at(pod, min_ready_seconds).is_some_and(|moment| moment <= now))
}

/// Looks again when the next of the ready Pods becomes available.
pub(super) fn again_when_available(pods: &[&Value], min_ready_seconds: i64, now: Timestamp, plan: &mut Plan) {
    let ready = pods.iter().filter(|pod| is_active(pod) && is_ready(pod));
    let next = ready
        .filter_map(|pod| available_at(pod, min_ready_seconds))
        .filter(|moment| *moment > now)
        .min();
    if let Some(next) = next {
        plan.again_at(next);
    }
}

fn available_at(pod: &Value, min_ready_seconds: i64) -> Option<Timestamp> {
    Some(time::after(ready_since(pod)?, min_ready_seconds))
}

/// When the Pod ended: its last container, or when it stopped being ready, or when it was deleted.
pub(super) fn ended_at(pod: &Value) -> Option<Timestamp> {
    let containers = items(pod, "/status/containerStatuses");
    let ends: Option<Vec<Timestamp>> = containers
        .iter()
        .map(|status| time::read(status, "/state/terminated/finishedAt"))
        .collect();
    let last = ends.and_then(|ends| ends.into_iter().max());
    let unready = || ready_since(pod).filter(|_| !is_ready(pod));
    let deleted = || {
        let grace = integer(pod, "/metadata/deletionGracePeriodSeconds");
        time::read(pod, "/metadata/deletionTimestamp").map(|deleted| time::after(deleted, -grace))
    };
    last.or_else(unready).or_else(deleted).or_else(|| time::created(pod))
}
