//! What the facts do not show: Pods that are slow, orphans, failures, nodes that come and go.

use jiff::SignedDuration;
use serde_json::{Value, json};

use super::Cluster;
use crate::control::workloads::{Verb, reconcile_deployment, reconcile_replica_set, reconcile_stateful_set};
use crate::read::{integer, text};

fn template(app: &str, image: &str) -> Value {
    json!({
        "metadata": { "labels": { "app": app } },
        "spec": { "restartPolicy": "Always", "containers": [{ "name": "c", "image": image }] },
    })
}

fn set(kind: &str, name: &str, replicas: i64) -> Value {
    json!({
        "apiVersion": "apps/v1",
        "kind": kind,
        "metadata": { "name": name, "namespace": "n" },
        "spec": {
            "replicas": replicas,
            "revisionHistoryLimit": 10,
            "selector": { "matchLabels": { "app": name } },
            "template": template(name, "i:1"),
        },
    })
}

fn deployment(replicas: i64) -> Value {
    let mut deployment = set("Deployment", "web", replicas);
    let rolling = json!({ "maxSurge": "25%", "maxUnavailable": "25%" });
    deployment["spec"]["strategy"] = json!({ "type": "RollingUpdate", "rollingUpdate": rolling });
    deployment["spec"]["progressDeadlineSeconds"] = json!(600);
    deployment
}

#[test]
fn pods_are_available_when_they_have_been_ready_for_long_enough() {
    let mut cluster = Cluster::new();
    let mut slow = deployment(2);
    slow["spec"]["minReadySeconds"] = json!(20);
    cluster.create(slow);
    let begin = cluster.now;
    cluster.settle(50);
    let status = &cluster.get("Deployment", "web")["status"];
    assert_eq!(integer(status, "/availableReplicas"), 2);
    assert_eq!(text(status, "/conditions/1/reason"), "NewReplicaSetAvailable");
    assert!(cluster.now.duration_since(begin) >= SignedDuration::from_secs(20));
}

#[test]
fn a_rollout_never_has_fewer_pods_than_it_must() {
    let mut cluster = Cluster::new();
    cluster.create(deployment(4));
    cluster.settle(50);
    cluster.edit("Deployment", "web", |web| {
        web["spec"]["template"] = template("web", "i:2");
    });
    loop {
        let ready = cluster.objects.values().filter(|pod| {
            let is_ready = crate::read::is_condition_true(pod, "/status/conditions", "Ready");
            text(pod, "/kind") == "Pod" && is_ready && pod["metadata"].get("deletionTimestamp").is_none()
        });
        assert!(ready.count() >= 3);
        if cluster.step() {
            break;
        }
    }
    assert_eq!(integer(cluster.get("Deployment", "web"), "/status/updatedReplicas"), 4);
}

#[test]
fn orphans_are_adopted_and_strangers_released() {
    let mut cluster = Cluster::new();
    let orphan = json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": { "name": "orphan", "namespace": "n", "labels": { "app": "rs" } },
        "spec": { "containers": [{ "name": "c", "image": "i:1" }] },
    });
    cluster.create(orphan.clone());
    let mut elsewhere = orphan;
    elsewhere["metadata"]["name"] = json!("elsewhere");
    elsewhere["metadata"]["namespace"] = json!("other");
    cluster.create(elsewhere);
    cluster.create(set("ReplicaSet", "rs", 1));
    cluster.settle(50);
    let uid = cluster.get("ReplicaSet", "rs")["metadata"]["uid"].clone();
    assert_eq!(
        cluster.get("Pod", "orphan")["metadata"]["ownerReferences"][0]["uid"],
        uid
    );
    assert_eq!(cluster.get("Pod", "elsewhere")["metadata"].get("ownerReferences"), None);
    cluster.edit("Pod", "orphan", |pod| pod["metadata"]["labels"]["app"] = json!("other"));
    cluster.settle(50);
    assert_eq!(cluster.get("Pod", "orphan")["metadata"]["ownerReferences"], json!([]));
    assert_eq!(integer(cluster.get("ReplicaSet", "rs"), "/status/readyReplicas"), 1);
}

#[test]
fn what_keeps_pods_from_being_made_is_a_condition() {
    let mut cluster = Cluster::new();
    cluster.create(set("ReplicaSet", "rs", 1));
    let stored = cluster.get("ReplicaSet", "rs");
    let plan = reconcile_replica_set(stored, &[], &[], Some("quota"), cluster.now);
    let Verb::UpdateStatus(written) = &plan.actions[1].verb else {
        panic!("{plan:?}")
    };
    let condition = json!({
        "type": "ReplicaFailure", "status": "True", "reason": "FailedCreate", "message": "quota",
        "lastTransitionTime": "2026-01-01T00:00:00Z",
    });
    assert_eq!(written["status"]["conditions"], json!([condition]));
    let well = reconcile_replica_set(written, &[], &[], None, cluster.now);
    let Verb::UpdateStatus(written) = &well.actions[1].verb else {
        panic!("{well:?}")
    };
    assert_eq!(written["status"].get("conditions"), None);
}

