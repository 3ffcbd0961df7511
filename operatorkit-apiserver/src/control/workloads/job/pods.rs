//! The Pods of a Job: which of them are counted already, which have failed, and the numbers that follow.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::indexes::Indexes;
use super::{Controller, count};
use crate::control::workloads::labels::annotation;
use crate::control::workloads::owner::{is_deleted, uid};
use crate::control::workloads::pod::ended_at;
use crate::read::{has, integer, items, text};

/// Keeps a Pod from vanishing before it is counted.
pub(super) const FINALIZER: &str = "batch.kubernetes.io/job-tracking";
pub(super) const INDEX: &str = "batch.kubernetes.io/job-completion-index";
/// How often the Pods of this index have failed before.
pub(super) const FAILURES: &str = "batch.kubernetes.io/job-index-failure-count";

impl<'a> Controller<'a> {
    /// Counts the Pods that have ended: those in the status, those that it has noted, and the new ones.
    pub(super) fn count(&mut self) {
        let succeeded = self.new_ended("succeeded", |_, pod| text(pod, "/status/phase") == "Succeeded");
        let failed = self.new_ended("failed", Self::is_failed);
        self.succeeded = integer(&self.status, "/succeeded") + count(&succeeded) + count(self.uncounted("succeeded"));
        self.failed = integer(&self.status, "/failed") + count(&failed) + count(self.uncounted("failed"));
        if !self.is_indexed() {
            return;
        }
        let completions = self.completions();
        let known = |status: &Value, name| Indexes::parse(text(status, name), completions);
        let mut indexes = known(&self.status, "/completedIndexes");
        let is_new = |pod: &&&Value| text(pod, "/status/phase") == "Succeeded" && is_tracked(pod);
        indexes.insert_all(self.pods.iter().filter(is_new).filter_map(|pod| self.index(pod)));
        self.succeeded = indexes.total();
        self.succeeded_indexes = indexes;
        if self.has_limit_per_index() {
            let mut indexes = known(&self.status, "/failedIndexes");
            indexes.insert_all(
                self.pods
                    .iter()
                    .filter(|pod| self.is_index_failed(pod))
                    .filter_map(|pod| self.index(pod)),
            );
            self.failed_indexes = Some(indexes);
        }
    }

    fn new_ended(&self, kind: &str, is_ended: impl Fn(&Self, &Value) -> bool) -> Vec<&'a Value>
    where
        Self: Sized,
    {
        let is_new = |pod: &&Value| {
            is_tracked(pod)
                && !self.is_uncounted(kind, pod)
                && (!self.is_indexed() || self.index(pod).is_some())
                && is_ended(self, pod)
        };
        self.pods.iter().copied().filter(is_new).collect()
    }

    /// A Pod that is deleted before it has ended has failed, unless only those that have ended are to be replaced.
    pub(super) fn is_failed(&self, pod: &Value) -> bool {
        match text(pod, "/status/phase") {
            "Failed" => true,
            "Succeeded" => false,
            _ => is_deleted(pod) && !self.replaces_failed_only(),
        }
    }

    pub(super) fn replaces_failed_only(&self) -> bool {
        text(self.job, "/spec/podReplacementPolicy") == "Failed"
    }

    /// UIDs that the status has noted, and that are counted when their Pods have lost the finalizer.
    pub(super) fn uncounted(&self, kind: &str) -> &[Value] {
        items(&self.status, &format!("/uncountedTerminatedPods/{kind}"))
    }

    pub(super) fn is_uncounted(&self, kind: &str, pod: &Value) -> bool {
        self.uncounted(kind).contains(&json!(uid(pod)))
    }

    pub(super) fn completions(&self) -> i64 {
        integer(self.job, "/spec/completions")
    }

    /// The Pod's completion index, if it is one of the Job's.
    pub(super) fn index(&self, pod: &Value) -> Option<i64> {
        let index: i64 = annotation(pod, INDEX)?.parse().ok()?;
        (0..self.completions()).contains(&index).then_some(index)
    }

    pub(super) fn has_limit_per_index(&self) -> bool {
        has(self.job, "/spec/backoffLimitPerIndex")
    }

    fn is_index_failed(&self, pod: &Value) -> bool {
        is_tracked(pod) && self.is_failed(pod) && failures(pod) >= integer(self.job, "/spec/backoffLimitPerIndex")
    }

    /// For each index that is to be tried again, the last Pod that failed: it stays until the next one is there, which
    /// takes over the number of failures.
    pub(super) fn last_failed(&self) -> BTreeMap<i64, &'a Value> {
        let mut last: BTreeMap<i64, &Value> = BTreeMap::new();
        if !self.has_limit_per_index() {
            return last;
        }
        let active: Vec<i64> = self.active.iter().filter_map(|pod| self.index(pod)).collect();
        let is_over = |index: i64| {
            self.succeeded_indexes.has(index)
                || self.failed_indexes.as_ref().is_some_and(|failed| failed.has(index))
                || active.contains(&index)
        };
        for pod in self
            .pods
            .iter()
            .copied()
            .filter(|pod| is_tracked(pod) && self.is_failed(pod))
        {
            let Some(index) = self.index(pod).filter(|index| !is_over(*index)) else {
                continue;
            };
            let key = |pod: &Value| (failures(pod), ended_at(pod));
            if last.get(&index).is_none_or(|before| key(before) <= key(pod)) {
                last.insert(index, pod);
            }
        }
        last
    }

    /// Whether the containers of running Pods were restarted as often as the Job can fail.
    pub(super) fn is_restarted_too_often(&self, limit: i64) -> bool {
        if text(self.job, "/spec/template/spec/restartPolicy") != "OnFailure" {
            return false;
        }
        let is_running = |pod: &&&Value| matches!(text(pod, "/status/phase"), "Running" | "Pending");
        let statuses = |pod: &&'a Value| {
            let init = items(pod, "/status/initContainerStatuses");
            init.iter().chain(items(pod, "/status/containerStatuses"))
        };
        let restarts: i64 = self
            .pods
            .iter()
            .filter(is_running)
            .flat_map(statuses)
            .map(|status| integer(status, "/restartCount"))
            .sum();
        restarts >= limit.max(1)
    }
}

/// Whether the Pod is still to be counted.
pub(super) fn is_tracked(pod: &Value) -> bool {
    items(pod, "/metadata/finalizers").contains(&json!(FINALIZER))
}

/// How often the Pods of the Pod's index have failed before it.
pub(super) fn failures(pod: &Value) -> i64 {
    annotation(pod, FAILURES)
        .and_then(|failures| failures.parse().ok())
        .unwrap_or_default()
}
