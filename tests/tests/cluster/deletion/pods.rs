//! The Pods of a deleted Deployment that still terminate block what waits for the Deployment.

use operatorkit::{
    k8s_openapi::api::{
        apps::v1::Deployment,
        core::v1::{ConfigMap, Pod},
    },
    kube::api::ListParams,
    prelude::*,
    serde_json::{from_value, json, to_value},
};
use operatorkit_testing::{Cluster, PATIENCE, eventually_gone, kubelet};

use crate::scene::{Scene, condition, config_map, line};

#[operator(
    group = "deletion.test",
    version = "v1",
    kind = "Server",
    namespaced,
    resources(Settings, Web)
)]
pub(crate) struct ServerSpec {}

#[resource(order = 1, delete_order = 2)]
pub(crate) struct Settings;

impl Manifest for Settings {
    type Operator = Server;
    type Object = ConfigMap;
    async fn desired(&self, _server: &Server, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(config_map(&cx.child_name("settings"), json!({}))?.into())
    }
}

#[resource(order = 2, delete_order = 1)]
pub(crate) struct Web;

impl Manifest for Web {
    type Operator = Server;
    type Object = Deployment;
    async fn desired(&self, _server: &Server, cx: &Cx<Self>) -> Result<Desired<Deployment>> {
        let labels = json!({ "app": cx.name() });
        let template = json!({
            "metadata": { "labels": labels, "annotations": { kubelet::HOLD: "yes" } },
            "spec": { "containers": [{ "name": "web", "image": "web" }] },
        });
        let spec = json!({ "replicas": 1, "selector": { "matchLabels": labels }, "template": template });
        let web: Deployment = from_value(json!({ "metadata": { "name": cx.name() }, "spec": spec }))?;
        Ok(web.into())
    }
}

async fn pods_that_still_terminate_block_what_waits_for_their_deployment(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "pods").await;
    scene.install::<Server>().await;
    let app = App::new("servers").operator(|_env| async {
        Ok(ServerResources {
            settings: Settings,
            web: Web,
        })
    });
    let running = scene.start(app);
    scene.create(&Server::new("x", ServerSpec {})).await;
    let _ready: Server = scene.ready("x").await;

    let start = scene.mark().await;
    scene.delete::<Server>("x").await;
    let blocked: Server = scene.condition("x", "Deleting", "True", "Terminating").await;
    let blocked = to_value(&blocked).unwrap();
    let message = condition(&blocked, "Deleting")["message"].clone();
    assert!(message.as_str().unwrap().contains("foregroundDeletion"), "{message}");
    assert_eq!(line(&blocked, "web")["phase"], "Deleting");
    assert_eq!(line(&blocked, "settings")["waitingOn"], json!(["web"]));
    let pods = scene.api::<Pod>().list(&ListParams::default()).await.unwrap();
    let [pod] = &pods.items[..] else {
        panic!("one Pod: {pods:?}")
    };
    assert!(pod.metadata.deletion_timestamp.is_some());
    assert_eq!(scene.deletions(start).await, ["deployments/x"]);

    let release = json!({ "metadata": { "annotations": { kubelet::HOLD: null } } });
    let _released: Pod = scene.patch(&pod.name_any(), release).await;
    eventually_gone(&scene.api::<Server>(), "x", PATIENCE).await;
    assert_eq!(scene.deletions(start).await, ["deployments/x", "configmaps/x-settings"]);
    running.stop().await;
}

crate::servers::on_both! {
    pods_that_still_terminate_block_what_waits_for_their_deployment,
}
