//! What others add to a child survives, of labels, annotations and data: the allowed labels of Go operatorkit's ConfigMaps and Secrets are not needed.

use operatorkit::{SinglePasses, k8s_openapi::api::core::v1::ConfigMap, prelude::*, serde_json::json};
use operatorkit_testing::Cluster;

use crate::{
    scene::{Scene, config_map},
    servers::on_both,
};

#[operator(
    group = "foreign.parity.test",
    version = "v1",
    kind = "Plain",
    namespaced,
    resources(Map)
)]
pub(crate) struct PlainSpec {
    value: String,
}

#[resource]
pub(crate) struct Map;

impl Manifest for Map {
    type Operator = Plain;
    type Object = ConfigMap;
    async fn desired(&self, plain: &Plain, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        let mut map = config_map(cx.name(), json!({ "value": plain.spec.value }))?;
        map.labels_mut().insert("ours".into(), plain.spec.value.clone());
        Ok(map.into())
    }
}

on_both!(what_others_add_to_a_child_survives_its_changes);

async fn what_others_add_to_a_child_survives_its_changes(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "parity-foreign").await;
    scene.install::<Plain>().await;
    let client = scene.cluster.client(&scene.user);
    let mut passes =
        SinglePasses::<Plain>::new(PlainResources { map: Map }, client, &scene.resyncing()).expect("it can run");
    scene.create(&Plain::new("x", PlainSpec { value: "one".into() })).await;
    let _made = passes.run(&*scene.namespace, "x").await.expect("a pass");
    let foreign = json!({
        "metadata": { "labels": { "theirs": "here" }, "annotations": { "theirs": "there" } },
        "data": { "theirs": "everywhere" },
    });
    let _touched: ConfigMap = scene.patch("x", foreign).await;
    let _changed: Plain = scene.patch("x", json!({ "spec": { "value": "two" } })).await;
    let outcome = passes.run(&*scene.namespace, "x").await.expect("a pass");
    assert!(outcome.done, "{outcome:?}");
    let map = scene.api::<ConfigMap>().get("x").await.expect("it exists");
    let (labels, annotations) = (map.labels(), map.annotations());
    assert_eq!((&*labels["ours"], &*labels["theirs"]), ("two", "here"));
    assert_eq!(annotations["theirs"], "there");
    let data = map.data.expect("data");
    assert_eq!((&*data["value"], &*data["theirs"]), ("two", "everywhere"));
}
