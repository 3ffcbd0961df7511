//! `replace = "recreate"` where an object's child is to be left behind: nothing is deleted to make it again.

use operatorkit::{
    k8s_openapi::api::core::v1::ConfigMap,
    prelude::*,
    serde_json::{json, to_value},
};
use operatorkit_testing::{PATIENCE, eventually};

use super::{assert_event, config_map, get, typed};
use crate::scene::{Running, Scene, condition};

#[operator(
    group = "policies.test",
    version = "v1",
    kind = "Safe",
    namespaced,
    resources(Valuables)
)]
pub(crate) struct SafeSpec {
    value: String,
    retain: bool,
}

#[resource(replace = "recreate")]
pub(crate) struct Valuables;

impl Manifest for Valuables {
    type Operator = Safe;
    type Object = ConfigMap;

    async fn desired(&self, safe: &Safe, _cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        let mut map = config_map("x", json!({ "value": safe.spec.value }));
        map["immutable"] = json!(true);
        Ok(typed(&map).into())
    }

    fn keep_on_delete(&self, safe: &Safe) -> bool {
        safe.spec.retain
    }
}

/// An operator, and a safe with the value `one` that is ready.
async fn made(name: &'static str, retain: bool) -> (Scene, Running, ConfigMap) {
    let scene = Scene::alone(name).await;
    scene.install::<Safe>().await;
    let running = scene.start(App::new("safes").operator(|_env| async { Ok(SafeResources { valuables: Valuables }) }));
    let spec = SafeSpec {
        value: "one".into(),
        retain,
    };
    scene.create(&Safe::new("s", spec)).await;
    let _ready: Safe = scene.ready("s").await;
    let made = get(&scene, "x").await;
    (scene, running, made)
}

async fn change(scene: &Scene, value: &str, retain: bool) {
    let _changed: Safe = scene
        .patch("s", json!({ "spec": { "value": value, "retain": retain } }))
        .await;
}

/// The change is refused, and the child is the one that it was.
async fn assert_left_alone(scene: &Scene, before: &ConfigMap) {
    let start = scene.mark().await;
    let shown: Safe = scene.condition("s", "Ready", "False", "Immutable").await;
    let shown = to_value(&shown).expect("JSON");
    let message = condition(&shown, "Ready")["message"].to_string();
    assert!(message.contains("left behind"), "{message}");
    tokio::time::sleep(std::time::Duration::from_hours(1)).await;
    assert_eq!(scene.deletions(start).await, Vec::<String>::new());
    assert_eq!(get::<ConfigMap>(scene, "x").await.metadata.uid, before.metadata.uid);
}

#[tokio::test(start_paused = true)]
async fn what_was_made_to_be_kept_is_not_deleted_to_make_it_again() {
    let (scene, running, before) = made("recreate-kept", true).await;
    change(&scene, "two", true).await;
    assert_left_alone(&scene, &before).await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_decision_to_keep_counts_from_the_change_that_it_comes_with() {
    let (scene, running, before) = made("recreate-decided", false).await;
    change(&scene, "two", true).await;
    assert_left_alone(&scene, &before).await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_decision_not_to_keep_counts_once_it_is_stored() {
    let (scene, running, before) = made("recreate-let-go", true).await;
    change(&scene, "two", false).await;
    assert_left_alone(&scene, &before).await;
    // A pass that may write stores it.
    change(&scene, "one", false).await;
    let _ready: Safe = scene.ready("s").await;
    change(&scene, "two", false).await;
    let _new = eventually(&scene.api(), "x", "is made again", PATIENCE, |map: &ConfigMap| {
        map.metadata.uid != before.metadata.uid
    })
    .await;
    assert_event(&scene, "s", "Normal", "Recreated", "immutable").await;
    running.stop().await;
}
