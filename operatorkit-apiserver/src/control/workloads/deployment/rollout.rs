//! Sizes of `ReplicaSets` that change because the template has: step by step, or all at once.

use serde_json::Value;

use super::Controller;
use super::sets::{available, replicas};
use crate::control::workloads::owner::{controller_uid, uid};
use crate::control::workloads::pod::is_ended;
use crate::read::integer;

impl Controller<'_> {
    /// `RollingUpdate`: the new one grows as far as there is room, the old ones shrink as far as enough is available.
    pub(super) fn roll(&mut self, failure: Option<&str>) {
        let Some(new) = self.sets.new else {
            self.create_set(failure);
            return;
        };
        let is_moved = self.grow(new) || self.shrink(new);
        if !is_moved && self.is_complete(&self.deployment["status"]) {
            self.clean_up();
        }
        self.update_rollout();
    }

    /// `Recreate`: the old ones end before the new one begins.
    pub(super) fn recreate(&mut self, pods: &[&Value], failure: Option<&str>) {
        let old = self.sets.active_old();
        let is_old_running = old.is_empty() && self.is_old_running(pods);
        for set in &old {
            self.resize(set, 0);
        }
        if old.is_empty() && !is_old_running {
            let Some(new) = self.sets.new else {
                self.create_set(failure);
                return;
            };
            self.resize(new, self.replicas());
            if self.is_complete(&self.deployment["status"]) {
                self.clean_up();
            }
        }
        self.update_rollout();
    }

    fn is_old_running(&self, pods: &[&Value]) -> bool {
        let is_old = |pod: &Value| self.sets.old.iter().any(|set| controller_uid(pod) == uid(set));
        self.sets.old.iter().any(|set| integer(set, "/status/replicas") > 0)
            || pods.iter().any(|pod| is_old(pod) && !is_ended(pod))
    }

    /// How many Pods a new `ReplicaSet` of this size should have.
    pub(super) fn new_replicas(&self, size: i64) -> i64 {
        if !self.is_rolling() {
            return self.replicas();
        }
        let room = self.replicas() + self.limits().0 - self.sets.sum("/spec/replicas");
        if room <= 0 {
            size
        } else {
            size + room.min(self.replicas() - size)
        }
    }

    fn grow(&mut self, new: &Value) -> bool {
        let size = replicas(new);
        let wanted = if size >= self.replicas() {
            self.replicas()
        } else {
            self.new_replicas(size)
        };
        self.resize(new, wanted)
    }

    fn shrink(&mut self, new: &Value) -> bool {
        let mut old = self.sets.active_old();
        if old.is_empty() {
            return false;
        }
        let minimum = self.replicas() - self.limits().1;
        let all = self.sets.sum("/spec/replicas");
        let room = all - minimum - (replicas(new) - available(new));
        if room <= 0 {
            return false;
        }
        old.sort_by(|a, b| super::sets::by_age(a, b));
        let mut sizes: Vec<i64> = old.iter().map(|set| replicas(set)).collect();
        // Pods that are not available go first, or they would block the rollout.
        let mut left = room;
        for (size, set) in sizes.iter_mut().zip(&old) {
            let unhealthy = (*size - available(set)).max(0).min(left);
            *size -= unhealthy;
            left -= unhealthy;
        }
        let mut surplus = (self.sets.sum("/status/availableReplicas") - minimum).max(0);
        for size in &mut sizes {
            let fewer = surplus.min(*size);
            *size -= fewer;
            surplus -= fewer;
        }
        let mut is_shrunk = false;
        for (set, size) in old.into_iter().zip(sizes) {
            is_shrunk |= self.resize(set, size);
        }
        is_shrunk
    }

    /// Whether a status says that all Pods are new and available.
    pub(super) fn is_complete(&self, status: &Value) -> bool {
        let all = self.replicas();
        ["/updatedReplicas", "/replicas", "/availableReplicas"]
            .iter()
            .all(|number| integer(status, number) == all)
            && integer(status, "/observedGeneration") >= integer(self.deployment, "/metadata/generation")
    }
}
