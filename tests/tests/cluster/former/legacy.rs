//! Finalizers of another program, treated as the operator's own.

use std::{sync::Arc, time::Duration};

use operatorkit::{
    anyhow::ensure,
    k8s_openapi::api::core::v1::ConfigMap,
    kube::ResourceExt,
    prelude::*,
    serde_json::{Value, json, to_value},
};
use operatorkit_testing::{
    Cluster, PATIENCE,
    apiserver::fault::{Effect, Fault, Matching},
    eventually, eventually_gone, wait_for,
};

use super::{
    make,
    provider::{self, Provider},
    version,
};
use crate::scene::{Scene, config_map};

const GO: &str = "operatorkit.giantswarm.io/heir";
const OLDER: &str = "heirs-finalizer";
const OURS: &str = "operatorkit.dev/successor";

version!(successor says [
    name = "successor", legacy_finalizers("operatorkit.giantswarm.io/heir", "heirs-finalizer")
] and makes [] { "a": "1" });

use successor::{Heir, HeirSpec};

/// An object with these finalizers.
async fn create(scene: &Scene, name: &str, finalizers: &[&str]) {
    scene.install::<Heir>().await;
    let mut heir = Heir::new(name, HeirSpec {});
    heir.metadata.finalizers = Some(finalizers.iter().map(|&it| it.to_owned()).collect());
    scene.create(&heir).await;
}

/// Lets an object go that others still hold.
async fn let_go(scene: &Scene, name: &str) {
    let _released: Heir = scene.patch(name, json!({ "metadata": { "finalizers": null } })).await;
}

async fn a_legacy_finalizer_is_replaced_in_one_patch(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "legacy").await;
    create(&scene, "x", &["others.test/first", GO, "others.test/last", OLDER]).await;
    let start = scene.mark().await;
    let provider = Arc::default();
    let running = scene.start(successor::app(&provider));
    let ready: Heir = scene.ready("x").await;
    assert_eq!(ready.finalizers(), ["others.test/first", OURS, "others.test/last"]);
    let writes = scene.requests(start).await.writes();
    let on_object = writes.filter(|it| it.object.name == "x" && it.object.subresource.is_empty());
    assert_eq!(
        on_object.iter().count(),
        1,
        "finalizers and inventory in one: {on_object}"
    );

    // And it is quiet.
    let start = scene.mark().await;
    create(&scene, "y", &[]).await;
    let _touched: Heir = scene
        .patch("x", json!({ "metadata": { "annotations": { "a": "b" } } }))
        .await;
    let _ready: Heir = scene.ready("y").await;
    let requests = scene.requests(start).await;
    assert!(requests.iter().all(|it| !it.object.name.starts_with('x')), "{requests}");

    scene.delete::<Heir>("x").await;
    let left = ["others.test/first", "others.test/last"];
    let _left = eventually(&scene.api(), "x", "is released", PATIENCE, |heir: &Heir| {
        heir.finalizers() == left
    })
    .await;
    assert_eq!(provider.undone(), 1);
    running.stop().await;
    let_go(&scene, "x").await;
}

#[tokio::test]
async fn others_finalizers_survive_a_race_with_the_replacement() {
    let scene = Scene::new("legacy-race").await;
    create(&scene, "x", &[GO]).await;
    let faults = scene.cluster.faults().expect("the embedded server");
    let ours = Matching::verbs(["patch"]).user(&scene.user).namespace(&scene.namespace);
    let on_object = ours.name("x").subresource("");
    let fault = faults.add(Fault::new(on_object, Effect::Delay(Duration::from_millis(500))).once());
    let start = scene.mark().await;
    let running = scene.start(successor::app(&Arc::default()));
    wait_for("the patch is on its way", PATIENCE, async || {
        ensure!(faults.met(fault) > 0, "not yet");
        Ok(())
    })
    .await;
    let both = json!({ "metadata": { "finalizers": [GO, "others.test/late"] } });
    let _raced: Heir = scene.patch("x", both).await;
    let ready: Heir = scene.ready("x").await;
    assert_eq!(ready.finalizers(), [OURS, "others.test/late"]);
    let requests = scene.requests(start).await.verb("patch");
    let on_object = requests.filter(|it| it.object.name == "x" && it.object.subresource.is_empty());
    let codes: Vec<_> = on_object.iter().map(|it| it.code).collect();
    assert_eq!(codes, [422, 200], "the first one's test has failed: {on_object}");
    running.stop().await;
    let_go(&scene, "x").await;
}

/// S-05: what an older version made, whose finalizer had another name.
async fn an_object_that_goes_with_a_legacy_finalizer_only_is_undone_once_and_released(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "legacy-gone").await;
    let provider = Arc::default();
    make(&scene, successor::app(&provider)).await;
    let _older: Heir = scene.patch("x", json!({ "metadata": { "finalizers": [GO] } })).await;
    scene.delete::<Heir>("x").await;
    create(&scene, "y", &["others.test/only"]).await;
    scene.delete::<Heir>("y").await;

    let start = scene.mark().await;
    let running = scene.start(successor::app(&provider));
    eventually_gone(&scene.api::<Heir>(), "x", PATIENCE).await;
    assert_eq!(scene.deletions(start).await, ["configmaps/x-data"]);
    assert_eq!(provider.undone(), 1);
    assert_eq!(provider.journal(), ["create successor", "delete successor"]);
    // Without a finalizer of ours there is no pass.
    let other: Heir = scene.api().get("y").await.expect("it is held by others");
    assert_eq!(other.finalizers(), ["others.test/only"]);
    assert_eq!(to_value(&other).expect("JSON")["status"], Value::Null);
    running.stop().await;
    let_go(&scene, "y").await;
}

async fn all_that_are_treated_as_ours_go_at_the_end_whoever_put_them_there(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "legacy-all").await;
    create(&scene, "x", &[OLDER, "others.test/first", GO, OURS]).await;
    scene.delete::<Heir>("x").await;
    let provider = Arc::<Provider>::default();
    let start = scene.mark().await;
    let running = scene.start(successor::app(&provider));
    let _left = eventually(&scene.api(), "x", "is released", PATIENCE, |heir: &Heir| {
        heir.finalizers() == ["others.test/first"]
    })
    .await;
    let writes = scene.requests(start).await.writes();
    let on_object = writes.filter(|it| it.object.name == "x" && it.object.subresource.is_empty());
    assert_eq!(on_object.iter().count(), 1, "all in one: {on_object}");
    assert_eq!(provider.undone(), 1);
    running.stop().await;
    let_go(&scene, "x").await;
}

crate::servers::on_both! {
    a_legacy_finalizer_is_replaced_in_one_patch,
    an_object_that_goes_with_a_legacy_finalizer_only_is_undone_once_and_released,
    all_that_are_treated_as_ours_go_at_the_end_whoever_put_them_there,
}
