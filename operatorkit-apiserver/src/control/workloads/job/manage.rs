//! Pods of a Job that are missing, or too many.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::backoff::next_try_of;
use super::pods::{FINALIZER, is_tracked};
use super::{COMPONENT, Controller};
use crate::control::workloads::action::{Event, Reference, Verb};
use crate::control::workloads::owner::name;
use crate::control::workloads::pod::{is_ready, is_terminating};
use crate::control::workloads::rank::youngest_first;
use crate::read::{integer, items};

/// More Pods than this are not made or deleted at once.
const MOST: usize = 500;

impl<'a> Controller<'a> {
    pub(super) fn manage(&mut self) {
        if self.is_suspended() {
            self.active.clone().into_iter().for_each(|pod| self.remove(pod));
            return;
        }
        let wanted = self.wanted();
        let surplus = self.surplus(usize::try_from(self.active_count - wanted).unwrap_or_default());
        if !surplus.is_empty() {
            surplus.into_iter().take(MOST).for_each(|pod| self.remove(pod));
            return;
        }
        let terminating = if self.replaces_failed_only() {
            self.terminating_count
        } else {
            0
        };
        let missing = usize::try_from(wanted - terminating - self.active_count)
            .unwrap_or_default()
            .min(MOST);
        if missing > 0 {
            self.make(missing);
        }
    }

    /// How many Pods are to work now.
    fn wanted(&self) -> i64 {
        let parallelism = integer(self.job, "/spec/parallelism");
        match self.job.pointer("/spec/completions").and_then(Value::as_i64) {
            Some(completions) => (completions - self.succeeded).min(parallelism).max(0),
            // The first success says that the work is done: the others are let end.
            None if self.succeeded > 0 => self.active_count,
            None => parallelism,
        }
    }

    fn make(&mut self, missing: usize) {
        if !self.is_indexed() {
            if self.can_try(Self::next_try) {
                (0..missing).for_each(|_| self.create(None));
            }
            return;
        }
        let mut taken = self.succeeded_indexes.clone();
        taken.insert_all(self.active.iter().filter_map(|pod| self.index(pod)));
        if self.replaces_failed_only() {
            taken.insert_all(
                self.pods
                    .iter()
                    .filter(|pod| is_terminating(pod))
                    .filter_map(|pod| self.index(pod)),
            );
        }
        if let Some(failed) = &self.failed_indexes {
            taken = taken.merged(failed);
        }
        let indexes = taken.missing(missing, self.completions());
        let is_per_index = self.has_limit_per_index();
        if !is_per_index && !self.can_try(Self::next_try) {
            return;
        }
        let last_failed = self.last_failed();
        for index in indexes {
            if !is_per_index || self.can_try(|_| next_try_of(last_failed.get(&index))) {
                self.create(Some((index, last_failed.get(&index).copied())));
            }
        }
    }

    /// Whether the time for the next Pod has come. If not, it is waited for.
    fn can_try(&mut self, next: impl Fn(&Self) -> Option<jiff::Timestamp>) -> bool {
        match next(self).filter(|next| *next > self.now) {
            Some(next) => {
                self.plan.again_at(next);
                false
            }
            None => true,
        }
    }

    /// The active Pods to delete: all with an index that another has or that is none, then the youngest.
    fn surplus(&self, at_least: usize) -> Vec<&'a Value> {
        let mut surplus = Vec::new();
        let mut left = Vec::new();
        let mut seen = BTreeSet::new();
        let mut oldest_first = youngest_first(&self.active);
        oldest_first.reverse();
        for pod in oldest_first {
            let is_one = !self.is_indexed() || self.index(pod).is_some_and(|index| seen.insert(index));
            if is_one { left.push(pod) } else { surplus.push(pod) }
        }
        let more = at_least.saturating_sub(surplus.len());
        surplus.extend(left.into_iter().rev().take(more));
        surplus
    }

    /// Deletes a Pod that is not to be counted.
    fn remove(&mut self, pod: &'a Value) {
        self.release(pod);
        self.delete(pod);
    }

    /// Deletes all active Pods, which are counted when they have ended.
    pub(super) fn delete_active(&mut self) {
        self.active.clone().into_iter().for_each(|pod| self.delete(pod));
    }

    fn delete(&mut self, pod: &Value) {
        let told = Event::normal(
            self.job,
            COMPONENT,
            "SuccessfulDelete",
            format!("Deleted pod: {}", name(pod)),
        );
        self.plan.delete(pod, Some(told));
        self.active_count -= 1;
        self.terminating_count += 1;
        self.ready_count -= i64::from(is_ready(pod));
    }

    /// Takes the finalizer off, so that the Pod can go.
    pub(super) fn release(&mut self, pod: &Value) {
        if is_tracked(pod) {
            let finalizers = items(pod, "/metadata/finalizers").iter();
            let others: Vec<&Value> = finalizers.filter(|other| **other != json!(FINALIZER)).collect();
            let others = if others.is_empty() { Value::Null } else { json!(others) };
            let patch = json!({ "metadata": { "finalizers": others } });
            self.plan.push(Verb::Patch {
                object: Reference::to(pod),
                subresource: "",
                patch,
            });
        }
    }
}
