//! The stand-in kubelet, and which Pods go first.

use serde_json::{Value, json};

use super::Cluster;
use crate::control::workloads::kubelet::{DELAY, HOLD, OUTCOME};
use crate::control::workloads::owner::name;
use crate::control::workloads::rank::for_deletion;
use crate::read::{is_condition_true, text};

fn pod(name: &str) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": { "name": name, "namespace": "n", "annotations": {} },
        "spec": { "restartPolicy": "Always", "containers": [{ "name": "c", "image": "i" }] },
    })
}

fn phase(cluster: &Cluster, name: &str) -> String {
    text(cluster.get("Pod", name), "/status/phase").to_owned()
}

#[test]
fn annotations_say_what_becomes_of_a_pod() {
    let mut cluster = Cluster::new();
    for outcome in ["Ready", "NotReady", "Succeeded", "Failed", "Pending"] {
        let mut pod = pod(&outcome.to_lowercase());
        pod["metadata"]["annotations"][OUTCOME] = json!(outcome);
        cluster.create(pod);
    }
    let mut once = pod("once");
    once["spec"]["restartPolicy"] = json!("OnFailure");
    cluster.create(once);
    cluster.settle(20);
    for (name, shown) in [
        ("ready", "Running"),
        ("notready", "Running"),
        ("succeeded", "Succeeded"),
        ("failed", "Failed"),
        ("pending", "Pending"),
        ("once", "Succeeded"),
    ] {
        assert_eq!(phase(&cluster, name), shown, "{name}");
    }
    let is_ready = |cluster: &Cluster| is_condition_true(cluster.get("Pod", "notready"), "/status/conditions", "Ready");
    assert!(!is_ready(&cluster));
    let address = cluster.get("Pod", "notready")["status"]["podIP"].clone();
    cluster.edit("Pod", "notready", |pod| pod["metadata"]["annotations"] = json!({}));
    cluster.settle(20);
    assert!(is_ready(&cluster));
    assert_eq!(cluster.get("Pod", "notready")["status"]["podIP"], address);
}

#[test]
fn a_delay_is_waited_for() {
    let mut cluster = Cluster::new();
    let mut slow = pod("slow");
    slow["metadata"]["annotations"][DELAY] = json!("25");
    cluster.create(slow);
    let begin = cluster.now;
    cluster.settle(20);
    assert_eq!(phase(&cluster, "slow"), "Running");
    assert!(cluster.now.duration_since(begin).as_secs() >= 25);
}

#[test]
fn readiness_gates_are_others_to_open() {
    let mut cluster = Cluster::new();
    let mut gated = pod("gated");
    gated["spec"]["readinessGates"] = json!([{ "conditionType": "example.com/open" }]);
    cluster.create(gated);
    cluster.settle(20);
    let is = |cluster: &Cluster, kind| is_condition_true(cluster.get("Pod", "gated"), "/status/conditions", kind);
    assert!(is(&cluster, "ContainersReady") && !is(&cluster, "Ready"));
    cluster.edit("Pod", "gated", |pod| {
        pod["status"]["conditions"][0] = json!({ "type": "example.com/open", "status": "True" });
    });
    cluster.settle(20);
    assert!(is(&cluster, "Ready") && is(&cluster, "example.com/open"));
}

#[test]
fn a_pod_that_is_held_goes_when_it_is_let_go() {
    let mut cluster = Cluster::new();
    let mut held = pod("held");
    held["metadata"]["annotations"][HOLD] = json!("");
    cluster.create(held);
    cluster.settle(20);
    let running = cluster.get("Pod", "held").clone();
    cluster.delete(running, None);
    cluster.settle(20);
    cluster.edit("Pod", "held", |pod| pod["metadata"]["annotations"] = json!({}));
    cluster.settle(20);
    assert!(cluster.objects.values().all(|object| text(object, "/kind") != "Pod"));
}

#[test]
fn a_pod_that_fits_no_node_says_so() {
    let mut cluster = Cluster::new();
    let mut picky = pod("picky");
    picky["spec"]["nodeSelector"] = json!({ "disk": "tape" });
    cluster.create(picky);
    let mut gated = pod("gated");
    gated["spec"]["schedulingGates"] = json!([{ "name": "example.com/wait" }]);
    cluster.create(gated);
    cluster.settle(20);
    let condition = &cluster.get("Pod", "picky")["status"]["conditions"][0];
    assert_eq!(
        (text(condition, "/reason"), text(condition, "/status")),
        ("Unschedulable", "False")
    );
    assert_eq!(cluster.get("Pod", "gated")["status"], json!({ "phase": "Pending" }));
    cluster.edit("Node", "second", |node| {
        node["metadata"]["labels"]["disk"] = json!("tape");
    });
    cluster.settle(20);
    assert_eq!(phase(&cluster, "picky"), "Running");
    assert_eq!(text(cluster.get("Pod", "picky"), "/spec/nodeName"), "second");
}

#[test]
fn pods_that_have_come_least_far_go_first() {
    let of = |name: &str, node: &str, ready: Option<&str>, cost: &str| {
        let mut pod = pod(name);
        pod["spec"]["nodeName"] = json!(node);
        pod["metadata"]["annotations"]["controller.kubernetes.io/pod-deletion-cost"] = json!(cost);
        pod["status"] = json!({ "phase": "Running" });
        if let Some(since) = ready {
            let condition = json!({ "type": "Ready", "status": "True", "lastTransitionTime": since });
            pod["status"]["conditions"] = json!([condition]);
        }
        pod
    };
    let long = Some("2025-01-01T00:00:00Z");
    let pods = [
        of("old", "a", long, "0"),
        of("dear", "a", Some("2026-01-01T00:00:00Z"), "9"),
        of("young", "b", Some("2026-01-01T00:00:00Z"), "0"),
        of("unready", "b", None, "0"),
        of("unplaced", "", None, "0"),
        of("beside", "c", long, "0"),
        of("beside-too", "c", long, "0"),
    ];
    let pods: Vec<&Value> = pods.iter().collect();
    let now = "2026-01-01T00:00:10Z".parse().unwrap();
    let order: Vec<&str> = for_deletion(&pods, &pods, now).into_iter().map(name).collect();
    assert_eq!(
        order,
        ["unplaced", "unready", "young", "old", "beside", "beside-too", "dear"]
    );
}
