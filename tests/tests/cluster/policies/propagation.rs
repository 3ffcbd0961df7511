//! `delete_propagation`: what becomes of a child's dependents, also after an upgrade.

use operatorkit::{
    anyhow::ensure,
    k8s_openapi::api::apps::v1::{Deployment, ReplicaSet},
    kube::api::{DeleteParams, ListParams},
    prelude::*,
    serde_json::{Value, json},
};
use operatorkit_testing::{Cluster, PATIENCE, eventually_gone, wait_for};

use super::{Parcel, deployment, fill, plain, version};
use crate::scene::Scene;

version!(orphaning: delete_propagation = "Orphan");

/// The ReplicaSets in the namespace, once there are some.
async fn replica_sets(scene: &Scene) -> Vec<ReplicaSet> {
    wait_for("the Deployment has a ReplicaSet", PATIENCE, async || {
        ensure!(!scene.children::<ReplicaSet>("").await.is_empty());
        Ok(())
    })
    .await;
    scene.children::<ReplicaSet>("").await.into_values().collect()
}

fn web() -> Vec<Value> {
    vec![deployment("web", "web", "web", Some(0))]
}

async fn orphans_stay_and_their_owner_counts_as_gone(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "orphan").await;
    scene.install::<Parcel>().await;
    let running = scene.start(orphaning::app());
    scene.create(&plain::parcel("x", &web())).await;
    let _ready: Parcel = scene.ready("x").await;
    let sets = replica_sets(&scene).await;
    scene.delete::<Parcel>("x").await;
    eventually_gone(&scene.api::<Parcel>(), "x", PATIENCE).await;
    eventually_gone(&scene.api::<Deployment>(), "web", PATIENCE).await;
    assert_orphans(&scene, &sets).await;
    running.stop().await;
}

async fn assert_orphans(scene: &Scene, sets: &[ReplicaSet]) {
    let left = scene.children::<ReplicaSet>("").await;
    for set in sets {
        let after = left.get(&set.name_any()).expect("it is still there");
        assert_eq!(after.uid(), set.uid());
        assert!(after.owner_references().is_empty(), "nobody owns it: {after:?}");
    }
    scene
        .api::<ReplicaSet>()
        .delete_collection(&DeleteParams::default(), &ListParams::default())
        .await
        .expect("deleted");
}

async fn a_deletion_goes_by_what_was_stored(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "orphan-upgrade").await;
    scene.install::<Parcel>().await;
    let running = scene.start(orphaning::app());
    scene.create(&plain::parcel("x", &web())).await;
    let _ready: Parcel = scene.ready("x").await;
    let sets = replica_sets(&scene).await;
    running.stop().await;
    // It is deleted while no operator runs; the next version has no such policy.
    scene.delete::<Parcel>("x").await;
    let running = scene.start(plain::app());
    eventually_gone(&scene.api::<Parcel>(), "x", PATIENCE).await;
    assert_orphans(&scene, &sets).await;
    running.stop().await;
}

async fn a_prune_goes_by_the_code(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "orphan-prune").await;
    scene.install::<Parcel>().await;
    let running = scene.start(plain::app());
    scene.create(&plain::parcel("x", &web())).await;
    let _ready: Parcel = scene.ready("x").await;
    let sets = replica_sets(&scene).await;
    running.stop().await;
    let running = scene.start(orphaning::app());
    fill(&scene, "x", &[]).await;
    eventually_gone(&scene.api::<Deployment>(), "web", PATIENCE).await;
    assert_orphans(&scene, &sets).await;
    running.stop().await;
}

crate::servers::on_both! {
    orphans_stay_and_their_owner_counts_as_gone,
    a_deletion_goes_by_what_was_stored,
    a_prune_goes_by_the_code,
}

version!(background: delete_propagation = "Background");

#[tokio::test(start_paused = true)]
async fn in_the_background_a_child_is_gone_before_its_dependents() {
    let scene = Scene::alone("background").await;
    scene.install::<Parcel>().await;
    let running = scene.start(background::app());
    scene.create(&plain::parcel("x", &web())).await;
    let _ready: Parcel = scene.ready("x").await;
    // What keeps the ReplicaSet keeps a Deployment that is deleted in the foreground, and not this one.
    let set = &replica_sets(&scene).await[0];
    let hold = json!({ "metadata": { "finalizers": ["a.example/hold"] } });
    let _held: ReplicaSet = scene.patch(&set.name_any(), hold).await;
    scene.delete::<Parcel>("x").await;
    eventually_gone(&scene.api::<Parcel>(), "x", PATIENCE).await;
    assert!(
        scene
            .api::<ReplicaSet>()
            .get_opt(&set.name_any())
            .await
            .unwrap()
            .is_some()
    );
    running.stop().await;
}
