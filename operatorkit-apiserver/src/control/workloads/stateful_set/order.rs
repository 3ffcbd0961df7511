//! Which Pods are made and deleted so that there is one for each ordinal: one after the other, each waiting for those
//! before it, or all at once.

use serde_json::Value;

use super::identity::{self, missing_label, ordinal, pod_revision, start_ordinal};
use super::{COMPONENT, Controller, is_running_and_ready};
use crate::control::workloads::action::{Event, Reference, Verb};
use crate::control::workloads::owner::{is_deleted, name};
use crate::control::workloads::pod::is_ended;
use crate::control::workloads::revision;
use crate::read::{has, integer, text};

impl<'a> Controller<'a> {
    /// Makes the Pods that are missing. Whether all that are waited for are there.
    pub(super) fn fill(&mut self, replicas: &[Option<&'a Value>]) -> bool {
        let is_parallel = self.is_parallel();
        for (ordinal, pod) in (start_ordinal(self.set)..).zip(replicas) {
            let is_settled = match pod {
                Some(pod) => self.keep(pod, ordinal),
                None => self.make(ordinal),
            };
            if !is_settled && !is_parallel {
                return false;
            }
        }
        true
    }

    fn make(&mut self, ordinal: i64) -> bool {
        if self.is_claim_stale(ordinal) {
            return false;
        }
        self.make_claims(ordinal);
        let of = self.revision_for(ordinal);
        let pod = identity::pod(self.set, &revision::template(of), name(of), ordinal);
        let message = format!("Create Pod {} in StatefulSet {} successful", name(&pod), name(self.set));
        let told = Event::normal(self.set, COMPONENT, "SuccessfulCreate", message);
        self.plan.push_told(Verb::Create(pod), told);
        false
    }

    /// The revision that a Pod is made of: below the partition it is the current one.
    fn revision_for(&self, ordinal: i64) -> &'a Value {
        const ROLLING: &str = "/spec/updateStrategy/rollingUpdate";
        let is_rolling = text(self.set, "/spec/updateStrategy/type") == "RollingUpdate";
        let above = if has(self.set, ROLLING) {
            integer(self.set, "/spec/updateStrategy/rollingUpdate/partition")
        } else if is_rolling {
            integer(self.set, "/status/currentReplicas")
        } else {
            0
        };
        if ordinal < start_ordinal(self.set) + above {
            self.current
        } else {
            self.updated
        }
    }

    fn keep(&mut self, pod: &'a Value, ordinal: i64) -> bool {
        if is_ended(pod) {
            if !is_deleted(pod) {
                self.delete(pod);
            }
            return false;
        }
        if text(pod, "/status/phase") == "Pending" {
            self.make_claims(ordinal);
        }
        self.own_claims(pod);
        let is_settled = !is_deleted(pod) && is_running_and_ready(pod) && !self.is_unavailable(pod);
        if let Some(patch) = missing_label(pod).filter(|_| is_settled || self.is_parallel()) {
            self.plan.push(Verb::Patch {
                object: Reference::to(pod),
                subresource: "",
                patch,
            });
        }
        is_settled
    }

    /// Deletes the Pods that are too many, the last first. Whether none is left.
    pub(super) fn shrink(&mut self, replicas: &[Option<&'a Value>], condemned: &[&'a Value]) -> bool {
        let unhealthy = replicas
            .iter()
            .flatten()
            .copied()
            .chain(condemned.iter().rev().copied());
        let first = unhealthy
            .into_iter()
            .find(|pod| self.is_unavailable(pod))
            .and_then(ordinal);
        for pod in condemned {
            self.own_claims(pod);
        }
        for pod in condemned {
            let is_waited_for =
                is_deleted(pod) || (self.is_unavailable(pod) || !is_running_and_ready(pod)) && ordinal(pod) != first;
            if self.is_parallel() {
                if !is_deleted(pod) {
                    self.delete(pod);
                }
            } else if is_waited_for {
                return false;
            } else {
                self.delete(pod);
                return false;
            }
        }
        true
    }

    /// Whether the Pod is of the template that the set has now.
    pub(super) fn is_updated(&self, pod: &Value) -> bool {
        pod_revision(pod) == name(self.updated)
    }
}
