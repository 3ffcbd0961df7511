//! What holds for any kind.

use serde_json::json;

use super::{
    Is::{Failed, Pending, Ready},
    but, check, condition, object, rolled_out, table,
};
use crate::readiness::{Readiness, readiness};

#[test]
fn any_kind_with_a_generation_and_conditions() {
    let with =
        |kind: &str, status: &str| json!({"observedGeneration": 2, "conditions": [condition(kind, status, "Because")]});
    let old = json!({"conditions": [{"type": "Ready", "status": "True", "observedGeneration": 1}]});
    let bare = json!({"conditions": [{"type": "Ready", "status": "False"}, {"type": "Other"}, 1]});
    table(
        "example.com/v1/Thing",
        &[
            (json!({}), json!({}), Ready),
            (json!({}), json!({"observedGeneration": 2}), Ready),
            (json!({}), json!({"observedGeneration": 1}), Pending("NotObserved")),
            (json!({}), with("Ready", "True"), Ready),
            (json!({}), with("Ready", "False"), Pending("Because")),
            (json!({}), with("Ready", "Unknown"), Pending("Because")),
            (json!({}), bare, Pending("NotReady")),
            (json!({}), old, Pending("NotObserved")),
            (
                json!({}),
                json!({"conditions": [{"type": "Stalled", "status": "True", "observedGeneration": 1}]}),
                Pending("NotObserved"),
            ),
            (json!({}), with("Reconciling", "True"), Pending("Because")),
            (json!({}), with("Reconciling", "False"), Ready),
            (json!({}), with("Stalled", "True"), Failed("Because")),
            (json!({}), with("Stalled", "False"), Ready),
            (json!({}), json!({"conditions": "none"}), Ready),
        ],
    );
    // Decided before the rule of a kind.
    table(
        "apps/v1/Deployment",
        &[
            (
                json!({"replicas": 2}),
                but(&rolled_out(), &with("Stalled", "True")),
                Failed("Because"),
            ),
            (
                json!({"replicas": 2}),
                but(&rolled_out(), &with("Reconciling", "True")),
                Pending("Because"),
            ),
        ],
    );
}

#[test]
fn a_pending_conditions_own_message_is_left_out() {
    let status = json!({"conditions": [condition("Ready", "False", "Waiting")]});
    assert_eq!(
        readiness(&object("example.com/v1/Thing", &json!({}), &status)),
        Readiness::pending("Waiting", "the Thing's condition Ready is False")
    );
}

#[test]
fn what_is_being_deleted_is_never_ready() {
    for kind in ["v1/ConfigMap", "apps/v1/Deployment", "example.com/v1/Thing"] {
        let mut object = object(kind, &json!({"replicas": 2}), &rolled_out());
        object["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
        check(&object, Pending("Terminating"));
    }
}

#[test]
fn what_is_no_object_does_no_harm() {
    for value in [
        json!(null),
        json!([]),
        json!("a"),
        json!({"metadata": 1, "status": [1], "kind": {}}),
    ] {
        check(&value, Ready);
    }
}
