//! What a new cluster has before anybody asks for anything.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::{
    access::{User, rbac},
    core::Core,
    request::{Place, Query, WriteOptions},
    store::{Expect, Key},
    verbs::{
        self, Call, ingest,
        strategy::{self, Part},
    },
};

/// Fills a new server: namespaces, the Service `kubernetes`, priority classes, and the roles and bindings if they count.
pub(crate) fn seed(core: &Arc<Core>, rbac: bool) {
    for name in ["default", "kube-node-lease", "kube-public", "kube-system"] {
        put(
            core,
            "",
            &json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": name } }),
        );
    }
    for (name, value) in [
        ("system-cluster-critical", 2_000_000_000),
        ("system-node-critical", 2_000_001_000),
    ] {
        let description = match name {
            "system-node-critical" => "Used for system critical pods that must not be moved from their current node.",
            _ => {
                "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary."
            }
        };
        let class = json!({
            "apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": { "name": name },
            "value": value, "description": description,
        });
        put(core, "", &class);
    }
    let service = json!({
        "apiVersion": "v1", "kind": "Service",
        "metadata": { "name": "kubernetes", "labels": { "component": "apiserver", "provider": "kubernetes" } },
        "spec": {
            "type": "ClusterIP", "sessionAffinity": "None", "clusterIP": "10.0.0.1",
            "ports": [{ "name": "https", "port": 443, "protocol": "TCP", "targetPort": 6443 }],
        },
    });
    put(core, "default", &service);
    if rbac {
        rbac::bootstrap::bootstrap().into_iter().for_each(|object| {
            let namespace = object["metadata"]["namespace"].as_str().unwrap_or_default().to_owned();
            put(core, &namespace, &object);
        });
    }
}

/// Creates an object as the server itself; one that is there already stays.
fn put(core: &Arc<Core>, namespace: &str, object: &Value) {
    let catalog = core.registry.catalog();
    let text = |field: &str| object[field].as_str().unwrap_or_default();
    let served = catalog
        .by_kind(text("apiVersion"), text("kind"))
        .expect("a new cluster has only built-in kinds");
    let place = Place {
        group: served.group.to_string(),
        version: served.version.to_string(),
        namespace: (!namespace.is_empty()).then(|| namespace.to_owned()),
        resource: served.plural.to_string(),
        ..Place::default()
    };
    let mut call = Call::new(core.clone(), served.clone(), place, Query::default(), User::admin());
    call.user_agent = "kube-apiserver".into();
    let created = ingest::laid(&call, object, object.clone())
        .and_then(|object| verbs::create::create(&call, &object, Part::Main, false, &WriteOptions::default()));
    if let Err(failure) = created {
        assert!(
            failure.reason == "AlreadyExists",
            "a new cluster cannot be filled: {failure}"
        );
    }
}

/// A node that is ready, for Pods to run on. What a new node has of taints and has not of status is the work of others, who do
/// not run here.
pub(crate) fn node(core: &Arc<Core>, name: &str) {
    let labels = json!({ "kubernetes.io/hostname": name, "kubernetes.io/os": "linux" });
    put(
        core,
        "",
        &json!({ "apiVersion": "v1", "kind": "Node", "metadata": { "name": name, "labels": labels } }),
    );
    let catalog = core.registry.catalog();
    let served = catalog.find("", "v1", "nodes").expect("a new cluster has nodes");
    let stored = core
        .store
        .get(&served.table, &Key::new("", name))
        .expect("the node was just made");
    let mut node = strategy::show(served, &stored);
    node["spec"] = json!({});
    let resources = json!({ "cpu": "1000", "memory": "1000Gi", "pods": "100000" });
    node["status"] = json!({
        "capacity": resources, "allocatable": resources,
        "conditions": [{ "type": "Ready", "status": "True", "reason": "KubeletReady", "message": "stand-in kubelet" }],
        "addresses": [{ "type": "Hostname", "address": name }, { "type": "InternalIP", "address": "127.0.0.1" }],
    });
    let _nobody_else_writes_yet = core.store.put(
        &served.table,
        Expect::At(stored.version),
        strategy::draft(served, &node),
    );
}
