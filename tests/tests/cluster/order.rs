//! The order of creation and of deletion, and what they cost, as the API server saw it.

use std::time::Duration;

use operatorkit::{
    RunSettings,
    k8s_openapi::api::{
        apps::v1::Deployment,
        core::v1::{ConfigMap, Service},
    },
    prelude::*,
    serde_json::{from_value, json},
};
use operatorkit_testing::{Cluster, audit::Entry, eventually_gone};

use crate::scene::Scene;

/// The example's job.
#[operator(
    group = "order.test",
    version = "v1",
    kind = "Ordered",
    namespaced,
    resources(Settings, Traffic, Web)
)]
pub(crate) struct OrderedSpec {
    message: String,
}

#[resource(order = 1, delete_order = 3)]
pub(crate) struct Settings;

impl Manifest for Settings {
    type Operator = Ordered;
    type Object = ConfigMap;
    async fn desired(&self, object: &Ordered, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(crate::scene::config_map(&cx.child_name("settings"), json!({ "message": object.spec.message }))?.into())
    }
}

#[resource(order = 2, delete_order = 1)]
pub(crate) struct Traffic;

impl Manifest for Traffic {
    type Operator = Ordered;
    type Object = Service;
    async fn desired(&self, _object: &Ordered, cx: &Cx<Self>) -> Result<Desired<Service>> {
        let spec = json!({ "selector": { "app": cx.name() }, "ports": [{ "port": 80 }] });
        let service: Service = from_value(json!({ "metadata": { "name": cx.name() }, "spec": spec }))?;
        Ok(service.into())
    }
}

#[resource(order = 3, delete_order = 2)]
pub(crate) struct Web;

impl Manifest for Web {
    type Operator = Ordered;
    type Object = Deployment;
    async fn desired(&self, object: &Ordered, cx: &Cx<Self>) -> Result<Desired<Deployment>> {
        let labels = json!({ "app": cx.name() });
        let template = json!({
            "metadata": { "labels": labels, "annotations": { "message": object.spec.message } },
            "spec": { "containers": [{ "name": "web", "image": "web" }] },
        });
        let spec = json!({ "replicas": 0, "selector": { "matchLabels": labels }, "template": template });
        let deployment: Deployment = from_value(json!({ "metadata": { "name": cx.name() }, "spec": spec }))?;
        Ok(deployment.into())
    }
}

fn app() -> App {
    App::new("ordered").operator(|_env| async {
        Ok(OrderedResources {
            settings: Settings,
            traffic: Traffic,
            web: Web,
        })
    })
}

async fn a_life_in_order_and_within_its_budget(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "order").await;
    scene.install::<Ordered>().await;
    let settings = RunSettings {
        namespaces: vec![scene.namespace.clone()],
        resync: Duration::from_millis(300),
        ..RunSettings::default()
    };
    let running = scene.start_with(app(), settings);

    let start = scene.mark().await;
    scene
        .create(&Ordered::new("x", OrderedSpec { message: "one".into() }))
        .await;
    let _ready: Ordered = scene.ready("x").await;
    let created = scene
        .requests(start)
        .await
        .filter(|request| !request.object.name.is_empty());
    let writes: Vec<_> = created
        .iter()
        .filter(|request| request.is_write())
        .map(Entry::resource)
        .collect();
    let wanted = [
        "ordereds",
        "configmaps",
        "services",
        "deployments",
        "ordereds/status",
        "ordereds/status",
    ];
    assert_eq!(writes, wanted, "{created}");
    assert_eq!(created.len(), writes.len(), "no reads:\n{created}");

    let start = scene.mark().await;
    // That nothing comes can only be seen by waiting; that resyncs do come is another test's (`flow::backwards`).
    tokio::time::sleep(Duration::from_secs(1)).await;
    let idle = scene.requests(start).await;
    assert!(idle.is_empty(), "three resyncs cost nothing:\n{idle}");

    let start = scene.mark().await;
    let _changed: Ordered = scene.patch("x", json!({ "spec": { "message": "two" } })).await;
    let _ready: Ordered = scene.ready("x").await;
    let changed = scene.requests(start).await;
    assert!(changed.len() <= 4 && changed.iter().all(Entry::is_write), "{changed}");

    let start = scene.mark().await;
    scene.delete::<Ordered>("x").await;
    eventually_gone(&scene.api::<Ordered>(), "x", operatorkit_testing::PATIENCE).await;
    let deleted = scene.requests(start).await;
    let order: Vec<_> = deleted
        .iter()
        .filter(|request| request.verb == "delete")
        .map(Entry::resource)
        .collect();
    assert_eq!(order, ["services", "deployments", "configmaps"], "{deleted}");
    let count = |verb| deleted.by_verb().get(verb).copied().unwrap_or_default();
    assert!(
        count("get") <= 4 && count("list") <= 3 && count("patch") == 1,
        "{deleted}"
    );
    // Each DELETE comes after the proof that the one before it is gone.
    for pair in order.windows(2) {
        let gone = deleted
            .iter()
            .position(|request| request.verb == "get" && request.resource() == pair[0] && request.code == 404);
        let next = deleted
            .iter()
            .position(|request| request.verb == "delete" && request.resource() == pair[1]);
        assert!(gone.is_some() && gone < next, "{deleted}");
    }
    running.stop().await;
}

crate::servers::on_both! {
    a_life_in_order_and_within_its_budget,
}
