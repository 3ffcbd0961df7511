//! Whether a Job is complete or has failed, and the end of Jobs that are over.

use jiff::Timestamp;
use serde_json::Value;

use super::Controller;
use crate::control::workloads::action::{Plan, Reference, Verb};
use crate::control::workloads::owner::is_deleted;
use crate::control::workloads::time;
use crate::read::{condition, integer, is_condition_true, text};

/// When the Job was complete or failed.
pub(super) fn finished_at(job: &Value) -> Option<Timestamp> {
    let is_end = |kind: &&&str| is_condition_true(job, "/status/conditions", kind);
    let end = ["Complete", "Failed"].iter().find(is_end)?;
    let end = condition(job, "/status/conditions", end)?;
    Some(time::read(end, "/lastTransitionTime").unwrap_or(Timestamp::MIN))
}

/// Deletes a finished Job, and its Pods first, when its time has come.
pub(super) fn expire(job: &Value, finished: Timestamp, now: Timestamp, plan: &mut Plan) {
    let ttl = job.pointer("/spec/ttlSecondsAfterFinished").and_then(Value::as_i64);
    let Some(ttl) = ttl.filter(|_| !is_deleted(job)) else {
        return;
    };
    let expires = time::after(finished, ttl);
    if expires > now {
        plan.again_at(expires);
        return;
    }
    let object = Reference::to(job);
    plan.push(Verb::Delete {
        object,
        grace_period: None,
        propagation: "Foreground",
    });
}

/// A condition that is reached now.
pub(super) struct End {
    pub(super) kind: &'static str,
    pub(super) reason: String,
    pub(super) message: String,
}

impl End {
    pub(super) fn new(kind: &'static str, reason: &str, message: &str) -> Self {
        Self {
            kind,
            reason: reason.to_owned(),
            message: message.to_owned(),
        }
    }
}

impl Controller<'_> {
    /// Whether the Job has failed, or its end was found before.
    pub(super) fn end(&mut self) -> Option<End> {
        if let Some(end) = self
            .found_end("SuccessCriteriaMet")
            .or_else(|| self.found_end("FailureTarget"))
        {
            return Some(end);
        }
        let failed = |reason, message| Some(End::new("FailureTarget", reason, message));
        let limit = integer(self.job, "/spec/backoffLimit");
        if self.failed > limit || self.is_restarted_too_often(limit) {
            return failed("BackoffLimitExceeded", "Job has reached the specified backoff limit");
        }
        if self.is_past_deadline() {
            return failed("DeadlineExceeded", "Job was active longer than specified deadline");
        }
        let indexes = self.failed_indexes.as_ref()?;
        let most = self.job.pointer("/spec/maxFailedIndexes").and_then(Value::as_i64);
        if most.is_some_and(|most| indexes.total() > most) {
            return failed(
                "MaxFailedIndexesExceeded",
                "Job has exceeded the specified maximal number of failed indexes",
            );
        }
        let is_all = indexes.total() + self.succeeded_indexes.total() >= integer(self.job, "/spec/completions");
        if indexes.total() > 0 && is_all {
            failed("FailedIndexes", "Job has failed indexes")
        } else {
            None
        }
    }

    fn found_end(&self, kind: &'static str) -> Option<End> {
        let found = condition(&self.status, "/conditions", kind)?;
        let is_found = text(found, "/status") == "True";
        is_found.then(|| End::new(kind, text(found, "/reason"), text(found, "/message")))
    }

    fn is_past_deadline(&mut self) -> bool {
        let deadline = self.job.pointer("/spec/activeDeadlineSeconds").and_then(Value::as_i64);
        let started = time::read(self.job, "/status/startTime");
        let Some(deadline) = deadline.filter(|_| !self.is_suspended()) else {
            return false;
        };
        let due = time::after(started.unwrap_or(self.now), deadline);
        if due > self.now {
            self.plan.again_at(due);
        }
        started.is_some() && due <= self.now
    }

    pub(super) fn is_complete(&self) -> bool {
        let wanted = self
            .job
            .pointer("/spec/completions")
            .and_then(Value::as_i64)
            .unwrap_or(1);
        self.succeeded >= wanted && self.active_count == 0
    }
}
