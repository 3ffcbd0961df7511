//! `owner_reference`: children that the garbage collector knows, too.

use std::time::Duration;

use operatorkit::{
    anyhow::ensure,
    k8s_openapi::api::core::v1::ConfigMap,
    kube::api::{DeleteParams, PropagationPolicy},
    prelude::*,
    serde_json::{Value, json, to_value},
};
use operatorkit_testing::{Cluster, PATIENCE, eventually, eventually_gone, wait_for};

use super::{Parcel, config_map, fill, get, plain, refused, version};
use crate::scene::Scene;

version!(owning: owner_reference);
version!(anywhere: owner_reference, namespaces = any);

fn settings() -> Vec<Value> {
    vec![config_map("settings", json!({ "a": "b" }))]
}

async fn children_get_it_with_the_key_and_lose_it_without(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "owner-reference").await;
    scene.install::<Parcel>().await;
    let running = scene.start(plain::app());
    let owner = scene.create(&plain::parcel("x", &settings())).await;
    let _ready: Parcel = scene.ready("x").await;
    let before: ConfigMap = get(&scene, "settings").await;
    assert!(before.owner_references().is_empty());
    running.stop().await;

    let running = scene.start(owning::app());
    let maps = scene.api::<ConfigMap>();
    let owned = |map: &ConfigMap| !map.owner_references().is_empty();
    let after = eventually(&maps, "settings", "has an owner reference", PATIENCE, owned).await;
    let wanted = json!([{
        "apiVersion": "policies.test/v1", "kind": "Parcel", "name": "x", "uid": owner.uid(), "controller": true,
    }]);
    assert_eq!(to_value(after.owner_references()).unwrap(), wanted);
    assert_eq!(after.uid(), before.uid());
    // It is no obstacle to later changes, and not foreign.
    fill(&scene, "x", &[config_map("settings", json!({ "a": "c" }))]).await;
    eventually(&maps, "settings", "is changed", PATIENCE, |map| {
        map.data.as_ref().is_some_and(|data| data["a"] == "c")
    })
    .await;
    let _ready: Parcel = scene.ready("x").await;
    running.stop().await;

    let running = scene.start(plain::app());
    let after = eventually(&maps, "settings", "has no owner reference", PATIENCE, |map| !owned(map)).await;
    assert_eq!(after.uid(), before.uid());
    running.stop().await;
}

async fn the_garbage_collector_honours_it(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "owner-collected").await;
    scene.install::<Parcel>().await;
    let running = scene.start(owning::app());
    scene.create(&plain::parcel("x", &settings())).await;
    let _ready: Parcel = scene.ready("x").await;
    running.stop().await;
    // No operator runs: the finalizer keeps the object, and the garbage collector deletes the child all the same.
    let params = DeleteParams {
        propagation_policy: Some(PropagationPolicy::Foreground),
        ..DeleteParams::default()
    };
    scene.api::<Parcel>().delete("x", &params).await.unwrap();
    eventually_gone(&scene.api::<ConfigMap>(), "settings", PATIENCE).await;
    assert!(scene.api::<Parcel>().get_opt("x").await.unwrap().is_some());
    let running = scene.start(owning::app());
    eventually_gone(&scene.api::<Parcel>(), "x", PATIENCE).await;
    running.stop().await;
}

async fn a_child_elsewhere_is_refused_before_it_is_made(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "owner-elsewhere").await;
    scene.install::<Parcel>().await;
    let running = scene.start(anywhere::app());
    let mut elsewhere = config_map(&format!("of-{}", scene.namespace), json!({}));
    elsewhere["metadata"]["namespace"] = json!("default");
    let name = format!("of-{}", scene.namespace);
    let role = json!({ "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": { "name": name }, "rules": [] });
    for (object, child, what) in [
        ("x", elsewhere, "in another namespace than its object"),
        ("y", role, "cluster-scoped, its object is not"),
    ] {
        scene.create(&plain::parcel(object, &[child])).await;
        let message = refused(&scene, object, "InvalidDesired").await;
        assert!(
            message.contains(what) && message.contains("`owner_reference`"),
            "{message}"
        );
        scene.delete::<Parcel>(object).await;
        eventually_gone(&scene.api::<Parcel>(), object, PATIENCE).await;
    }
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn the_child_of_a_dead_incarnation_is_taken_over_with_its_reference() {
    let scene = Scene::alone("owner-dead").await;
    scene.install::<Parcel>().await;
    let running = scene.start(owning::app());
    scene.create(&plain::parcel("x", &settings())).await;
    let _ready: Parcel = scene.ready("x").await;
    running.stop().await;
    // Somebody helps themselves, and leaves what depends on it.
    let _stripped: Parcel = scene.patch("x", json!({ "metadata": { "finalizers": null } })).await;
    let keep: Value = json!({ "metadata": { "finalizers": ["a.example/keep"] } });
    let _kept: ConfigMap = scene.patch("settings", keep).await;
    let params = DeleteParams {
        propagation_policy: Some(PropagationPolicy::Background),
        ..DeleteParams::default()
    };
    scene.api::<Parcel>().delete("x", &params).await.unwrap();
    eventually_gone(&scene.api::<Parcel>(), "x", PATIENCE).await;
    let new = scene.create(&plain::parcel("x", &settings())).await;
    let running = scene.start(owning::app());
    // Either we were faster than the garbage collector, or it is waited for until it is gone, and made anew.
    tokio::time::sleep(Duration::from_secs(5)).await;
    let _freed: Result<ConfigMap, _> = scene
        .api::<ConfigMap>()
        .patch(
            "settings",
            &operatorkit::kube::api::PatchParams::default(),
            &operatorkit::kube::api::Patch::Merge(json!({ "metadata": { "finalizers": null } })),
        )
        .await;
    wait_for("there is a child of the new object", PATIENCE, async || {
        let map = scene.api::<ConfigMap>().get("settings").await?;
        let references = map.owner_references();
        ensure!(map.metadata.deletion_timestamp.is_none());
        ensure!(
            references.len() == 1 && Some(&references[0].uid) == new.metadata.uid.as_ref(),
            "{map:?}"
        );
        Ok(())
    })
    .await;
    let _ready: Parcel = scene.ready("x").await;
    running.stop().await;
}

crate::servers::on_both! {
    children_get_it_with_the_key_and_lose_it_without,
    the_garbage_collector_honours_it,
    a_child_elsewhere_is_refused_before_it_is_made,
}
