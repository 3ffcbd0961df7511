//! The workloads of `apps`.

use serde_json::{Value, json};

use super::{
    Is::{self, Failed, Pending, Ready},
    but, condition, object, rolled_out, table,
};
use crate::readiness::{Readiness, readiness};

const ROLLING: Is = Pending("RollingOut");

#[test]
fn a_deployment_counts_its_replicas() {
    let row = |changes: Value, expected| {
        let spec = json!({"replicas": 2, "progressDeadlineSeconds": 600});
        (spec, but(&rolled_out(), &changes), expected)
    };
    table(
        "apps/v1/Deployment",
        &[
            (json!({"replicas": 2}), json!(null), ROLLING),
            (json!({"replicas": 2}), json!({}), ROLLING),
            (json!({}), json!({"observedGeneration": 2}), ROLLING),
            row(json!({}), Ready),
            row(json!({"observedGeneration": null}), ROLLING),
            row(json!({"observedGeneration": 1}), ROLLING),
            row(json!({"observedGeneration": 3}), Ready),
            row(json!({"updatedReplicas": 1}), ROLLING),
            row(json!({"replicas": 3}), ROLLING),
            row(json!({"replicas": 1}), ROLLING),
            row(json!({"availableReplicas": 1}), ROLLING),
            row(json!({"readyReplicas": 1}), ROLLING),
        ],
    );
}

#[test]
fn a_deployments_conditions_decide_what_is_not_counted() {
    let available = condition("Available", "True", "");
    let progressing = |status, reason| condition("Progressing", status, reason);
    let exceeded = progressing("False", "ProgressDeadlineExceeded");
    let row = |conditions: &[&Value], changes: Value, expected| {
        let spec = json!({"replicas": 2, "progressDeadlineSeconds": 600});
        let status = but(&rolled_out(), &json!({ "conditions": conditions }));
        (spec, but(&status, &changes), expected)
    };
    let updating = json!({"updatedReplicas": 1});
    let failing = condition("ReplicaFailure", "True", "FailedCreate");
    table(
        "apps/v1/Deployment",
        &[
            row(&[], json!({}), ROLLING),
            row(&[&available], json!({}), ROLLING),
            row(
                &[&available, &progressing("True", "ReplicaSetUpdated")],
                json!({}),
                ROLLING,
            ),
            row(&[&progressing("True", "NewReplicaSetAvailable")], json!({}), ROLLING),
            row(&[&exceeded], updating.clone(), Failed("ProgressDeadlineExceeded")),
            row(&[&exceeded], json!({"observedGeneration": 1}), ROLLING),
            row(&[&failing], updating, Pending("ReplicaFailure")),
        ],
    );
}

#[test]
fn without_a_deadline_a_deployments_progress_is_not_reported() {
    let status = but(
        &rolled_out(),
        &json!({"conditions": [condition("Available", "True", "")]}),
    );
    table(
        "apps/v1/Deployment",
        &[
            (json!({"replicas": 2}), status.clone(), Ready),
            (
                json!({"replicas": 2, "progressDeadlineSeconds": i32::MAX}),
                status.clone(),
                Ready,
            ),
            (json!({"replicas": 2, "progressDeadlineSeconds": 1}), status, ROLLING),
        ],
    );
}

#[test]
fn a_paused_deployment_says_so_if_it_is_not_rolled_out() {
    let spec = json!({"replicas": 2, "paused": true});
    table(
        "apps/v1/Deployment",
        &[
            (
                spec.clone(),
                but(&rolled_out(), &json!({"updatedReplicas": 1})),
                Pending("Paused"),
            ),
            (spec, rolled_out(), Ready),
        ],
    );
}

#[test]
fn a_deployment_of_no_replicas_is_ready_once_it_is_seen() {
    let spec = json!({"replicas": 0, "progressDeadlineSeconds": 600});
    table(
        "apps/v1/Deployment",
        &[
            (spec.clone(), json!({}), ROLLING),
            (spec.clone(), json!({"observedGeneration": 1}), ROLLING),
            (spec.clone(), json!({"observedGeneration": 2}), Ready),
            (spec, json!({"observedGeneration": 2, "replicas": 1}), ROLLING),
        ],
    );
}

#[test]
fn a_workload_has_one_message_until_it_is_ready() {
    for kind in ["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"] {
        let mut messages = vec![];
        for status in [
            json!(null),
            json!({"observedGeneration": 1, "replicas": 3, "updatedReplicas": 3, "readyReplicas": 3, "availableReplicas": 3}),
            json!({"observedGeneration": 2, "desiredNumberScheduled": 3}),
            json!({"observedGeneration": 2, "desiredNumberScheduled": 3, "replicas": 1, "updatedReplicas": 1, "numberReady": 1}),
            json!({"observedGeneration": 2, "desiredNumberScheduled": 3, "replicas": 3, "updatedReplicas": 3, "readyReplicas": 2, "numberReady": 2}),
        ] {
            messages.push(readiness(&object(
                &format!("apps/v1/{kind}"),
                &json!({"replicas": 3}),
                &status,
            )));
        }
        messages.dedup();
        assert_eq!(
            messages,
            [Readiness::pending(
                "RollingOut",
                format!("the {kind} is not rolled out")
            )]
        );
    }
}
