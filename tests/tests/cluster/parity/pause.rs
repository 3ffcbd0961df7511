//! *pause*: nothing is done for a paused object, for as long as it is paused.

use std::sync::Arc;

use operatorkit::{
    prelude::*,
    serde_json::{Value, json},
};
use operatorkit_testing::{Cluster, PATIENCE, eventually_gone};

use super::{resyncs, scripted};
use crate::{flow::script::Script, scene::Scene, servers::on_both};

#[operator(
    group = "pause.parity.test",
    version = "v1",
    kind = "Dozer",
    namespaced,
    pause("example.com/dozes", "deeply"),
    resources(Only)
)]
pub(crate) struct DozerSpec {}

#[resource]
pub(crate) struct Only(Arc<Script>);

scripted!(Only of Dozer, "only");

on_both!(a_paused_object_is_left_alone_over_resyncs_and_in_its_deletion);

async fn annotate(scene: &Scene, key: &str, value: Value) {
    let patch = json!({ "metadata": { "annotations": { key: value } } });
    let _patched: Dozer = scene.patch("x", patch).await;
}

async fn a_paused_object_is_left_alone_over_resyncs_and_in_its_deletion(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "parity-pause").await;
    scene.install::<Dozer>().await;
    let script = Script::new();
    let only = Only(script.clone());
    let running = scene.start_resyncing(App::new("dozers").operator(|_env| async { Ok(DozerResources { only }) }));
    for name in ["x", "awake"] {
        scene.create(&Dozer::new(name, DozerSpec {})).await;
    }
    resyncs(&script, "x create only", 2).await;
    for (key, value) in [
        ("operatorkit.dev/paused", "true"),
        ("cluster.x-k8s.io/paused", "true"),
        ("example.com/dozes", "deeply"),
    ] {
        annotate(&scene, key, json!(value)).await;
        let _paused: Dozer = scene.condition("x", "Paused", "True", "Paused").await;
        let before = script.count("x create only");
        resyncs(&script, "awake create only", 3).await;
        assert_eq!(script.count("x create only"), before, "{key}");
        annotate(&scene, key, Value::Null).await;
        resyncs(&script, "x create only", 1).await;
    }
    annotate(&scene, "cluster.x-k8s.io/paused", json!("false")).await;
    resyncs(&script, "x create only", 2).await;

    annotate(&scene, "operatorkit.dev/paused", json!("true")).await;
    let _paused: Dozer = scene.condition("x", "Paused", "True", "Paused").await;
    scene.delete::<Dozer>("x").await;
    resyncs(&script, "awake create only", 3).await;
    assert_eq!(script.count("x delete only"), 0);
    let held = scene.api::<Dozer>().get("x").await.expect("it is still there");
    let ours = vec!["operatorkit.dev/dozers.pause.parity.test".to_owned()];
    assert_eq!(held.metadata.finalizers, Some(ours));
    annotate(&scene, "operatorkit.dev/paused", Value::Null).await;
    eventually_gone(&scene.api::<Dozer>(), "x", PATIENCE).await;
    assert_eq!(script.count("x delete only"), 1);
    running.stop().await;
}
