//! Slots with another object's UID, as a restored backup has them.

use operatorkit::{
    kube::api::{Patch, PatchParams},
    serde_json::{Value, json},
};

use super::{Cloud, FINALIZER, Machine, app, cloud::Fault, finalizers, machine, scene, slot};
use crate::scene::Scene;

const FORMER: &str = "00000000-0000-0000-0000-000000000001";

/// An object as it comes from a backup: with our finalizer, and a slot that was written for its former incarnation.
async fn restored(name: &'static str, slot: Value) -> (Scene, std::sync::Arc<Cloud>) {
    let (scene, cloud) = scene(name).await;
    let mut object = machine("x");
    object.metadata.finalizers = Some(vec![FINALIZER.into()]);
    scene.create(&object).await;
    write_slot(&scene, slot).await;
    (scene, cloud)
}

async fn write_slot(scene: &Scene, slot: Value) {
    let patch = json!({ "status": { "operatorkit": { "state": { "net": slot } } } });
    let patched = scene
        .api::<Machine>()
        .patch_status("x", &PatchParams::default(), &Patch::Merge(patch))
        .await;
    patched.expect("the status is written");
}

fn state() -> Value {
    json!({ "uid": FORMER, "state": { "id": "net-former" } })
}

/// Brings about another pass.
async fn poke(scene: &Scene, value: &str) {
    scene
        .patch::<Machine>("x", json!({ "metadata": { "annotations": { "test/pass": value } } }))
        .await;
}

#[tokio::test(start_paused = true)]
async fn a_restored_state_is_taken_over_when_observe_confirms_it() {
    let (scene, cloud) = restored("restored", state()).await;
    cloud.put("net-former", "another tag");
    let running = scene.start(app(&cloud));
    let ready: Machine = scene.ready("x").await;
    assert_eq!(cloud.calls(), ["create disk"]);
    let taken = json!({ "uid": ready.metadata.uid, "state": { "id": "net-former", "padding": null } });
    assert_eq!(slot(&ready, "net"), taken);
    // It is this object's now.
    scene.delete::<Machine>("x").await;
    scene.gone().await;
    assert!(cloud.things().is_empty());
    running.stop().await;
    assert!(scene.has_event("StateConfirmed").await);
}

#[tokio::test(start_paused = true)]
async fn a_restored_state_of_nothing_is_made_anew() {
    let (scene, cloud) = restored("restored-nothing", state()).await;
    let running = scene.start(app(&cloud));
    let ready: Machine = scene.ready("x").await;
    assert_eq!(cloud.calls(), ["create net", "create disk"]);
    assert_eq!(slot(&ready, "net")["uid"], json!(ready.metadata.uid));
    running.stop().await;
    assert!(!scene.has_event("StateConfirmed").await);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_deleted_by_a_restored_state_before_find_confirms_it() {
    let (scene, cloud) = restored("restored-gone", state()).await;
    cloud.put("net-former", "another tag");
    scene.delete::<Machine>("x").await;
    let running = scene.start(app(&cloud));
    let held: Machine = scene.condition("x", "Deleting", "True", "StateNotConfirmed").await;
    assert_eq!(finalizers(&held), [FINALIZER]);
    assert_eq!(cloud.count("delete net"), 0);

    let token = cloud.tokens().pop().expect("it was asked for");
    cloud.put("net-former", &token);
    poke(&scene, "1").await;
    scene.gone().await;
    assert!(cloud.things().is_empty());
    running.stop().await;
    assert!(scene.has_event("StateNotConfirmed").await);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_deleted_by_a_restored_intent() {
    let (scene, cloud) = restored("restored-intent", json!({ "uid": FORMER })).await;
    cloud.fault("find net", Fault::Fails);
    scene.delete::<Machine>("x").await;
    let running = scene.start(app(&cloud));
    cloud.called("find net", 1).await;
    // What the former incarnation was about to make exists, and may be in use.
    cloud.put("net-former", &cloud.tokens()[0]);
    cloud.heal();
    let _held: Machine = scene.condition("x", "Deleting", "True", "StateNotConfirmed").await;
    let asked = cloud.count("find net");
    for pass in ["1", "2"] {
        poke(&scene, pass).await;
        cloud.called("find net", asked + 1).await;
    }
    let held: Machine = scene.condition("x", "Deleting", "True", "StateNotConfirmed").await;
    assert_eq!(finalizers(&held), [FINALIZER]);
    assert_eq!(cloud.count("delete net"), 0, "{:?}", cloud.calls());

    write_slot(&scene, json!({ "decision": "abandon" })).await;
    scene.gone().await;
    assert_eq!(cloud.things().len(), 1, "it is left");
    running.stop().await;
    assert!(scene.has_event("Abandoned").await);
}
