//! The sets: `StatefulSet`, `DaemonSet`, `ReplicaSet`.

use serde_json::{Value, json};

use super::{
    Is::{Pending, Ready},
    but, condition, table,
};

#[test]
fn stateful_set() {
    let (spec, rolling) = (json!({"replicas": 2}), Pending("RollingOut"));
    let part = |partition: i64| json!({"replicas": 2, "updateStrategy": {"rollingUpdate": {"partition": partition}}});
    let done = json!({
        "observedGeneration": 2, "replicas": 2, "readyReplicas": 2, "currentReplicas": 2, "updatedReplicas": 2,
        "currentRevision": "a-1", "updateRevision": "a-1",
    });
    let halfway = but(
        &done,
        &json!({"updatedReplicas": 1, "currentReplicas": 1, "updateRevision": "a-2"}),
    );
    table(
        "apps/v1/StatefulSet",
        &[
            (spec.clone(), done.clone(), Ready),
            (spec.clone(), json!({"replicas": 0}), rolling),
            (spec.clone(), but(&done, &json!({"replicas": 1})), rolling),
            (spec.clone(), but(&done, &json!({"replicas": 3})), rolling),
            (spec.clone(), but(&done, &json!({"readyReplicas": 1})), rolling),
            (spec.clone(), but(&done, &json!({"currentReplicas": 1})), rolling),
            (spec.clone(), but(&done, &json!({"updateRevision": "a-2"})), rolling),
            (spec, halfway.clone(), rolling),
            (part(0), done.clone(), Ready),
            (part(0), halfway.clone(), rolling),
            (part(1), halfway.clone(), Ready),
            (part(5), halfway, Ready),
            (part(1), but(&done, &json!({"readyReplicas": 1})), rolling),
            (
                json!({"replicas": 2, "updateStrategy": {"type": "OnDelete"}}),
                json!({"observedGeneration": 2}),
                Ready,
            ),
            (
                json!({"replicas": 2, "updateStrategy": {"type": "OnDelete"}}),
                json!({}),
                rolling,
            ),
            (json!({"replicas": 0}), json!({"observedGeneration": 2}), Ready),
        ],
    );
}

#[test]
fn daemon_set() {
    let rolling = Pending("RollingOut");
    let done = json!({
        "observedGeneration": 2, "desiredNumberScheduled": 2, "currentNumberScheduled": 2, "updatedNumberScheduled": 2,
        "numberAvailable": 2, "numberReady": 2,
    });
    let row = |changes: Value, expected| (json!({}), but(&done, &changes), expected);
    table(
        "apps/v1/DaemonSet",
        &[
            row(json!({}), Ready),
            row(json!({"currentNumberScheduled": 1}), rolling),
            row(json!({"updatedNumberScheduled": 1}), rolling),
            row(json!({"numberAvailable": 1}), rolling),
            row(json!({"numberReady": 1}), rolling),
            row(json!({"desiredNumberScheduled": null}), rolling),
            row(json!({"observedGeneration": null}), rolling),
            (
                json!({}),
                json!({"observedGeneration": 2, "desiredNumberScheduled": 0}),
                Ready,
            ),
        ],
    );
}

#[test]
fn replica_set() {
    let (spec, rolling) = (json!({"replicas": 2}), Pending("RollingOut"));
    let done = json!({"observedGeneration": 2, "replicas": 2, "fullyLabeledReplicas": 2, "availableReplicas": 2, "readyReplicas": 2});
    let row = |changes: Value, expected| (spec.clone(), but(&done, &changes), expected);
    table(
        "apps/v1/ReplicaSet",
        &[
            row(json!({}), Ready),
            row(json!({"fullyLabeledReplicas": 1}), rolling),
            row(json!({"availableReplicas": 1}), rolling),
            row(json!({"readyReplicas": 1}), rolling),
            row(json!({"replicas": 3}), rolling),
            row(
                json!({"conditions": [condition("ReplicaFailure", "True", "FailedCreate")]}),
                Pending("ReplicaFailure"),
            ),
            row(json!({"conditions": [condition("ReplicaFailure", "False", "")]}), Ready),
        ],
    );
}
