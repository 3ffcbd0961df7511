//! Sizes of `ReplicaSets` that change because the Deployment's does: in proportion, so that a rollout under way
//! neither gets faster nor slower.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Controller;
use super::sets::{DESIRED, MAXIMUM, available, by_age, number, replicas};
use crate::control::workloads::action::Verb;
use crate::control::workloads::owner::name;
use crate::read::integer;

impl Controller<'_> {
    /// Whether the Deployment's size has changed since its `ReplicaSets` were sized.
    pub(super) fn is_scaled(&self) -> bool {
        self.sets
            .active()
            .into_iter()
            .filter_map(|set| number(set, DESIRED))
            .any(|desired| desired != self.replicas())
    }

    pub(super) fn scale(&mut self) {
        let active = self.sets.active();
        let only = match active.len() {
            0 => self.sets.new.or(self.sets.old.last().copied()),
            1 => active.first().copied(),
            _ => None,
        };
        if let Some(only) = only {
            self.resize(only, self.replicas());
        } else if self.is_saturated() {
            for old in self.sets.active_old() {
                self.resize(old, 0);
            }
        } else if self.is_rolling() && !active.is_empty() {
            self.scale_in_proportion(active);
        }
    }

    /// Whether the new `ReplicaSet` alone is all that is wanted.
    fn is_saturated(&self) -> bool {
        let all = self.replicas();
        let is_all = |set: &Value| replicas(set) == all && number(set, DESIRED) == Some(all) && available(set) == all;
        self.sets.new.is_some_and(is_all)
    }

    fn scale_in_proportion(&mut self, mut active: Vec<&Value>) {
        let allowed = if self.replicas() > 0 {
            self.replicas() + self.limits().0
        } else {
            0
        };
        let change = allowed - active.iter().map(|set| replicas(set)).sum::<i64>();
        // The largest first; of those of one size the newer grow first and the older shrink first.
        let by_size = |a: &Value, b: &Value| replicas(b).cmp(&replicas(a));
        match change.cmp(&0) {
            Ordering::Greater => active.sort_by(|a, b| by_size(a, b).then_with(|| by_age(b, a))),
            Ordering::Less => active.sort_by(|a, b| by_size(a, b).then_with(|| by_age(a, b))),
            Ordering::Equal => {}
        }
        let mut changed = 0;
        let mut sizes: BTreeMap<&str, i64> = BTreeMap::new();
        for set in &active {
            let part = self.proportion(set, change, changed);
            sizes.insert(name(set), replicas(set) + part);
            changed += part;
        }
        for (at, set) in active.iter().enumerate() {
            let mut size = sizes[name(set)];
            if at == 0 && change != 0 {
                size = (size + change - changed).max(0);
            }
            self.resize_anyway(set, size);
        }
    }

    /// The part of a change that falls to one `ReplicaSet`.
    fn proportion(&self, set: &Value, change: i64, changed: i64) -> i64 {
        let left = change - changed;
        if change == 0 || left == 0 {
            return 0;
        }
        let part = self.fraction(set);
        if change > 0 { part.min(left) } else { part.max(left) }
    }

    fn fraction(&self, set: &Value) -> i64 {
        let size = replicas(set);
        if self.replicas() == 0 {
            return -size;
        }
        let before = number(set, MAXIMUM).filter(|before| *before != 0);
        let before = before.unwrap_or_else(|| integer(self.deployment, "/status/replicas"));
        if before == 0 {
            return 0;
        }
        let maximum = self.replicas() + self.limits().0;
        // Rounded to the nearest.
        (2 * size * maximum + before) / (2 * before) - size
    }

    /// Gives a `ReplicaSet` another size. Whether it was another.
    pub(super) fn resize(&mut self, set: &Value, size: i64) -> bool {
        let is_other = replicas(set) != size;
        if is_other {
            self.resize_anyway(set, size);
        }
        is_other
    }

    /// Gives a `ReplicaSet` a size, and the annotations that tell of the Deployment's.
    fn resize_anyway(&mut self, set: &Value, size: i64) {
        let before = replicas(set);
        let mut resized = set.clone();
        self.annotate_size(&mut resized);
        resized["spec"]["replicas"] = json!(size);
        if before == size {
            if resized != *set {
                self.plan.push(Verb::Update(resized));
            }
            return;
        }
        let direction = if before < size { "up" } else { "down" };
        let message = format!("Scaled {direction} replica set {} from {before} to {size}", name(set));
        let told = self.tell("ScalingReplicaSet", message);
        self.plan.push_told(Verb::Update(resized), told);
    }
}
