//! The status of a Deployment.

use serde_json::{Map, Value, json};

use super::Controller;
use crate::control::workloads::action::Verb;
use crate::control::workloads::owner::name;
use crate::control::workloads::{condition, time};
use crate::read::{condition as find, has, integer, text};

const PROGRESSING: &str = "Progressing";
const FAILURE: &str = "ReplicaFailure";

impl Controller<'_> {
    /// The numbers of the `ReplicaSets` together, and whether enough is available.
    pub(super) fn counted(&self) -> Value {
        let available = self.sets.sum("/status/availableReplicas");
        let updated = self.sets.new.map_or(0, |new| integer(new, "/status/replicas"));
        let mut status = Map::new();
        for (name, number) in [
            ("observedGeneration", integer(self.deployment, "/metadata/generation")),
            ("replicas", self.sets.sum("/status/replicas")),
            ("updatedReplicas", updated),
            ("readyReplicas", self.sets.sum("/status/readyReplicas")),
            ("availableReplicas", available),
            (
                "unavailableReplicas",
                (self.sets.sum("/spec/replicas") - available).max(0),
            ),
        ] {
            if number != 0 {
                status.insert(name.to_owned(), json!(number));
            }
        }
        if let Some(terminating) = self.terminating() {
            status.insert("terminatingReplicas".to_owned(), json!(terminating));
        }
        for kept in ["collisionCount", "conditions"] {
            if let Some(value) = self.deployment.get("status").and_then(|status| status.get(kept)) {
                status.insert(kept.to_owned(), value.clone());
            }
        }
        let mut status = Value::Object(status);
        let is_enough = available >= self.replicas() - self.limits().1;
        condition::set(
            &mut status,
            if is_enough {
                let message = "Deployment has minimum availability.";
                self.condition("Available", "True", "MinimumReplicasAvailable", message)
            } else {
                let message = "Deployment does not have minimum availability.";
                self.condition("Available", "False", "MinimumReplicasUnavailable", message)
            },
        );
        status
    }

    /// Pods that are ending. Not known while a `ReplicaSet` has not said how many it has.
    fn terminating(&self) -> Option<i64> {
        let is_seen = |set: &&Value| integer(set, "/status/observedGeneration") != 0;
        let mut sets = self
            .sets
            .all()
            .filter(|set| is_seen(set) || has(set, "/status/terminatingReplicas"));
        sets.try_fold(0, |sum, set| {
            Some(sum + set.pointer("/status/terminatingReplicas")?.as_i64()?)
        })
    }

    /// The status of a rollout: with its progress, and with what keeps the `ReplicaSets` from making Pods.
    fn rolled_status(&self) -> Value {
        let mut status = self.counted();
        match self.progress_deadline() {
            None => condition::remove(&mut status, PROGRESSING),
            Some(deadline) => self.note_progress(&mut status, deadline),
        }
        let sets = self.sets.new.into_iter().chain(self.sets.old.iter().copied());
        let failure = sets
            .into_iter()
            .find_map(|set| find(set, "/status/conditions", FAILURE));
        match failure {
            Some(failure) => {
                let mut failure = failure.clone();
                failure["lastUpdateTime"] = failure["lastTransitionTime"].clone();
                condition::set(&mut status, failure);
            }
            None => condition::remove(&mut status, FAILURE),
        }
        status
    }

    fn note_progress(&self, status: &mut Value, deadline: i64) {
        let current = condition::find(&self.deployment["status"], PROGRESSING);
        let reason = current.map_or("", |current| text(current, "/reason"));
        let is_known_complete =
            integer(status, "/replicas") == integer(status, "/updatedReplicas") && reason == "NewReplicaSetAvailable";
        if is_known_complete {
            return;
        }
        let of = match self.sets.new {
            Some(new) => format!("ReplicaSet {:?}", name(new)),
            None => format!("Deployment {:?}", name(self.deployment)),
        };
        if self.is_complete(status) {
            let message = format!("{of} has successfully progressed.");
            condition::set(
                status,
                self.condition(PROGRESSING, "True", "NewReplicaSetAvailable", &message),
            );
        } else if self.is_progress(status) {
            let message = format!("{of} is progressing.");
            let mut new = self.condition(PROGRESSING, "True", "ReplicaSetUpdated", &message);
            // Each progress is noted anew, with its time.
            if let Some(current) = current.filter(|current| current["status"] == new["status"]) {
                new["lastTransitionTime"] = current["lastTransitionTime"].clone();
            }
            condition::remove(status, PROGRESSING);
            condition::push(status, new);
        } else if self.is_timed_out(status, deadline) {
            let message = format!("{of} has timed out progressing.");
            condition::set(
                status,
                self.condition(PROGRESSING, "False", "ProgressDeadlineExceeded", &message),
            );
        }
    }

    /// Whether there are more new Pods, fewer old ones, more that are ready or available than the status says.
    fn is_progress(&self, status: &Value) -> bool {
        let before = &self.deployment["status"];
        let old = |status| integer(status, "/replicas") - integer(status, "/updatedReplicas");
        let is_more = |name: &&str| integer(status, name) > integer(before, name);
        ["/updatedReplicas", "/readyReplicas", "/availableReplicas"]
            .iter()
            .any(is_more)
            || old(status) < old(before)
    }

    fn is_timed_out(&self, status: &Value, deadline: i64) -> bool {
        let Some(progressing) = condition::find(status, PROGRESSING) else {
            return false;
        };
        match text(progressing, "/reason") {
            "NewReplicaSetAvailable" => false,
            "ProgressDeadlineExceeded" => true,
            _ => time::read(progressing, "/lastUpdateTime").is_some_and(|last| time::after(last, deadline) < self.now),
        }
    }

    /// Writes a status that is another.
    pub(super) fn update_status(&mut self, status: Value) {
        if self.deployment.get("status") == Some(&status) {
            return;
        }
        let mut deployment = self.deployment.clone();
        deployment["status"] = status;
        self.plan.push(Verb::UpdateStatus(deployment));
    }

    /// Writes the status of a rollout, and looks again when progress is due.
    pub(super) fn update_rollout(&mut self) {
        let status = self.rolled_status();
        self.look_again(&status);
        self.update_status(status);
    }

    fn look_again(&mut self, status: &Value) {
        let Some(deadline) = self.progress_deadline().filter(|_| !self.is_complete(status)) else {
            return;
        };
        let Some(progressing) = condition::find(status, PROGRESSING) else {
            return;
        };
        if text(progressing, "/reason") == "ProgressDeadlineExceeded" {
            return;
        }
        if let Some(last) = time::read(progressing, "/lastUpdateTime") {
            self.plan.again_at(time::after(last, deadline + 1));
        }
    }
}
