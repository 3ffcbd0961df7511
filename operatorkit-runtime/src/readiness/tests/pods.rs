//! Pods and Jobs.

use serde_json::{Value, json};

use super::{
    Is::{Failed, Pending, Ready},
    but, condition, object, table,
};
use crate::readiness::{Readiness, readiness};

#[test]
fn pod() {
    let phase = |phase: &str, conditions: Value| json!({"phase": phase, "conditions": conditions});
    let looping = json!({"phase": "Running", "containerStatuses": [
        {"name": "fine", "state": {"running": {}}}, {"name": "web", "state": {"waiting": {"reason": "CrashLoopBackOff"}}},
    ]});
    table(
        "v1/Pod",
        &[
            (json!({}), json!({}), Pending("PodNotReady")),
            (json!({}), phase("Pending", json!([])), Pending("PodNotReady")),
            (json!({}), phase("Unknown", json!([])), Pending("PodNotReady")),
            (
                json!({}),
                phase("Pending", json!([condition("PodScheduled", "False", "Unschedulable")])),
                Pending("Unschedulable"),
            ),
            (
                json!({}),
                phase("Pending", json!([condition("PodScheduled", "True", "")])),
                Pending("PodNotReady"),
            ),
            (
                json!({}),
                phase("Running", json!([condition("Ready", "False", "ContainersNotReady")])),
                Pending("PodNotReady"),
            ),
            (
                json!({}),
                phase("Running", json!([condition("Ready", "True", "")])),
                Ready,
            ),
            (json!({}), looping.clone(), Failed("ContainerCrashLooping")),
            (
                json!({}),
                but(&looping, &json!({"conditions": [condition("Ready", "True", "")]})),
                Ready,
            ),
            (
                json!({}),
                phase("Succeeded", json!([condition("Ready", "False", "PodCompleted")])),
                Ready,
            ),
            (json!({}), phase("Failed", json!([])), Failed("PodFailed")),
        ],
    );
    let Readiness::Failed { message, .. } = readiness(&object("v1/Pod", &json!({}), &looping)) else {
        panic!("not failed")
    };
    assert!(message.contains("web") && !message.contains("fine"), "{message}");
}

#[test]
fn job() {
    let with = |kind: &str, reason: &str| json!({"startTime": "2026-01-01T00:00:00Z", "conditions": [condition(kind, "True", reason)]});
    table(
        "batch/v1/Job",
        &[
            (json!({}), json!({}), Pending("JobNotStarted")),
            (
                json!({}),
                json!({"startTime": "2026-01-01T00:00:00Z", "active": 1}),
                Ready,
            ),
            (json!({}), with("Complete", ""), Ready),
            (json!({}), with("Failed", "BackoffLimitExceeded"), Failed("JobFailed")),
            (
                json!({"suspend": true}),
                json!({"conditions": [condition("Suspended", "True", "JobSuspended")]}),
                Ready,
            ),
            (json!({"suspend": true}), json!({}), Pending("JobNotStarted")),
            (
                json!({"suspend": false}),
                json!({"conditions": [condition("Suspended", "True", "JobSuspended")]}),
                Pending("JobNotStarted"),
            ),
        ],
    );
}
