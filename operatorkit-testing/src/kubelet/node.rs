//! The node that does not exist.

use anyhow::Result;
use k8s_openapi::api::core::v1::Node;
use kube::{
    Api, Client,
    api::{Patch, PatchParams, PostParams},
};
use serde_json::{Value, json};

use super::NODE;

/// Creates [`NODE`], ready and without taints, so that a DaemonSet wants a Pod on it.
pub(super) async fn create(client: &Client) -> Result<()> {
    let api = Api::<Node>::all(client.clone());
    let node =
        json!({"metadata": {"name": NODE, "labels": {"kubernetes.io/hostname": NODE, "kubernetes.io/os": "linux"}}});
    api.create(&PostParams::default(), &serde_json::from_value(node)?)
        .await?;
    // The API server gives a new node the taint `not-ready`, and the controller that would remove it does not run.
    let untainted = json!({"spec": {"taints": Value::Null}});
    api.patch(NODE, &PatchParams::default(), &Patch::Merge(&untainted))
        .await?;
    let resources = json!({"cpu": "1000", "memory": "1000Gi", "pods": "100000"});
    let status = json!({"status": {
        "capacity": resources,
        "allocatable": resources,
        "conditions": [{"type": "Ready", "status": "True", "reason": "KubeletReady"}],
        "addresses": [{"type": "Hostname", "address": NODE}, {"type": "InternalIP", "address": "127.0.0.1"}],
    }});
    api.patch_status(NODE, &PatchParams::default(), &Patch::Merge(&status))
        .await?;
    Ok(())
}
