//! Deployments over their `ReplicaSets`, as `k8s.io/kubernetes/pkg/controller/deployment` does it.
//!
//! | module | what |
//! |---|---|
//! | `sets` | the new `ReplicaSet` and the old ones, and their numbers |
//! | `revision` | the annotations that count the revisions; the new `ReplicaSet` |
//! | `scale` | sizes that change because the Deployment's does |
//! | `rollout` | sizes that change because the template has |
//! | `status` | the status |

mod revision;
mod rollout;
mod scale;
mod sets;
mod status;

use jiff::Timestamp;
use serde_json::{Value, json};

use self::sets::Sets;
use super::action::{Event, Plan, Verb};
use super::claim::claimed;
use super::owner::{is_deleted, name};
use super::{condition, time};
use crate::read::{integer, is_true, text};

const COMPONENT: &str = "deployment-controller";

/// What the Deployment controller would do now.
///
/// `replica_sets` and `pods` are those of the namespace; those that are not the Deployment's are left alone.
/// `failure` is the message with which the creation of a `ReplicaSet` ended the last time, if it did not succeed.
pub fn reconcile_deployment(
    deployment: &Value,
    replica_sets: &[&Value],
    pods: &[&Value],
    failure: Option<&str>,
    now: Timestamp,
) -> Plan {
    let mut plan = Plan::default();
    let own = claimed(deployment, replica_sets, &mut plan);
    if !plan.is_done() {
        return plan;
    }
    let taken = replica_sets
        .iter()
        .copied()
        .filter(|set| is_beside(deployment, set))
        .map(name)
        .collect();
    let sets = Sets::of(deployment, own);
    let mut controller = Controller {
        deployment,
        sets,
        taken,
        now,
        plan,
    };
    controller.reconcile(pods, failure);
    controller.plan
}

fn is_beside(deployment: &Value, set: &Value) -> bool {
    text(deployment, "/metadata/namespace") == text(set, "/metadata/namespace")
}

/// One look at one Deployment.
struct Controller<'a> {
    deployment: &'a Value,
    sets: Sets<'a>,
    /// The names of all `ReplicaSets` of the namespace.
    taken: Vec<&'a str>,
    now: Timestamp,
    plan: Plan,
}

impl Controller<'_> {
    fn reconcile(&mut self, pods: &[&Value], failure: Option<&str>) {
        if is_deleted(self.deployment) {
            self.update_status(self.counted());
            return;
        }
        let is_paused = is_true(self.deployment, "/spec/paused");
        if self.note_pause(is_paused) || self.sync_revision() {
            return;
        }
        if is_paused || self.is_scaled() {
            self.scale();
            if is_paused {
                self.clean_up();
            }
            self.update_status(self.counted());
        } else if self.is_rolling() {
            self.roll(failure);
        } else {
            self.recreate(pods, failure);
        }
    }

    fn replicas(&self) -> i64 {
        integer(self.deployment, "/spec/replicas")
    }

    fn is_rolling(&self) -> bool {
        text(self.deployment, "/spec/strategy/type") != "Recreate"
    }

    /// The time in which progress is expected, if any is set.
    fn progress_deadline(&self) -> Option<i64> {
        let seconds = self
            .deployment
            .pointer("/spec/progressDeadlineSeconds")
            .and_then(Value::as_i64);
        seconds.filter(|seconds| *seconds != i64::from(i32::MAX))
    }

    /// How many Pods more than wanted there can be, and how many fewer.
    fn limits(&self) -> (i64, i64) {
        if !self.is_rolling() {
            return (0, 0);
        }
        let part = |name: &str| self.deployment.pointer(&format!("/spec/strategy/rollingUpdate/{name}"));
        let surge = super::share::scaled(part("maxSurge"), self.replicas(), true);
        let unavailable = super::share::scaled(part("maxUnavailable"), self.replicas(), false);
        // Rounding down can leave nothing; then one Pod can be missing, or there would be no way on.
        let unavailable = if surge == 0 && unavailable == 0 { 1 } else { unavailable };
        (surge, unavailable.min(self.replicas()))
    }

    /// A pause, and its end, are a condition: time that passes between is no lack of progress.
    fn note_pause(&mut self, is_paused: bool) -> bool {
        let status = self.deployment.get("status").cloned().unwrap_or_else(|| json!({}));
        let reason = condition::find(&status, "Progressing").map_or("", |progressing| text(progressing, "/reason"));
        if self.progress_deadline().is_none() || reason == "ProgressDeadlineExceeded" {
            return false;
        }
        let is_noted = reason == "DeploymentPaused";
        let (reason, message) = match (is_paused, is_noted) {
            (true, false) => ("DeploymentPaused", "Deployment is paused"),
            (false, true) => ("DeploymentResumed", "Deployment is resumed"),
            _ => return false,
        };
        let mut status = status;
        condition::set(&mut status, self.condition("Progressing", "Unknown", reason, message));
        let mut noted = self.deployment.clone();
        noted["status"] = status;
        self.plan.push(Verb::UpdateStatus(noted));
        true
    }

    fn condition(&self, kind: &str, status: &str, reason: &str, message: &str) -> Value {
        json!({
            "type": kind,
            "status": status,
            "reason": reason,
            "message": message,
            "lastUpdateTime": time::written(self.now),
            "lastTransitionTime": time::written(self.now),
        })
    }

    fn tell(&self, reason: &'static str, message: String) -> Event {
        Event::normal(self.deployment, COMPONENT, reason, message)
    }
}
