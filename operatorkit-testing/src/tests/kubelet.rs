//! The stand-in kubelet and the controllers that it serves.

use anyhow::Result;
use k8s_openapi::api::{
    apps::v1::{DaemonSet, Deployment, StatefulSet},
    batch::v1::Job,
    core::v1::{Endpoints, Namespace, Pod, Service},
    discovery::v1::EndpointSlice,
};
use kube::{
    Api, Resource,
    api::{DeleteParams, ListParams, Patch, PatchParams, PostParams},
    core::NamespaceResourceScope,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::servers;
use crate::{ControlPlane, PATIENCE, eventually, eventually_gone, kubelet, wait_for};

fn template(annotations: &Value) -> Value {
    json!({
        "metadata": {"labels": {"app": "x"}, "annotations": annotations},
        "spec": {"containers": [{"name": "c", "image": "i"}]},
    })
}

async fn create<K>(api: &Api<K>, name: &str, rest: Value) -> Result<K>
where
    K: Resource<DynamicType = (), Scope = NamespaceResourceScope>
        + Clone
        + std::fmt::Debug
        + Serialize
        + DeserializeOwned,
{
    let mut object = rest;
    object["metadata"]["name"] = name.into();
    Ok(api
        .create(&PostParams::default(), &serde_json::from_value(object)?)
        .await?)
}

fn pod(annotations: &Value) -> Value {
    template(annotations)
}

fn is_ready(pod: &Pod) -> bool {
    let conditions = pod.status.iter().flat_map(|status| status.conditions.iter().flatten());
    conditions
        .into_iter()
        .any(|condition| json!(condition)["type"] == "Ready" && json!(condition)["status"] == "True")
}

#[tokio::test]
async fn workloads_become_ready_and_go_with_their_pods() -> Result<()> {
    for cluster in servers() {
        let (namespace, client) = (cluster.namespace("workloads").await, cluster.client("driver"));
        let spec = |extra: Value| {
            let mut spec = json!({"selector": {"matchLabels": {"app": "x"}}, "template": template(&json!({}))});
            spec.as_object_mut()
                .expect("an object")
                .extend(extra.as_object().expect("an object").clone());
            json!({"spec": spec})
        };
        let deployments = Api::<Deployment>::namespaced(client.clone(), &namespace);
        let sets = Api::<StatefulSet>::namespaced(client.clone(), &namespace);
        let daemons = Api::<DaemonSet>::namespaced(client.clone(), &namespace);
        create(&deployments, "d", spec(json!({"replicas": 2}))).await?;
        create(&sets, "s", spec(json!({"replicas": 2, "serviceName": "x"}))).await?;
        create(&daemons, "n", spec(json!({}))).await?;
        let ready = |object: Value, field: &str, count: u64| object["status"][field] == count;
        eventually(&deployments, "d", "is ready", PATIENCE, |d| {
            ready(json!(d), "availableReplicas", 2)
        })
        .await;
        eventually(&sets, "s", "is ready", PATIENCE, |s| {
            ready(json!(s), "availableReplicas", 2)
        })
        .await;
        eventually(&daemons, "n", "is ready", PATIENCE, |n| {
            ready(json!(n), "numberAvailable", 1)
        })
        .await;

        let foreground = DeleteParams::foreground();
        deployments.delete("d", &foreground).await?;
        sets.delete("s", &foreground).await?;
        daemons.delete("n", &foreground).await?;
        eventually_gone(&deployments, "d", PATIENCE).await;
        eventually_gone(&sets, "s", PATIENCE).await;
        eventually_gone(&daemons, "n", PATIENCE).await;
        assert_eq!(
            Api::<Pod>::namespaced(client, &namespace)
                .list(&ListParams::default())
                .await?
                .items
                .len(),
            0
        );
    }
    Ok(())
}

#[tokio::test]
async fn a_job_ends_as_its_pods_say() -> Result<()> {
    for cluster in servers() {
        let jobs = Api::<Job>::namespaced(cluster.client("driver"), &cluster.namespace("jobs").await);
        for (name, outcome, condition) in [("good", "Succeeded", "Complete"), ("bad", "Failed", "Failed")] {
            let mut template = template(&json!({kubelet::OUTCOME: outcome}));
            template["spec"]["restartPolicy"] = "Never".into();
            create(&jobs, name, json!({"spec": {"backoffLimit": 0, "template": template}})).await?;
            eventually(&jobs, name, "ends", PATIENCE, |job| {
                let conditions = json!(job)["status"]["conditions"].clone();
                conditions
                    .as_array()
                    .into_iter()
                    .flatten()
                    .any(|found| found["type"] == condition && found["status"] == "True")
            })
            .await;
        }
    }
    Ok(())
}

#[tokio::test]
async fn a_service_gets_endpoints_of_ready_pods() -> Result<()> {
    for cluster in servers() {
        let (namespace, client) = (cluster.namespace("endpoints").await, cluster.client("driver"));
        let pods = Api::<Pod>::namespaced(client.clone(), &namespace);
        create(
            &Api::<Service>::namespaced(client.clone(), &namespace),
            "x",
            json!({
                "metadata": {"labels": {"mine": "yes"}},
                "spec": {"selector": {"app": "x"}, "ports": [{"port": 80}]},
            }),
        )
        .await?;
        create(&pods, "p", pod(&json!({}))).await?;
        let pod = eventually(&pods, "p", "is ready", PATIENCE, is_ready).await;
        let address = pod.status.and_then(|status| status.pod_ip).expect("an address");

        let slices = Api::<EndpointSlice>::namespaced(client.clone(), &namespace);
        wait_for(
            "the slice has the Pod's address and the Service's label",
            PATIENCE,
            async || {
                let found = slices.list(&ListParams::default().labels("mine=yes")).await?;
                anyhow::ensure!(
                    json!(found.items).to_string().contains(&format!("{address:?}")),
                    "{found:?}"
                );
                Ok(())
            },
        )
        .await;

        // Both forms go with the Service.
        let endpoints = Api::<Endpoints>::namespaced(client.clone(), &namespace);
        assert!(endpoints.get_opt("x").await?.is_some());
        let services = Api::<Service>::namespaced(client, &namespace);
        services.delete("x", &DeleteParams::default()).await?;
        eventually_gone(&endpoints, "x", PATIENCE).await;
        wait_for("the slice is gone", PATIENCE, async || {
            let found = slices.list(&ListParams::default()).await?;
            anyhow::ensure!(found.items.is_empty(), "{found:?}");
            Ok(())
        })
        .await;
    }
    Ok(())
}

#[tokio::test]
async fn a_held_pod_terminates_until_it_is_let_go() -> Result<()> {
    for cluster in servers() {
        let pods = Api::<Pod>::namespaced(cluster.client("driver"), &cluster.namespace("hold").await);
        create(&pods, "held", pod(&json!({kubelet::HOLD: ""}))).await?;
        create(&pods, "free", pod(&json!({}))).await?;
        for name in ["held", "free"] {
            eventually(&pods, name, "is ready", PATIENCE, is_ready).await;
            pods.delete(name, &DeleteParams::default()).await?;
        }
        // The kubelet saw the held one first.
        eventually_gone(&pods, "free", PATIENCE).await;
        assert!(pods.get("held").await?.metadata.deletion_timestamp.is_some());

        let release = json!({"metadata": {"annotations": {kubelet::HOLD: Value::Null}}});
        pods.patch("held", &PatchParams::default(), &Patch::Merge(&release))
            .await?;
        eventually_gone(&pods, "held", PATIENCE).await;
    }
    Ok(())
}

#[tokio::test]
async fn a_namespace_can_be_left_alone_for_a_while() -> Result<()> {
    let Some(cluster) = ControlPlane::shared() else {
        return Ok(());
    };
    let client = cluster.client("driver");
    let namespace = cluster.namespace_with_labels("alone", &[(kubelet::OFF, "off")]).await;
    let (alone, served) = (
        Api::<Pod>::namespaced(client.clone(), &namespace),
        Api::<Pod>::namespaced(client.clone(), &cluster.namespace("served").await),
    );
    create(&alone, "p", pod(&json!({}))).await?;
    create(&served, "p", pod(&json!({}))).await?;
    eventually(&served, "p", "is ready", PATIENCE, is_ready).await;
    assert_eq!(alone.get("p").await?.spec.and_then(|spec| spec.node_name), None);

    let on = json!({"metadata": {"labels": {kubelet::OFF: Value::Null}}});
    Api::<Namespace>::all(client)
        .patch(&namespace, &PatchParams::default(), &Patch::Merge(&on))
        .await?;
    eventually(&alone, "p", "is ready", PATIENCE, is_ready).await;
    Ok(())
}

#[tokio::test]
async fn a_pod_can_be_kept_from_becoming_ready() -> Result<()> {
    for cluster in servers() {
        let pods = Api::<Pod>::namespaced(cluster.client("driver"), &cluster.namespace("outcome").await);
        create(&pods, "p", pod(&json!({kubelet::OUTCOME: "NotReady"}))).await?;
        let running = |pod: &Pod| {
            pod.status
                .as_ref()
                .is_some_and(|status| status.phase.as_deref() == Some("Running"))
        };
        let found = eventually(&pods, "p", "runs", PATIENCE, running).await;
        assert!(!is_ready(&found), "{found:?}");

        let plain = json!({"metadata": {"annotations": {kubelet::OUTCOME: Value::Null}}});
        pods.patch("p", &PatchParams::default(), &Patch::Merge(&plain)).await?;
        eventually(&pods, "p", "is ready", PATIENCE, is_ready).await;
    }
    Ok(())
}
