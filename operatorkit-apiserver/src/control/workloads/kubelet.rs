//! A stand-in for scheduler and kubelet: Pods get a node, run or end, and are removed when they are deleted.
//!
//! A Pod whose containers are always restarted becomes Running and Ready. Others, as Jobs have them, succeed.
//! Annotations (put them into the template) say otherwise: [`OUTCOME`], [`DELAY`], [`HOLD`].

use jiff::Timestamp;
use serde_json::{Value, json};

use super::action::{Plan, Reference, Verb};
use super::labels::annotation;
use super::node::{is_tolerated, is_wanted};
use super::owner::{is_deleted, name};
use super::pod::is_ended;
use super::{pod_status, time};
use crate::read::{condition, integer, is_condition_true, items, some_text, text};

/// What becomes of the Pod: `Ready`, `NotReady`, `Succeeded`, `Failed`; `Pending` leaves it alone on its node.
pub const OUTCOME: &str = "operatorkit.dev/test-outcome";
/// How many seconds after its creation the Pod becomes what it is to be.
pub const DELAY: &str = "operatorkit.dev/test-delay";
/// With any value: the Pod keeps terminating when it is deleted, until the annotation is gone.
pub const HOLD: &str = "operatorkit.dev/test-hold";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Ready,
    NotReady,
    Succeeded,
    Failed,
}

/// What scheduler and kubelet would do now.
///
/// `nodes` are those that there are. `number` is one that no other Pod has: the Pod's address comes from it.
pub fn reconcile_pod(pod: &Value, nodes: &[&Value], number: u32, now: Timestamp) -> Plan {
    let mut plan = Plan::default();
    if is_deleted(pod) {
        // At 0 it is only kept by finalizers.
        if annotation(pod, HOLD).is_none() && integer(pod, "/metadata/deletionGracePeriodSeconds") != 0 {
            plan.push(Verb::Delete {
                object: Reference::to(pod),
                grace_period: Some(0),
                propagation: "",
            });
        }
    } else if some_text(pod, "/spec/nodeName").is_none() {
        schedule(pod, nodes, now, &mut plan);
    } else if !is_ended(pod) {
        run(pod, number, now, &mut plan);
    }
    plan
}

fn schedule(pod: &Value, nodes: &[&Value], now: Timestamp, plan: &mut Plan) {
    if !items(pod, "/spec/schedulingGates").is_empty() {
        return;
    }
    let tolerations = items(pod, "/spec/tolerations");
    let fits =
        |node: &&&Value| is_wanted(&pod["spec"], node) && is_tolerated(tolerations, node, &["NoSchedule", "NoExecute"]);
    if let Some(node) = nodes.iter().find(fits) {
        plan.push(Verb::Bind {
            pod: Reference::to(pod),
            node: name(node).to_owned(),
        });
        return;
    }
    let message = format!("0/{} nodes are available.", nodes.len());
    let known = condition(pod, "/status/conditions", "PodScheduled");
    if known.is_some_and(|known| text(known, "/message") == message) {
        return;
    }
    let mut unschedulable = pod_status::own_condition(pod, "PodScheduled", false, now);
    unschedulable["reason"] = json!("Unschedulable");
    unschedulable["message"] = json!(message);
    let mut conditions = pod_status::foreign_conditions(pod);
    conditions.push(unschedulable);
    let patch = json!({ "status": { "conditions": conditions } });
    plan.push(Verb::Patch {
        object: Reference::to(pod),
        subresource: "status",
        patch,
    });
}

fn run(pod: &Value, number: u32, now: Timestamp, plan: &mut Plan) {
    let delay = annotation(pod, DELAY)
        .and_then(|seconds| seconds.parse().ok())
        .unwrap_or_default();
    let due = time::created(pod).map(|created| time::after(created, delay));
    if let Some(due) = due.filter(|due| *due > now) {
        plan.again_at(due);
        return;
    }
    let Some(outcome) = outcome(pod) else { return };
    if !is_shown(pod, outcome) {
        let patch = json!({ "status": pod_status::status(pod, outcome, number, now) });
        plan.push(Verb::Patch {
            object: Reference::to(pod),
            subresource: "status",
            patch,
        });
    }
}

fn outcome(pod: &Value) -> Option<Outcome> {
    let restarts = text(pod, "/spec/restartPolicy");
    Some(match annotation(pod, OUTCOME) {
        Some("Pending") => return None,
        Some("Succeeded") => Outcome::Succeeded,
        Some("Failed") => Outcome::Failed,
        Some("NotReady") => Outcome::NotReady,
        None if matches!(restarts, "Never" | "OnFailure") => Outcome::Succeeded,
        _ => Outcome::Ready,
    })
}

/// Whether the status says what it should: phase, readiness, and the generation that was looked at.
fn is_shown(pod: &Value, outcome: Outcome) -> bool {
    let is_true = |kind| is_condition_true(pod, "/status/conditions", kind);
    text(pod, "/status/phase") == outcome.phase()
        && is_true("ContainersReady") == outcome.is_ready()
        && is_true("Ready") == (outcome.is_ready() && pod_status::are_gates_open(pod))
        && integer(pod, "/status/observedGeneration") == integer(pod, "/metadata/generation")
}

impl Outcome {
    pub(super) fn phase(self) -> &'static str {
        match self {
            Self::Ready | Self::NotReady => "Running",
            Self::Succeeded => "Succeeded",
            Self::Failed => "Failed",
        }
    }

    pub(super) fn is_ready(self) -> bool {
        self == Self::Ready
    }

    pub(super) fn is_running(self) -> bool {
        matches!(self, Self::Ready | Self::NotReady)
    }
}
