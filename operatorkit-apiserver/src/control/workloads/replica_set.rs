//! `ReplicaSets` over their Pods, as `k8s.io/kubernetes/pkg/controller/replicaset` does it.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::action::{Event, Plan, Verb};
use super::claim::claimed;
use super::labels::has_all;
use super::owner::{controller_uid, is_controlled_by, is_deleted, name, uid};
use super::pod::{again_when_available, is_active, is_available, is_ready, is_terminating};
use super::rank::for_deletion;
use super::{condition, template, time};
use crate::read::integer;

const COMPONENT: &str = "replicaset-controller";
const FAILURE: &str = "ReplicaFailure";
/// More Pods than this are not made or deleted at once.
const BURST: usize = 500;

/// What the `ReplicaSet` controller would do now.
///
/// `pods` and `replica_sets` are those of the namespace: those of the same Deployment decide which Pods go first.
/// `failure` is the message with which the creation or deletion of a Pod ended the last time, if it did not succeed.
pub fn reconcile_replica_set(
    set: &Value,
    pods: &[&Value],
    replica_sets: &[&Value],
    failure: Option<&str>,
    now: Timestamp,
) -> Plan {
    let mut plan = Plan::default();
    let own = claimed(set, pods, &mut plan);
    if !plan.is_done() {
        return plan;
    }
    let active: Vec<&Value> = own.iter().copied().filter(|pod| is_active(pod)).collect();
    if !is_deleted(set) {
        manage(set, &active, pods, replica_sets, now, &mut plan);
    }
    let min_ready_seconds = integer(set, "/spec/minReadySeconds");
    again_when_available(&active, min_ready_seconds, now, &mut plan);
    let terminating = own.iter().filter(|pod| is_terminating(pod)).count();
    update_status(set, counted(set, &active, terminating, failure, now), &mut plan);
    plan
}

fn manage(set: &Value, active: &[&Value], pods: &[&Value], siblings: &[&Value], now: Timestamp, plan: &mut Plan) {
    let wanted = usize::try_from(integer(set, "/spec/replicas")).unwrap_or_default();
    let template = set.pointer("/spec/template").unwrap_or(&Value::Null);
    for _ in active.len()..wanted.min(active.len() + BURST) {
        let told = Event::normal(set, COMPONENT, "SuccessfulCreate", "Created pod: {name}".to_owned());
        plan.push_told(Verb::Create(template::pod(template, set)), told);
    }
    let surplus = active.len().saturating_sub(wanted).min(BURST);
    if surplus == 0 {
        return;
    }
    let related: Vec<&Value> = pods
        .iter()
        .copied()
        .filter(|pod| is_active(pod) && is_related(pod, set, siblings))
        .collect();
    for pod in for_deletion(active, &related, now).into_iter().take(surplus) {
        let told = Event::normal(
            set,
            COMPONENT,
            "SuccessfulDelete",
            format!("Deleted pod: {}", name(pod)),
        );
        plan.delete(pod, Some(told));
    }
}

/// Whether the Pod belongs to a `ReplicaSet` of the same owner.
fn is_related(pod: &Value, set: &Value, siblings: &[&Value]) -> bool {
    let owner = controller_uid(set);
    is_controlled_by(pod, set)
        || siblings
            .iter()
            .any(|sibling| !owner.is_empty() && controller_uid(sibling) == owner && controller_uid(pod) == uid(sibling))
}

fn counted(set: &Value, active: &[&Value], terminating: usize, failure: Option<&str>, now: Timestamp) -> Value {
    let min_ready_seconds = integer(set, "/spec/minReadySeconds");
    let labels = set.pointer("/spec/template/metadata/labels").and_then(Value::as_object);
    let count = |is: &dyn Fn(&Value) -> bool| active.iter().filter(|pod| is(pod)).count();
    let mut status = Map::new();
    status.insert("replicas".to_owned(), json!(active.len()));
    for (name, number) in [
        (
            "fullyLabeledReplicas",
            count(&|pod| labels.is_none_or(|labels| has_all(pod, labels))),
        ),
        ("readyReplicas", count(&is_ready)),
        (
            "availableReplicas",
            count(&|pod| is_available(pod, min_ready_seconds, now)),
        ),
    ] {
        if number != 0 {
            status.insert(name.to_owned(), json!(number));
        }
    }
    status.insert("terminatingReplicas".to_owned(), json!(terminating));
    if let Some(conditions) = set.pointer("/status/conditions") {
        status.insert("conditions".to_owned(), conditions.clone());
    }
    let mut status = Value::Object(status);
    match failure {
        None => condition::remove(&mut status, FAILURE),
        Some(message) if condition::find(&status, FAILURE).is_none() => {
            let is_short = i64::try_from(active.len()).unwrap_or(i64::MAX) < integer(set, "/spec/replicas");
            let reason = if is_short { "FailedCreate" } else { "FailedDelete" };
            condition::push(
                &mut status,
                json!({
                    "type": FAILURE,
                    "status": "True",
                    "reason": reason,
                    "message": message,
                    "lastTransitionTime": time::written(now),
                }),
            );
        }
        Some(_) => {}
    }
    status
}

fn update_status(set: &Value, mut status: Value, plan: &mut Plan) {
    status["observedGeneration"] = json!(integer(set, "/metadata/generation"));
    if set.get("status") == Some(&status) {
        return;
    }
    let mut set = set.clone();
    set["status"] = status;
    plan.push(Verb::UpdateStatus(set));
}
