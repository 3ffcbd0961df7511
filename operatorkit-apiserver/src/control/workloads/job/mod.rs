//! Jobs over their Pods, as `k8s.io/kubernetes/pkg/controller/job` and `…/ttlafterfinished` do it.
//!
//! | module | what |
//! |---|---|
//! | `pods` | the Job's Pods: which are counted already, which have failed |
//! | `manage` | Pods that are missing or too many |
//! | `create` | the Pods that are made |
//! | `end` | whether the Job is complete or has failed, and what is over goes |
//! | `track` | counting the Pods that have ended, each once, and the end of the Job |
//! | `indexes` | completion indexes: `0-2,5` |
//! | `backoff` | the time that passes after a failure |

mod backoff;
mod create;
mod end;
pub(super) mod indexes;
mod manage;
mod pods;
mod track;

use jiff::Timestamp;
use serde_json::{Value, json};

use self::end::{End, expire, finished_at};
use self::indexes::Indexes;
use super::action::{Event, Plan};
use super::claim::claimed;
use super::owner::is_deleted;
use super::pod::{is_active, is_ready, is_terminating};
use super::time;
use crate::read::{has, is_condition_true, is_true, text};

const COMPONENT: &str = "job-controller";

/// What the Job controller would do now. `pods` are those of the namespace.
pub fn reconcile_job(job: &Value, pods: &[&Value], now: Timestamp) -> Plan {
    let mut plan = Plan::default();
    let manager = text(job, "/spec/managedBy");
    if !manager.is_empty() && manager != "kubernetes.io/job-controller" {
        return plan;
    }
    if let Some(finished) = finished_at(job) {
        expire(job, finished, now, &mut plan);
        return plan;
    }
    let own = claimed(job, pods, &mut plan);
    if !plan.is_done() {
        return plan;
    }
    let mut controller = Controller::of(job, own, now, plan);
    controller.reconcile();
    controller.plan
}

/// One look at one Job.
struct Controller<'a> {
    job: &'a Value,
    pods: Vec<&'a Value>,
    active: Vec<&'a Value>,
    /// The status as it will be.
    status: Value,
    now: Timestamp,
    plan: Plan,
    /// Numbers as they are when the plan is carried out.
    active_count: i64,
    ready_count: i64,
    terminating_count: i64,
    succeeded: i64,
    failed: i64,
    succeeded_indexes: Indexes,
    failed_indexes: Option<Indexes>,
}

fn count<T>(items: &[T]) -> i64 {
    i64::try_from(items.len()).unwrap_or(i64::MAX)
}

impl<'a> Controller<'a> {
    fn of(job: &'a Value, pods: Vec<&'a Value>, now: Timestamp, plan: Plan) -> Self {
        let active: Vec<&Value> = pods.iter().copied().filter(|pod| is_active(pod)).collect();
        let ready: Vec<&Value> = active.iter().copied().filter(|pod| is_ready(pod)).collect();
        let terminating: Vec<&Value> = pods.iter().copied().filter(|pod| is_terminating(pod)).collect();
        let mut status = job
            .get("status")
            .filter(|status| status.is_object())
            .cloned()
            .unwrap_or_else(|| json!({}));
        if !has(&status, "/uncountedTerminatedPods") {
            status["uncountedTerminatedPods"] = json!({});
        }
        let mut controller = Self {
            job,
            active_count: count(&active),
            ready_count: count(&ready),
            terminating_count: count(&terminating),
            active,
            pods,
            status,
            now,
            plan,
            succeeded: 0,
            failed: 0,
            succeeded_indexes: Indexes::default(),
            failed_indexes: None,
        };
        controller.count();
        controller
    }

    fn reconcile(&mut self) {
        if !has(&self.status, "/startTime") && !self.is_suspended() {
            self.status["startTime"] = time::written(self.now);
        }
        let mut end = self.end();
        if end.is_some() {
            self.delete_active();
        } else {
            let is_managed = !is_deleted(self.job);
            if is_managed {
                self.manage();
            }
            if self.is_complete() {
                let message = "Reached expected number of succeeded pods";
                end = Some(End::new("SuccessCriteriaMet", "CompletionsReached", message));
            } else if is_managed {
                self.note_suspension();
            }
        }
        self.track(end);
    }

    fn is_suspended(&self) -> bool {
        is_true(self.job, "/spec/suspend")
    }

    /// Whether each of the completions has an index.
    fn is_indexed(&self) -> bool {
        text(self.job, "/spec/completionMode") == "Indexed"
    }

    fn note_suspension(&mut self) {
        let is_noted = is_condition_true(&self.status, "/conditions", "Suspended");
        let (status, reason, message, event) = match (self.is_suspended(), is_noted) {
            (true, false) => ("True", "JobSuspended", "Job suspended", "Suspended"),
            (false, true) => ("False", "JobResumed", "Job resumed", "Resumed"),
            _ => return,
        };
        self.set_condition("Suspended", status, reason, message);
        if self.is_suspended() {
            if let Some(status) = self.status.as_object_mut() {
                status.remove("startTime");
            }
        } else {
            self.status["startTime"] = time::written(self.now);
        }
        self.plan
            .tell(Event::normal(self.job, COMPONENT, event, message.to_owned()));
    }

    /// Sets a condition in its place, or at the end.
    fn set_condition(&mut self, kind: &str, status: &str, reason: &str, message: &str) {
        let new = json!({
            "type": kind,
            "status": status,
            "lastProbeTime": time::written(self.now),
            "lastTransitionTime": time::written(self.now),
            "reason": reason,
            "message": message,
        });
        let conditions = self.status.get_mut("conditions").and_then(Value::as_array_mut);
        match conditions.and_then(|conditions| conditions.iter_mut().find(|old| text(old, "/type") == kind)) {
            Some(old) => *old = new,
            None => super::condition::push(&mut self.status, new),
        }
    }
}
