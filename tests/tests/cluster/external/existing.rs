//! The slots of an existing kind are an annotation, which whoever may edit the object may edit.

use std::sync::Arc;

use operatorkit::{
    k8s_openapi::api::core::v1::ConfigMap,
    prelude::*,
    serde_json::{self, Value, json},
};
use operatorkit_testing::{PATIENCE, eventually, eventually_gone, wait_for};

use super::{
    cloud::{Cloud, ThingId},
    wish::{Wish, in_cloud},
};
use crate::scene::{Running, Scene};

/// A vault for each labelled `ConfigMap`.
#[operator(for = ConfigMap, name = "vaults.external.test", selector = "external.test/vault=true", resources(Vault))]
pub(crate) struct Vaults;

const SLOTS: &str = "operatorkit.dev/state.vaults.external.test";

#[resource(order = 1)]
pub(crate) struct Vault(Arc<Cloud>);
in_cloud!(Vault, Vaults, ConfigMap, "vault");

impl Wish for ConfigMap {
    fn size(&self) -> u32 {
        self.data
            .as_ref()
            .map_or(0, |data| data["size"].parse().expect("a number"))
    }
}

fn start(scene: &Scene, cloud: &Arc<Cloud>) -> Running {
    let cloud = cloud.clone();
    scene.start(App::new("vaults").operator(|_env| async { Ok(VaultsResources { vault: Vault(cloud) }) }))
}

/// The slots in an object's annotation.
fn slots(object: &ConfigMap) -> Value {
    let text = object.annotations().get(SLOTS).map_or("null", String::as_str);
    serde_json::from_str(text).expect("JSON")
}

async fn edit(scene: &Scene, slots: Value) {
    let annotations = json!({ SLOTS: slots.to_string() });
    scene
        .patch::<ConfigMap>("x", json!({ "metadata": { "annotations": annotations } }))
        .await;
}

/// A `ConfigMap` with its vault, and a vault of somebody else.
async fn scene(name: &'static str) -> (Scene, Arc<Cloud>, Running) {
    let scene = Scene::alone(name).await;
    let cloud = Cloud::new();
    let running = start(&scene, &cloud);
    let mut object = crate::scene::config_map("x", json!({ "size": "1" })).expect("a ConfigMap");
    object.labels_mut().insert("external.test/vault".into(), "true".into());
    scene.create(&object).await;
    let made = eventually(&scene.api::<ConfigMap>(), "x", "has its State", PATIENCE, |object| {
        slots(object)["vault"]["state"]["id"] == "vault-0"
    })
    .await;
    let seen = cloud.seen().pop().expect("one create");
    let before = serde_json::from_value(seen).expect("a ConfigMap");
    assert_eq!(
        slots(&before),
        json!({ "vault": { "uid": made.uid() } }),
        "the intent comes first"
    );
    cloud.put("vault-other", "somebody else's");
    (scene, cloud, running)
}

/// Makes the stored State name another thing.
async fn forge(scene: &Scene, uid: Option<String>) {
    edit(
        scene,
        json!({ "vault": { "uid": uid, "state": { "id": "vault-other" } } }),
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_is_stored_and_confirmed_is_updated_and_deleted() {
    let (scene, cloud, running) = scene("existing-life").await;
    scene.patch::<ConfigMap>("x", json!({ "data": { "size": "2" } })).await;
    wait_for("the vault is larger", PATIENCE, async || {
        operatorkit::anyhow::ensure!(cloud.things()["vault-0"].size == 2);
        Ok(())
    })
    .await;
    scene.delete::<ConfigMap>("x").await;
    eventually_gone(&scene.api::<ConfigMap>(), "x", PATIENCE).await;
    assert_eq!(cloud.things().into_keys().collect::<Vec<_>>(), ["vault-other"]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_edited_state_deletes_nothing_until_a_person_decides() {
    let (scene, cloud, running) = scene("existing-forged").await;
    // Between edit and deletion the operator must not see the object: it would put the State right.
    running.stop().await;
    let uid = scene.api::<ConfigMap>().get("x").await.expect("it exists").uid();
    forge(&scene, uid).await;
    scene.delete::<ConfigMap>("x").await;
    let running = start(&scene, &cloud);
    wait_for("an Event says so", PATIENCE, async || {
        operatorkit::anyhow::ensure!(scene.has_event("StateNotConfirmed").await);
        Ok(())
    })
    .await;
    let held = scene.api::<ConfigMap>().get("x").await.expect("it is held");
    assert_eq!(super::finalizers(&held), ["operatorkit.dev/vaults.external.test"]);
    assert_eq!(cloud.count("delete vault"), 0);

    let mut slots = slots(&held);
    slots["vault"]["decision"] = "abandon".into();
    edit(&scene, slots).await;
    eventually_gone(&scene.api::<ConfigMap>(), "x", PATIENCE).await;
    assert_eq!((cloud.things().len(), cloud.count("delete vault")), (2, 0));
    running.stop().await;
    assert!(scene.has_event("Abandoned").await);
}

#[tokio::test(start_paused = true)]
async fn an_edited_state_updates_nothing() {
    let (scene, cloud, running) = scene("existing-update").await;
    let uid = scene.api::<ConfigMap>().get("x").await.expect("it exists").uid();
    forge(&scene, uid).await;
    // `find` is asked whenever the thing differs; the second time proves that the first pass is over.
    for size in ["3", "4"] {
        let asked = cloud.count("find vault");
        scene.patch::<ConfigMap>("x", json!({ "data": { "size": size } })).await;
        cloud.called("find vault", asked + 1).await;
    }
    assert_eq!(cloud.things()["vault-other"].size, 1);
    assert_eq!(cloud.count("update vault"), 0, "{:?}", cloud.calls());
    running.stop().await;
}