#[test]
fn a_replica_set_that_cannot_be_made_is_told() {
    let mut cluster = Cluster::new();
    cluster.create(deployment(1));
    let stored = cluster.get("Deployment", "web");
    let plan = reconcile_deployment(stored, &[], &[], Some("refused"), cluster.now);
    let Verb::UpdateStatus(written) = &plan.actions[1].verb else {
        panic!("{plan:?}")
    };
    let condition = &written["status"]["conditions"][0];
    assert_eq!(
        (text(condition, "/reason"), text(condition, "/status")),
        ("ReplicaSetCreateError", "False")
    );
    assert!(text(condition, "/message").ends_with(": refused"));
}

#[test]
fn a_replica_set_name_that_is_taken_is_not_taken_away() {
    let mut cluster = Cluster::new();
    cluster.create(deployment(1));
    cluster.settle(20);
    let set = cluster
        .objects
        .values()
        .find(|object| text(object, "/kind") == "ReplicaSet")
        .unwrap()
        .clone();
    let mut cluster = Cluster::new();
    let mut other = set.clone();
    other["metadata"]["labels"] = json!({});
    other["metadata"]["ownerReferences"] = json!([]);
    other["spec"]["replicas"] = json!(0);
    cluster.create(other);
    cluster.create(deployment(1));
    cluster.settle(20);
    let status = &cluster.get("Deployment", "web")["status"];
    assert_eq!(
        (integer(status, "/collisionCount"), integer(status, "/readyReplicas")),
        (1, 1)
    );
    assert_eq!(
        cluster.get("ReplicaSet", text(&set, "/metadata/name"))["metadata"]["ownerReferences"],
        json!([])
    );
}

#[test]
fn a_hash_that_is_taken_gets_another_revision_name() {
    let mut cluster = Cluster::new();
    cluster.create(set("StatefulSet", "db", 1));
    let stored = cluster.get("StatefulSet", "db").clone();
    let first =
        |revisions: &[&Value]| match &reconcile_stateful_set(&stored, &[], &[], revisions, cluster.now).actions[0].verb
        {
            Verb::Create(revision) => revision.clone(),
            other => panic!("{other:?}"),
        };
    let mut other = first(&[]);
    other["data"] = json!({});
    other["metadata"]["ownerReferences"] = json!([]);
    assert_ne!(first(&[&other])["metadata"]["name"], other["metadata"]["name"]);
}

#[test]
fn below_the_partition_pods_stay_as_they_were() {
    let mut cluster = Cluster::new();
    let mut db = set("StatefulSet", "db", 4);
    let rolling = json!({ "partition": 2, "maxUnavailable": 2 });
    db["spec"]["updateStrategy"] = json!({ "type": "RollingUpdate", "rollingUpdate": rolling });
    cluster.create(db);
    cluster.settle(80);
    cluster.edit("StatefulSet", "db", |db| db["spec"]["template"] = template("db", "i:2"));
    cluster.settle(80);
    let images: Vec<String> = (0..4)
        .map(|at| text(cluster.get("Pod", &format!("db-{at}")), "/spec/containers/0/image").to_owned())
        .collect();
    assert_eq!(images, ["i:1", "i:1", "i:2", "i:2"]);
    let status = &cluster.get("StatefulSet", "db")["status"];
    assert_eq!(
        (integer(status, "/currentReplicas"), integer(status, "/updatedReplicas")),
        (2, 2)
    );
    assert_ne!(status["currentRevision"], status["updateRevision"]);
}

#[test]
fn daemons_are_where_nodes_let_them() {
    let mut cluster = Cluster::new();
    let mut agent = set("DaemonSet", "agent", 0);
    agent["spec"]["updateStrategy"] = json!({ "type": "RollingUpdate", "rollingUpdate": { "maxUnavailable": 1 } });
    cluster.create(agent);
    cluster.settle(50);
    let numbers = |cluster: &Cluster| {
        let status = cluster.get("DaemonSet", "agent")["status"].clone();
        ["/desiredNumberScheduled", "/numberReady", "/numberMisscheduled"].map(|number| integer(&status, number))
    };
    assert_eq!(numbers(&cluster), [2, 2, 0]);
    // A taint that lets what is there stay.
    let taint = |effect: &str| json!([{ "key": "k", "effect": effect }]);
    cluster.edit("Node", "second", |node| node["spec"]["taints"] = taint("NoSchedule"));
    cluster.settle(50);
    assert_eq!(numbers(&cluster), [1, 1, 1]);
    cluster.edit("Node", "second", |node| node["spec"]["taints"] = taint("NoExecute"));
    cluster.settle(50);
    assert_eq!(numbers(&cluster), [1, 1, 0]);
    let tolerations = json!([{ "operator": "Exists" }]);
    cluster.edit("DaemonSet", "agent", |agent| {
        agent["spec"]["template"]["spec"]["tolerations"] = tolerations;
    });
    cluster.settle(50);
    assert_eq!(numbers(&cluster), [2, 2, 0]);
}
