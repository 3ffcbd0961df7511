//! Counting the Pods that have ended, each exactly once: a Pod's UID is noted in the status, then its finalizer is taken
//! off, then it is counted. Then the Job ends.

use serde_json::{Value, json};

use super::pods::is_tracked;
use super::{COMPONENT, Controller, End};
use crate::control::workloads::action::{Event, Verb};
use crate::control::workloads::owner::{is_deleted, uid};
use crate::control::workloads::{condition, time};
use crate::read::{integer, text};

const KINDS: [&str; 2] = ["succeeded", "failed"];

impl<'a> Controller<'a> {
    pub(super) fn track(&mut self, end: Option<End>) {
        self.count_released();
        let done = self.note_ended(end.as_ref());
        self.write_numbers();
        let end = end.map(|end| self.note_end(end));
        // What is noted is written before the finalizers go: a crash between the two counts no Pod twice, and none never.
        if self.job.get("status") != Some(&self.status) {
            self.update_status();
            return;
        }
        let is_released = done.is_empty();
        done.into_iter().for_each(|pod| self.release(pod));
        let is_counted = KINDS.iter().all(|kind| self.uncounted(kind).is_empty());
        if let Some(end) = end.filter(|_| is_released && is_counted && self.terminating_count == 0) {
            self.finish(&end);
        }
    }

    /// Counts the noted Pods that have lost their finalizer, or are gone.
    fn count_released(&mut self) {
        for kind in KINDS {
            let tracked: Vec<Value> = self
                .pods
                .iter()
                .filter(|pod| is_tracked(pod))
                .map(|pod| json!(uid(pod)))
                .collect();
            let (still, released): (Vec<Value>, Vec<Value>) = self
                .uncounted(kind)
                .iter()
                .cloned()
                .partition(|uid| tracked.contains(uid));
            if !released.is_empty() {
                let number = integer(&self.status, &format!("/{kind}")) + super::count(&released);
                self.status[kind] = json!(number);
                self.set_uncounted(kind, still);
            }
        }
    }

    fn set_uncounted(&mut self, kind: &str, uids: Vec<Value>) {
        let uncounted = &mut self.status["uncountedTerminatedPods"];
        if !uids.is_empty() {
            uncounted[kind] = Value::Array(uids);
        } else if let Some(uncounted) = uncounted.as_object_mut() {
            uncounted.remove(kind);
        }
    }

    /// Notes the Pods that have ended, and returns those whose finalizer can go.
    fn note_ended(&mut self, end: Option<&End>) -> Vec<&'a Value> {
        let delayed: Vec<&str> = self.last_failed().values().map(|pod| uid(pod)).collect();
        let is_success = end.is_some_and(|end| end.kind == "SuccessCriteriaMet");
        let mut done = Vec::new();
        for pod in self.pods.clone().into_iter().filter(|pod| is_tracked(pod)) {
            let is_succeeded = text(pod, "/status/phase") == "Succeeded";
            let is_failed = self.is_failed(pod);
            let is_over = is_deleted(self.job) || end.is_some() || is_succeeded;
            if !is_over && (!is_failed || delayed.contains(&uid(pod))) {
                continue;
            }
            done.push(pod);
            let is_indexed = self.is_indexed();
            let kind = match (is_succeeded, is_failed || (end.is_some() && !is_success)) {
                // Of succeeded Pods with an index the index is noted.
                (true, _) if is_indexed => continue,
                (true, _) => "succeeded",
                (false, true) if !is_indexed || self.index(pod).is_some() => "failed",
                _ => continue,
            };
            if KINDS.iter().all(|kind| !self.is_uncounted(kind, pod)) {
                let mut uids = self.uncounted(kind).to_vec();
                uids.push(json!(uid(pod)));
                self.set_uncounted(kind, uids);
            }
        }
        done
    }

    fn write_numbers(&mut self) {
        if self.is_indexed() {
            let succeeded = self.succeeded_indexes.total();
            self.set_or_remove("succeeded", json!(succeeded), succeeded == 0);
            let indexes = self.succeeded_indexes.written();
            let is_none = indexes.is_empty();
            self.set_or_remove("completedIndexes", json!(indexes), is_none);
            if let Some(failed) = &self.failed_indexes {
                self.status["failedIndexes"] = json!(failed.written());
            }
        }
        let active = self.active_count;
        self.set_or_remove("active", json!(active), active == 0);
        self.status["ready"] = json!(self.ready_count);
        self.status["terminating"] = json!(self.terminating_count);
    }

    fn set_or_remove(&mut self, name: &str, value: Value, is_none: bool) {
        if let Some(status) = self.status.as_object_mut() {
            if is_none {
                status.remove(name);
            } else {
                status.insert(name.to_owned(), value);
            }
        }
    }

    /// Says that the Job is about to end, and returns how it does.
    fn note_end(&mut self, end: End) -> End {
        if condition::find(&self.status, end.kind).is_none() {
            self.set_condition(end.kind, "True", &end.reason, &end.message);
        }
        let kind = if end.kind == "SuccessCriteriaMet" {
            "Complete"
        } else {
            "Failed"
        };
        End { kind, ..end }
    }

    fn finish(&mut self, end: &End) {
        self.set_condition(end.kind, "True", &end.reason, &end.message);
        let event = if end.kind == "Complete" {
            self.status["completionTime"] = time::written(self.now);
            Event::normal(self.job, COMPONENT, "Completed", "Job completed".to_owned())
        } else {
            Event::warning(self.job, COMPONENT, reason(&end.reason), end.message.clone())
        };
        self.update_status();
        self.plan.tell(event);
    }

    fn update_status(&mut self) {
        let mut job = self.job.clone();
        job["status"] = self.status.clone();
        self.plan.push(Verb::UpdateStatus(job));
    }
}

/// The reasons for which a Job fails, as the Event has them.
fn reason(reason: &str) -> &'static str {
    const REASONS: [&str; 4] = [
        "BackoffLimitExceeded",
        "DeadlineExceeded",
        "MaxFailedIndexesExceeded",
        "FailedIndexes",
    ];
    REASONS.into_iter().find(|known| *known == reason).unwrap_or("Failed")
}
