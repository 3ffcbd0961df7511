//! The workloads of `apps`: one message each from creation to the end of the roll-out.

use serde_json::Value;

use super::{
    Readiness,
    conditions::{find, find_true, integer, text},
    kind,
};

/// What a workload is called pending with before its controller has seen it; `None` for other kinds.
pub(super) fn unseen(object: &Value) -> Option<Readiness> {
    let kinds = ["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"];
    (text(&object["apiVersion"]).starts_with("apps/") && kinds.contains(&kind(object))).then(|| rolling_out(object))
}

pub(super) fn deployment(object: &Value) -> Readiness {
    let (spec, status) = (&object["spec"], &object["status"]);
    let progressing = find(object, "Progressing");
    if progressing.is_some_and(|condition| condition.reason == "ProgressDeadlineExceeded") {
        return Readiness::failed(
            "ProgressDeadlineExceeded",
            "the Deployment made no progress within its progressDeadlineSeconds",
        );
    }
    let wanted = count_or(spec, "replicas", 1);
    let (replicas, updated) = (count(status, "replicas"), count(status, "updatedReplicas"));
    let counted = replicas == wanted
        && updated >= wanted
        && count(status, "availableReplicas") >= updated
        && count(status, "readyReplicas") >= wanted;
    // Without a deadline (or with the largest one) the controller does not report progress.
    let unreported = count_or(spec, "progressDeadlineSeconds", i32::MAX.into()) == i64::from(i32::MAX);
    let reported = progressing.is_some_and(|it| it.status == "True" && it.reason == "NewReplicaSetAvailable");
    let available = find_true(object, "Available").is_some() && (unreported || reported);
    if is_seen(object) && counted && (available || wanted == 0) {
        return Readiness::Ready;
    }
    if spec["paused"] == true {
        return Readiness::pending(
            "Paused",
            "the Deployment is not rolled out, and its spec.paused is true",
        );
    }
    without_pods(object).unwrap_or_else(|| rolling_out(object))
}

pub(super) fn stateful_set(object: &Value) -> Readiness {
    let (spec, status) = (&object["spec"], &object["status"]);
    let strategy = &spec["updateStrategy"];
    if !is_seen(object) {
        return rolling_out(object);
    }
    if strategy["type"] == "OnDelete" {
        // Whoever chose it updates the Pods by hand.
        return Readiness::Ready;
    }
    let wanted = count_or(spec, "replicas", 1);
    let counted = count(status, "replicas") == wanted && count(status, "readyReplicas") >= wanted;
    let updated = match integer(&strategy["rollingUpdate"]["partition"]) {
        Some(partition) => count(status, "updatedReplicas") >= wanted - partition,
        None => {
            count(status, "currentReplicas") >= wanted
                && text(&status["currentRevision"]) == text(&status["updateRevision"])
        }
    };
    Readiness::ready_if(counted && updated, || rolling_out(object))
}

pub(super) fn daemon_set(object: &Value) -> Readiness {
    let status = &object["status"];
    let wanted = integer(&status["desiredNumberScheduled"]);
    let counts = [
        "currentNumberScheduled",
        "updatedNumberScheduled",
        "numberAvailable",
        "numberReady",
    ];
    let counted = wanted.is_some_and(|wanted| counts.iter().all(|name| count(status, name) >= wanted));
    Readiness::ready_if(is_seen(object) && counted, || rolling_out(object))
}

pub(super) fn replica_set(object: &Value) -> Readiness {
    let status = &object["status"];
    let wanted = count_or(&object["spec"], "replicas", 1);
    let counts = ["fullyLabeledReplicas", "availableReplicas", "readyReplicas"];
    let counted = count(status, "replicas") <= wanted && counts.iter().all(|name| count(status, name) >= wanted);
    if let Some(failing) = without_pods(object) {
        return failing;
    }
    Readiness::ready_if(is_seen(object) && counted, || rolling_out(object))
}

/// Not failed: a quota may be raised, an admission webhook mended, and the controller goes on by itself.
fn without_pods(object: &Value) -> Option<Readiness> {
    find_true(object, "ReplicaFailure")?;
    let message = format!(
        "the {} cannot make or delete its Pods, see its condition ReplicaFailure",
        kind(object)
    );
    Some(Readiness::pending("ReplicaFailure", message))
}

fn rolling_out(object: &Value) -> Readiness {
    Readiness::pending("RollingOut", format!("the {} is not rolled out", kind(object)))
}

/// kstatus passes over a missing `observedGeneration`; these controllers always set it, with their first write.
fn is_seen(object: &Value) -> bool {
    integer(&object["status"]["observedGeneration"]).is_some()
}

fn count(status: &Value, name: &str) -> i64 {
    count_or(status, name, 0)
}

fn count_or(fields: &Value, name: &str, default: i64) -> i64 {
    integer(&fields[name]).unwrap_or(default)
}
