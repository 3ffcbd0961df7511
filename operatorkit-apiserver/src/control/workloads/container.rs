//! The statuses of a Pod's containers.

use serde_json::{Value, json};

use super::kubelet::Outcome;
use crate::read::{items, text};

/// The containers run, or have ended all with one outcome.
pub(super) fn statuses(pod: &Value, outcome: Outcome, started: &Value, now: &Value) -> Value {
    let status = |container: &Value| {
        let state = match outcome {
            Outcome::Failed => ended(1, "Error", started, now),
            Outcome::Succeeded => ended(0, "Completed", started, now),
            Outcome::Ready | Outcome::NotReady => json!({ "running": { "startedAt": started } }),
        };
        status(container, outcome.is_ready(), outcome.is_running(), &state)
    };
    items(pod, "/spec/containers").iter().map(status).collect()
}

/// Init containers have ended well; those that are sidecars live as long as the others.
pub(super) fn init_statuses(pod: &Value, outcome: Outcome, started: &Value, now: &Value) -> Value {
    let status = |container: &Value| {
        if text(container, "/restartPolicy") == "Always" && outcome.is_running() {
            return status(container, true, true, &json!({ "running": { "startedAt": started } }));
        }
        status(container, true, false, &ended(0, "Completed", started, now))
    };
    items(pod, "/spec/initContainers").iter().map(status).collect()
}

fn ended(code: u8, reason: &str, started: &Value, now: &Value) -> Value {
    json!({ "terminated": { "exitCode": code, "reason": reason, "startedAt": started, "finishedAt": now } })
}

fn status(container: &Value, is_ready: bool, is_started: bool, state: &Value) -> Value {
    json!({
        "name": container["name"],
        "image": container["image"],
        "imageID": "",
        "ready": is_ready,
        "started": is_started,
        "restartCount": 0,
        "lastState": {},
        "state": state,
    })
}
