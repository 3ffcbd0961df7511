//! What is not there yet, or for a while: CRDs, and the API server.

use operatorkit::{
    k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
    kube::{Api, api::PostParams},
    prelude::*,
    serde_json::{from_value, json},
};
use operatorkit_testing::PATIENCE;

use super::{Troubled, app, shown, spec, well};
use crate::{
    cut::{Passing, Switch},
    logs::Logs,
    scene::{Scene, config_map},
};

/// Its CRD is installed late.
#[operator(group = "late.test", version = "v1", kind = "Late", namespaced, resources(Map))]
pub(crate) struct LateSpec {}

#[resource]
pub(crate) struct Map;

impl Manifest for Map {
    type Operator = Late;
    type Object = operatorkit::k8s_openapi::api::core::v1::ConfigMap;
    async fn desired(&self, _object: &Late, cx: &Cx<Self>) -> Result<Desired<Self::Object>> {
        Ok(config_map(cx.name(), json!({}))?.into())
    }
}

#[tokio::test]
async fn a_crd_may_be_installed_after_the_start() {
    let scene = Scene::new("late").await;
    let logs = Logs::capture();
    let running = scene.start(App::new("late").operator(|_env| async { Ok(LateResources { map: Map }) }));
    let remedy = "install the CustomResourceDefinition `lates.late.test`";
    let _line = logs.wait_for(&["WARN", remedy], PATIENCE).await;
    scene.install::<Late>().await;
    scene.create(&Late::new("x", LateSpec {})).await;
    let _ready: Late = scene.ready("x").await;
    let said = logs
        .text()
        .lines()
        .filter(|line| line.contains("WARN") && line.contains(remedy))
        .count();
    assert_eq!(said, 1, "it is said once");
    running.stop().await;
}

#[tokio::test]
async fn the_crd_of_a_child_may_be_installed_later() {
    let scene = Scene::new("late-child").await;
    scene.install::<Troubled>().await;
    let running = scene.start(app());
    let widget =
        json!({ "apiVersion": "widget.test/v1", "kind": "Widget", "metadata": { "name": "w" }, "spec": { "a": 1 } });
    scene.create(&Troubled::new("x", spec(&[widget]))).await;
    let message = shown(&scene, "x", "KindNotServed").await;
    assert!(
        message.contains("Widget") && message.contains("install its CustomResourceDefinition"),
        "{message}"
    );
    let schema = json!({ "openAPIV3Schema": { "type": "object", "x-kubernetes-preserve-unknown-fields": true } });
    let crd: CustomResourceDefinition = from_value(json!({
        "metadata": { "name": "widgets.widget.test" },
        "spec": {
            "group": "widget.test", "scope": "Namespaced", "names": { "kind": "Widget", "plural": "widgets" },
            "versions": [{ "name": "v1", "served": true, "storage": true, "schema": schema }],
        },
    }))
    .expect("a CRD");
    Api::all(scene.client.clone())
        .create(&PostParams::default(), &crd)
        .await
        .expect("created");
    well(&scene, "x").await;
    running.stop().await;
}

#[tokio::test]
async fn the_api_server_may_be_away_at_the_start_and_later() {
    let scene = Scene::new("away").await;
    scene.install::<Troubled>().await;
    scene.create(&Troubled::new("x", spec(&[]))).await;
    let logs = Logs::capture();
    let (client, switch) = Switch::new(scene.cluster.config(&scene.user));
    switch.turn(Passing::Nothing);
    let running = scene.start_on(client, app());
    let advice = "check that the API server runs";
    let _line = logs
        .wait_for(&["WARN", "list Troubled.trouble.test", advice], PATIENCE)
        .await;
    switch.turn(Passing::Everything);
    well(&scene, "x").await;

    switch.turn(Passing::Nothing);
    let _line = logs
        .wait_for(&["WARN", "watch Troubled.trouble.test", advice], PATIENCE)
        .await;
    let made = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "made" } }).to_string();
    let _changed: Troubled = scene.patch("x", json!({ "spec": { "objects": [made] } })).await;
    scene
        .delete::<operatorkit::k8s_openapi::api::core::v1::ConfigMap>("x-good")
        .await;
    switch.turn(Passing::Everything);
    let _line = logs
        .wait_for(&["INFO", "Troubled.trouble.test", "it works again"], PATIENCE)
        .await;
    well(&scene, "x").await;
    for name in ["made", "x-good"] {
        let maps = scene.api::<operatorkit::k8s_openapi::api::core::v1::ConfigMap>();
        let _made = operatorkit_testing::eventually(&maps, name, "is made", PATIENCE, |_| true).await;
    }
    running.stop().await;
}
