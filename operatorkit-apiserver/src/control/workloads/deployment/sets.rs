//! The new `ReplicaSet` of a Deployment and the old ones, and their numbers.

use std::cmp::Ordering;

use serde_json::Value;

use crate::control::workloads::labels::annotation;
use crate::control::workloads::owner::name;
use crate::control::workloads::template::is_same;
use crate::control::workloads::time::created;
use crate::read::integer;

/// The label by which the Pods of the `ReplicaSets` differ.
pub(super) const HASH: &str = "pod-template-hash";
/// Which of the rollouts the `ReplicaSet` is.
pub(super) const REVISION: &str = "deployment.kubernetes.io/revision";
/// How many Pods the Deployment wanted when the `ReplicaSet` was sized.
pub(super) const DESIRED: &str = "deployment.kubernetes.io/desired-replicas";
/// How many Pods there could be at most then.
pub(super) const MAXIMUM: &str = "deployment.kubernetes.io/max-replicas";

/// The `ReplicaSets` of a Deployment.
pub(super) struct Sets<'a> {
    /// The one whose template is the Deployment's.
    pub(super) new: Option<&'a Value>,
    /// The others, the oldest first.
    pub(super) old: Vec<&'a Value>,
}

impl<'a> Sets<'a> {
    pub(super) fn of(deployment: &Value, mut all: Vec<&'a Value>) -> Self {
        all.sort_by(|a, b| by_age(a, b));
        let wanted = without_hash(deployment);
        let new = all.iter().position(|set| is_same(&without_hash(set), &wanted));
        Self {
            new: new.map(|at| all.remove(at)),
            old: all,
        }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &'a Value> {
        self.old.iter().copied().chain(self.new)
    }

    /// The sum of a number over all.
    pub(super) fn sum(&self, pointer: &str) -> i64 {
        self.all().map(|set| integer(set, pointer)).sum()
    }

    /// Those that have Pods, or are to have some.
    pub(super) fn active(&self) -> Vec<&'a Value> {
        self.all().filter(|set| replicas(set) > 0).collect()
    }

    pub(super) fn active_old(&self) -> Vec<&'a Value> {
        self.old.iter().copied().filter(|set| replicas(set) > 0).collect()
    }
}

/// How many Pods the `ReplicaSet` is to have.
pub(super) fn replicas(set: &Value) -> i64 {
    integer(set, "/spec/replicas")
}

/// How many of its Pods are available.
pub(super) fn available(set: &Value) -> i64 {
    integer(set, "/status/availableReplicas")
}

/// A number that is kept as an annotation.
pub(super) fn number(set: &Value, key: &str) -> Option<i64> {
    let number = annotation(set, key)?.parse::<i32>().ok()?;
    (number >= 0).then_some(i64::from(number))
}

/// The older first, then by name.
pub(super) fn by_age(a: &Value, b: &Value) -> Ordering {
    created(a).cmp(&created(b)).then_with(|| name(a).cmp(name(b)))
}

fn without_hash(object: &Value) -> Value {
    let mut template = object.pointer("/spec/template").cloned().unwrap_or_default();
    if let Some(labels) = template.pointer_mut("/metadata/labels").and_then(Value::as_object_mut) {
        labels.remove(HASH);
    }
    template
}
