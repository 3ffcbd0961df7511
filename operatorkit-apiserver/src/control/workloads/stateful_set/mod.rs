//! `StatefulSets` over their Pods, claims and revisions, as `k8s.io/kubernetes/pkg/controller/statefulset` does it.
//!
//! | module | what |
//! |---|---|
//! | `identity` | names, ordinals, and the Pods that are made |
//! | `claims` | the volume claims of the Pods |
//! | `order` | which Pods are made and deleted, one after the other or all at once |
//! | `status` | the status |
//! | `update` | which Pods are replaced by new ones |

mod claims;
mod identity;
mod order;
mod status;
mod update;

use jiff::Timestamp;
use serde_json::{Value, json};

use self::identity::{is_member, ordinal, pod_revision, start_ordinal};
use super::action::{Event, Plan, Verb};
use super::claim::claimed;
use super::owner::{is_deleted, name};
use super::pod::{again_when_available, is_available, is_ready};
use super::{hash, revision, template::is_same};
use crate::read::{integer, text};

const COMPONENT: &str = "statefulset-controller";
const HASH: &str = "controller.kubernetes.io/hash";

/// What the StatefulSet controller would do now.
///
/// `pods`, `claims` and `revisions` are those of the namespace.
pub fn reconcile_stateful_set(
    set: &Value,
    pods: &[&Value],
    claims: &[&Value],
    revisions: &[&Value],
    now: Timestamp,
) -> Plan {
    let mut plan = Plan::default();
    let members: Vec<&Value> = pods.iter().copied().filter(|pod| is_member(set, pod)).collect();
    let own = claimed(set, &members, &mut plan);
    let history = revision::of_owner(set, revisions);
    let updated = if plan.is_done() {
        update_revision(set, &history, revisions, &mut plan)
    } else {
        None
    };
    let Some(updated) = updated else { return plan };
    let status = text(set, "/status/currentRevision");
    let current = history
        .iter()
        .copied()
        .find(|revision| name(revision) == status)
        .unwrap_or(updated);
    let mut controller = Controller {
        set,
        claims,
        current,
        updated,
        now,
        plan,
        pods: own,
        deleted: 0,
    };
    controller.reconcile();
    let is_live = |revision: &Value| {
        [name(current), name(updated)].contains(&name(revision))
            || controller.pods.iter().any(|pod| pod_revision(pod) == name(revision))
    };
    for old in revision::surplus(set, &history, is_live) {
        controller.plan.delete(old, None);
    }
    controller.plan
}

/// The revision of the set's template. `None` if it is only made or renewed now.
fn update_revision<'a>(set: &Value, history: &[&'a Value], all: &[&Value], plan: &mut Plan) -> Option<&'a Value> {
    let data = revision::data(set);
    let next = revision::next_number(history);
    let equal = history
        .iter()
        .copied()
        .rfind(|revision| is_same(&revision["data"], &data));
    match (equal, history.last()) {
        (Some(equal), Some(last)) if name(equal) == name(last) => return Some(equal),
        (Some(equal), _) => {
            let mut renewed = equal.clone();
            renewed["revision"] = json!(next);
            plan.push(Verb::Update(renewed));
        }
        (None, _) => {
            let mut collisions = integer(set, "/status/collisionCount");
            loop {
                let hash = hash::of_revision(&revision::written(&data), collisions);
                let new = revision::new(set, &data, next, HASH, &hash);
                if all.iter().all(|other| name(other) != name(&new)) {
                    plan.push(Verb::Create(new));
                    break;
                }
                collisions += 1;
            }
        }
    }
    None
}

/// One look at one `StatefulSet`.
struct Controller<'a> {
    set: &'a Value,
    claims: &'a [&'a Value],
    current: &'a Value,
    updated: &'a Value,
    now: Timestamp,
    plan: Plan,
    pods: Vec<&'a Value>,
    /// Pods of the current revision that are deleted now to be replaced.
    deleted: i64,
}

impl Controller<'_> {
    fn reconcile(&mut self) {
        let (start, size) = (start_ordinal(self.set), self.replicas());
        let mut replicas: Vec<Option<&Value>> = vec![None; usize::try_from(size).unwrap_or_default()];
        let mut condemned = Vec::new();
        for pod in self.pods.clone() {
            let Some(ordinal) = ordinal(pod) else { continue };
            let place = usize::try_from(ordinal - start)
                .ok()
                .and_then(|place| replicas.get_mut(place));
            match place {
                Some(place) => *place = Some(pod),
                None => condemned.push(pod),
            }
        }
        condemned.sort_by_key(|pod| std::cmp::Reverse(ordinal(pod)));
        if !is_deleted(self.set) {
            let is_settled = self.fill(&replicas) && self.shrink(&replicas, &condemned);
            if is_settled && text(self.set, "/spec/updateStrategy/type") != "OnDelete" {
                self.replace(&replicas);
            }
        }
        again_when_available(&self.pods, self.min_ready_seconds(), self.now, &mut self.plan);
        self.update_status();
    }

    fn replicas(&self) -> i64 {
        integer(self.set, "/spec/replicas")
    }

    fn min_ready_seconds(&self) -> i64 {
        integer(self.set, "/spec/minReadySeconds")
    }

    /// Whether Pods are made and deleted without waiting for each other.
    fn is_parallel(&self) -> bool {
        text(self.set, "/spec/podManagementPolicy") == "Parallel"
    }

    fn is_unavailable(&self, pod: &Value) -> bool {
        is_deleted(pod) || !is_available(pod, self.min_ready_seconds(), self.now)
    }

    fn delete(&mut self, pod: &Value) {
        let message = format!("Delete Pod {} in StatefulSet {} successful", name(pod), name(self.set));
        let told = Event::normal(self.set, COMPONENT, "SuccessfulDelete", message);
        self.plan.delete(pod, Some(told));
    }
}

/// Whether the Pod runs and is ready.
fn is_running_and_ready(pod: &Value) -> bool {
    text(pod, "/status/phase") == "Running" && is_ready(pod)
}
