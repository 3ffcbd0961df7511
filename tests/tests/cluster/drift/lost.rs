//! Labels and inventories that got lost: nothing leaks for that, and nothing is waited for in vain.

use operatorkit::{
    k8s_openapi::api::{apps::v1::Deployment, core::v1::ConfigMap},
    kube::api::ListParams,
    serde_json::json,
};
use operatorkit_testing::{PATIENCE, eventually, eventually_gone};

use super::{Drifting, LABELS, OWNER, app, made, mended, without};
use crate::scene::Scene;

/// Nothing of ours is left in the namespace once the object is gone.
async fn gone_without_leftovers(scene: &Scene) {
    eventually_gone(&scene.api::<Drifting>(), "x", PATIENCE).await;
    let maps = scene
        .api::<ConfigMap>()
        .list(&ListParams::default())
        .await
        .expect("a list")
        .items;
    assert!(maps.is_empty(), "left behind: {maps:#?}");
    let webs = scene
        .api::<Deployment>()
        .list(&ListParams::default())
        .await
        .expect("a list")
        .items;
    assert!(webs.is_empty(), "left behind: {webs:#?}");
}

#[tokio::test(start_paused = true)]
async fn children_that_lost_labels_while_the_operator_was_down_do_not_leak() {
    let scene = made("drift-leak").await;
    let running = scene.start(app());
    let _ready: Drifting = scene.ready("x").await;
    running.stop().await;
    let _all: ConfigMap = scene.patch("unlabelled", without(&LABELS)).await;
    let _owner: ConfigMap = scene.patch("disowned", without(&[OWNER])).await;
    let _operator: ConfigMap = scene.patch("edited", without(&[LABELS[0]])).await;
    let _resource: ConfigMap = scene.patch("deleted", without(&[LABELS[1]])).await;
    let _web: Deployment = scene.patch("x", without(&LABELS)).await;
    scene.delete::<Drifting>("x").await;
    let running = scene.start(app());
    gone_without_leftovers(&scene).await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn children_that_lost_labels_during_a_deletion_do_not_leak() {
    let scene = made("drift-late").await;
    let running = scene.start(app());
    let _ready: Drifting = scene.ready("x").await;
    // The Deployment goes first, and something holds it.
    let _held: Deployment = scene
        .patch("x", json!({ "metadata": { "finalizers": ["drift.test/hold"] } }))
        .await;
    scene.delete::<Drifting>("x").await;
    let _blocked: Drifting = scene.condition("x", "Deleting", "True", "Terminating").await;
    let _all: ConfigMap = scene.patch("unlabelled", without(&LABELS)).await;
    let _owner: ConfigMap = scene.patch("disowned", without(&[OWNER])).await;
    let _web: Deployment = scene.patch("x", without(&LABELS)).await;
    let _free: Deployment = scene.patch("x", json!({ "metadata": { "finalizers": null } })).await;
    gone_without_leftovers(&scene).await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_child_that_is_deleted_without_its_labels_is_made_again_once_it_is_gone() {
    let scene = made("drift-unseen").await;
    let running = scene.start(app());
    let _ready: Drifting = scene.ready("x").await;
    let mut hold = without(&LABELS);
    hold["metadata"]["finalizers"] = json!(["drift.test/hold"]);
    let held: ConfigMap = scene.patch("unlabelled", hold).await;
    scene.delete::<ConfigMap>("unlabelled").await;
    let _waits: Drifting = scene.condition("x", "Ready", "False", "Terminating").await;
    // No watch shows it any more, and so not its end either.
    let _unlabelled: ConfigMap = scene.patch("unlabelled", without(&LABELS)).await;
    let _free: ConfigMap = scene
        .patch("unlabelled", json!({ "metadata": { "finalizers": null } }))
        .await;
    let _again = eventually(
        &scene.api::<ConfigMap>(),
        "unlabelled",
        "is made again",
        PATIENCE,
        |map| map.metadata.uid != held.metadata.uid,
    )
    .await;
    mended(&scene).await;
    running.stop().await;
}

const INVENTORY: &str = "operatorkit.dev/inventory.driftings.drift.test";

/// What `kubectl replace` does with a file from before the operator: our annotation is not in it.
async fn replace_without_inventory(scene: &Scene) {
    let _lost: Drifting = scene
        .patch("x", json!({ "metadata": { "annotations": { (INVENTORY): null } } }))
        .await;
}

#[tokio::test(start_paused = true)]
async fn a_lost_inventory_is_stored_again() {
    let scene = made("drift-inventory").await;
    let running = scene.start(app());
    let ready: Drifting = scene.ready("x").await;
    let before = ready
        .metadata
        .annotations
        .unwrap_or_default()
        .remove(INVENTORY)
        .expect("an inventory");
    replace_without_inventory(&scene).await;
    let _again = eventually(
        &scene.api::<Drifting>(),
        "x",
        "has its inventory again",
        PATIENCE,
        |object| object.metadata.annotations.as_ref().and_then(|all| all.get(INVENTORY)) == Some(&before),
    )
    .await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_object_that_lost_its_inventory_while_it_is_deleted_leaves_nothing() {
    let scene = made("drift-lost").await;
    let running = scene.start(app());
    let _ready: Drifting = scene.ready("x").await;
    let _held: Deployment = scene
        .patch("x", json!({ "metadata": { "finalizers": ["drift.test/hold"] } }))
        .await;
    scene.delete::<Drifting>("x").await;
    let _blocked: Drifting = scene.condition("x", "Deleting", "True", "Terminating").await;
    running.stop().await;
    // Everything that could be lost is lost while nobody looks.
    replace_without_inventory(&scene).await;
    let _unlabelled: ConfigMap = scene.patch("unlabelled", without(&LABELS)).await;
    let _web: Deployment = scene.patch("x", without(&LABELS)).await;
    let running = scene.start(app());
    let _blocked: Drifting = scene.condition("x", "Deleting", "True", "Terminating").await;
    let _free: Deployment = scene.patch("x", json!({ "metadata": { "finalizers": null } })).await;
    gone_without_leftovers(&scene).await;
    running.stop().await;
}
