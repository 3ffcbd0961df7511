//! The stand-in kubelet: makes Pods Running and Ready, and finishes the deletion of those that terminate.
//!
//! It binds every Pod to the one node [`NODE`], says that its containers run, and removes it as soon as it is deleted. Tests steer it
//! by annotations on a Pod (put them into the template): [`HOLD`], [`OUTCOME`]; and by the namespace's label [`OFF`]. The embedded server's
//! own stand-in knows the annotations, but not the label.

mod node;
mod pod;

use std::time::Duration;

use anyhow::Result;
use futures::StreamExt as _;
use http::Request;
use k8s_openapi::api::core::v1::Namespace;
use kube::{
    Api, Client, ResourceExt as _,
    api::{ApiResource, DeleteParams, DynamicObject, ListParams, Patch, PatchParams, Preconditions},
    core::{GroupVersionKind, PartialObjectMeta},
    runtime::{WatchStreamExt as _, watcher},
};
use serde_json::json;

use self::pod::Todo;

/// The name of the node that all Pods run on.
pub const NODE: &str = "operatorkit-node";

/// A Pod annotation, with any value: when the Pod is deleted it keeps terminating until the annotation is gone.
pub const HOLD: &str = "operatorkit.dev/test-hold";

/// A Pod annotation: what becomes of the Pod. `Succeeded` and `Failed` end it (for Jobs), `NotReady` lets it run without becoming ready,
/// `Pending` binds it and does no more. Without it, and when it is taken away, the Pod is Running and Ready.
pub const OUTCOME: &str = "operatorkit.dev/test-outcome";

/// A namespace label: with the value `off` the Pods of the namespace are left alone, until the label is changed or removed.
pub const OFF: &str = "operatorkit.dev/test-kubelet";

/// How often an action is tried again after an error that is not the answer to a race.
const TRIES: u32 = 50;

/// Makes the node, and serves Pods on the current runtime until that ends.
pub(crate) async fn start(client: Client) -> Result<()> {
    node::create(&client).await?;
    let kubelet = Kubelet { client };
    tokio::spawn(kubelet.clone().watch_namespaces());
    tokio::spawn(kubelet.watch_pods());
    Ok(())
}

#[derive(Clone)]
struct Kubelet {
    client: Client,
}

impl Kubelet {
    async fn watch_pods(self) {
        let pods = watcher(Api::all_with(self.client.clone(), &pods()), watcher::Config::default());
        pods.default_backoff()
            .applied_objects()
            // The watcher has its own way of going on after an error.
            .filter_map(async |pod| pod.ok())
            .for_each_concurrent(32, async |pod| self.serve(pod).await)
            .await;
    }

    /// Pods that were left alone are looked at again when their namespace changes.
    async fn watch_namespaces(self) {
        let all = Api::<PartialObjectMeta<Namespace>>::all(self.client.clone());
        let namespaces = watcher(all, watcher::Config::default());
        namespaces
            .default_backoff()
            .applied_objects()
            .filter_map(async |namespace| namespace.ok())
            .for_each(async |namespace| {
                let pods = self.pods(&namespace.name_any());
                // Failing, it is as if the namespace had not changed: Pods that come later are served anyway.
                for pod in pods.list(&ListParams::default()).await.into_iter().flatten() {
                    self.serve(pod).await;
                }
            })
            .await;
    }

    /// Does what is to be done for a Pod, one action; the change that it makes brings the Pod here again.
    async fn serve(&self, pod: DynamicObject) {
        for _ in 0..TRIES {
            match self.try_serve(&pod).await {
                // Not found, changed meanwhile, gone with this UID: another event tells.
                Ok(()) => return,
                Err(kube::Error::Api(status)) if matches!(status.code, 404 | 409 | 422) => return,
                Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
            }
        }
    }

    async fn try_serve(&self, pod: &DynamicObject) -> kube::Result<()> {
        let todo = pod::todo(pod);
        let (namespace, name) = (pod.namespace().unwrap_or_default(), pod.name_any());
        if todo == Todo::Nothing || self.is_off(&namespace).await? {
            return Ok(());
        }
        let api = self.pods(&namespace);
        match todo {
            Todo::Nothing => {}
            Todo::Remove => {
                let same = Preconditions {
                    uid: pod.uid(),
                    resource_version: None,
                };
                let now = DeleteParams {
                    grace_period_seconds: Some(0),
                    preconditions: Some(same),
                    ..DeleteParams::default()
                };
                api.delete(&name, &now).await?;
            }
            Todo::Bind => self.bind(&namespace, &name).await?,
            Todo::Status(status) => {
                api.patch_status(&name, &PatchParams::default(), &Patch::Merge(&status))
                    .await?;
            }
        }
        Ok(())
    }

    /// What a scheduler does.
    async fn bind(&self, namespace: &str, name: &str) -> kube::Result<()> {
        let target = json!({"apiVersion": "v1", "kind": "Node", "name": NODE});
        let binding = json!({"apiVersion": "v1", "kind": "Binding", "metadata": {"name": name}, "target": target});
        let request = Request::post(format!("/api/v1/namespaces/{namespace}/pods/{name}/binding"))
            .header("content-type", "application/json")
            .body(binding.to_string().into_bytes())
            .map_err(kube::Error::HttpError)?;
        self.client.request_text(request).await?;
        Ok(())
    }

    /// Asked for each time, since a label that is read late would be a race.
    async fn is_off(&self, namespace: &str) -> kube::Result<bool> {
        let namespace = Api::<Namespace>::all(self.client.clone())
            .get_metadata(namespace)
            .await?;
        Ok(namespace.labels().get(OFF).is_some_and(|value| value == "off"))
    }

    fn pods(&self, namespace: &str) -> Api<DynamicObject> {
        Api::namespaced_with(self.client.clone(), namespace, &pods())
    }
}

/// Pods without a type of theirs: the stand-in compiles with every version of `k8s-openapi`.
fn pods() -> ApiResource {
    ApiResource::from_gvk(&GroupVersionKind::gvk("", "v1", "Pod"))
}
