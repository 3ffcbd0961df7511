//! The rules, kind by kind, and what holds for all.

mod any_kind;
mod kinds;
mod pods;
mod sets;
mod workloads;

use serde_json::{Value, json};

use super::{Readiness, readiness};

/// What an object should be said to be: ready, or the reason why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Is {
    Ready,
    Pending(&'static str),
    Failed(&'static str),
}

use Is::{Failed, Pending, Ready};

#[track_caller]
fn check(object: &Value, expected: Is) {
    let found = readiness(object);
    let reason = match &found {
        Readiness::Ready => "",
        Readiness::Pending { reason, .. } | Readiness::Failed { reason, .. } => reason,
    };
    let same = match expected {
        Ready => found == Readiness::Ready,
        Pending(wanted) => matches!(found, Readiness::Pending { .. }) && reason == wanted,
        Failed(wanted) => matches!(found, Readiness::Failed { .. }) && reason == wanted,
    };
    assert!(same, "{found:?} where {expected:?} was expected of {object}");
}

/// An object of generation 2 with this spec and status.
fn object(kind: &str, spec: &Value, status: &Value) -> Value {
    let (version, kind) = kind.rsplit_once('/').unwrap();
    json!({"apiVersion": version, "kind": kind, "metadata": {"name": "a", "generation": 2}, "spec": spec, "status": status})
}

#[track_caller]
fn table(kind: &str, rows: &[(Value, Value, Is)]) {
    for (spec, status, expected) in rows {
        check(&object(kind, spec, status), *expected);
    }
}

fn condition(kind: &str, status: &str, reason: &str) -> Value {
    json!({"type": kind, "status": status, "reason": reason, "message": "2 of 3"})
}

/// A status with other values for some members.
fn but(base: &Value, changes: &Value) -> Value {
    let mut status = base.as_object().unwrap().clone();
    status.extend(changes.as_object().unwrap().clone());
    status.into()
}

fn rolled_out() -> Value {
    json!({
        "observedGeneration": 2, "replicas": 2, "updatedReplicas": 2, "readyReplicas": 2, "availableReplicas": 2,
        "conditions": [condition("Available", "True", "MinimumReplicasAvailable"), condition("Progressing", "True", "NewReplicaSetAvailable")],
    })
}
