//! Jobs beyond the facts: tries for each index, time to live, and the writing of indexes.

use jiff::SignedDuration;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::Cluster;
use crate::control::workloads::job::indexes::Indexes;
use crate::control::workloads::{Verb, reconcile_job};
use crate::read::{integer, text};

fn job(outcome: &str, spec: &Value) -> Value {
    let annotations = json!({ "operatorkit.dev/test-outcome": outcome });
    let mut job = json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": { "name": "work", "namespace": "n" },
        "spec": {
            "parallelism": 1,
            "completions": 1,
            "backoffLimit": 6,
            "selector": { "matchLabels": { "job": "work" } },
            "template": {
                "metadata": { "labels": { "job": "work" }, "annotations": annotations },
                "spec": { "restartPolicy": "Never", "containers": [{ "name": "c", "image": "i" }] },
            },
        },
    });
    json_patch::merge(&mut job["spec"], spec);
    job
}

#[test]
fn each_index_is_tried_again_on_its_own() {
    let mut cluster = Cluster::new();
    let spec = json!({
        "completions": 2, "parallelism": 2, "completionMode": "Indexed",
        "backoffLimit": i32::MAX, "backoffLimitPerIndex": 1,
    });
    cluster.create(job("Failed", &spec));
    let begin = cluster.now;
    cluster.settle(100);
    let status = &cluster.get("Job", "work")["status"];
    assert_eq!((integer(status, "/failed"), text(status, "/failedIndexes")), (4, "0,1"));
    assert_eq!(text(status, "/conditions/1/reason"), "FailedIndexes");
    // The second try waits for ten seconds.
    assert!(cluster.now.duration_since(begin) >= SignedDuration::from_secs(10));
}

#[test]
fn too_many_failed_indexes_end_the_job() {
    let mut cluster = Cluster::new();
    let spec = json!({
        "completions": 9, "parallelism": 3, "completionMode": "Indexed",
        "backoffLimit": i32::MAX, "backoffLimitPerIndex": 0, "maxFailedIndexes": 1,
    });
    cluster.create(job("Failed", &spec));
    cluster.settle(100);
    assert_eq!(
        text(cluster.get("Job", "work"), "/status/conditions/0/reason"),
        "MaxFailedIndexesExceeded"
    );
}

#[test]
fn without_completions_the_first_success_ends_the_job() {
    let mut cluster = Cluster::new();
    cluster.create(job("Succeeded", &json!({ "completions": null, "parallelism": 3 })));
    cluster.settle(100);
    let status = &cluster.get("Job", "work")["status"];
    assert_eq!(integer(status, "/succeeded"), 3);
    assert_eq!(text(status, "/conditions/1/type"), "Complete");
}

#[test]
fn a_finished_job_goes_when_its_time_has_come() {
    let mut cluster = Cluster::new();
    cluster.create(job("Succeeded", &json!({ "ttlSecondsAfterFinished": 3600 })));
    cluster.settle(100);
    let done = cluster.get("Job", "work").clone();
    let plan = reconcile_job(&done, &[], cluster.now);
    let expires = plan.again.unwrap();
    assert!(plan.is_done() && expires > cluster.now);
    let plan = reconcile_job(&done, &[], expires);
    assert!(matches!(
        &plan.actions[0].verb,
        Verb::Delete {
            propagation: "Foreground",
            ..
        }
    ));
}

#[test]
fn a_job_of_another_controller_is_left_alone() {
    let mut cluster = Cluster::new();
    cluster.create(job("Succeeded", &json!({ "managedBy": "example.com/mine" })));
    assert_eq!(cluster.settle(10), 0);
    assert_eq!(cluster.get("Job", "work").get("status"), None);
}

#[test]
fn indexes_are_written_in_intervals() {
    for (text, written) in [
        ("", ""),
        ("0", "0"),
        ("0,1", "0,1"),
        ("0-2,5", "0-2,5"),
        ("5,3,4", "3-5"),
        ("x,2-99", "2-9"),
    ] {
        assert_eq!(Indexes::parse(text, 10).written(), written);
    }
    let indexes = Indexes::parse("0-2,5", 10);
    assert_eq!(indexes.missing(3, 10), [3, 4, 6]);
    assert_eq!(indexes.missing(9, 7), [3, 4, 6]);
    assert_eq!((indexes.total(), indexes.has(5), indexes.has(6)), (4, true, false));
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(members in prop::collection::btree_set(0_i64..40, 0..40)) {
        let mut indexes = Indexes::default();
        indexes.insert_all(members.iter().copied().rev());
        prop_assert_eq!(indexes.total(), i64::try_from(members.len()).unwrap());
        prop_assert_eq!(&Indexes::parse(&indexes.written(), 40), &indexes);
        let missing: Vec<i64> = (0..40).filter(|index| !members.contains(index)).collect();
        prop_assert_eq!(indexes.missing(40, 40), missing);
    }
}
