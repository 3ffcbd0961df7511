//! Watches that stand still.

use std::time::Duration;

use operatorkit::{k8s_openapi::api::core::v1::ConfigMap, kube::ResourceExt as _, serde_json::json};
use operatorkit_testing::{
    PATIENCE,
    apiserver::fault::{Effect, Fault, Interference, Matching},
    eventually, eventually_gone,
};

use super::{CHILDREN, Measured, Trial, add, trial};
use crate::scene::Scene;

/// The watches of the scene's operator over a resource show nothing from the first event on, however often they are opened.
fn blind(scene: &Scene, resource: &str) {
    let watches = Matching::verbs(["watch"]).resource(resource).user(&scene.user);
    add(scene, Fault::new(watches, Effect::Watch(Interference::SilentAfter(0))));
}

/// S-13. No watch has shown the children yet when the next passes come.
#[tokio::test(start_paused = true)]
async fn a_watch_that_stands_still_doubles_nothing() {
    let scene = Scene::alone("s13").await;
    scene.install::<Trial>().await;
    blind(&scene, "configmaps");
    let running = Measured::start(&scene);
    let start = scene.mark().await;
    scene.create(&trial("x")).await;
    let _ready: Trial = scene.ready("x").await;
    let made = scene.children::<ConfigMap>("").await;
    for text in ["b", "c", "d", "e", "f"] {
        let _changed: Trial = scene.patch("x", json!({ "spec": { "text": text } })).await;
        let _ready: Trial = scene.ready("x").await;
    }
    let requests = scene.requests(start).await.of("configmaps").writes();
    let created: Vec<_> = requests.iter().filter(|write| write.code == 201).collect();
    assert_eq!(created.len(), CHILDREN.len(), "{requests}");
    let there = scene.children::<ConfigMap>("").await;
    let uids = |maps: &std::collections::BTreeMap<String, ConfigMap>| {
        maps.iter()
            .map(|(name, map)| (name.clone(), map.uid()))
            .collect::<Vec<_>>()
    };
    assert_eq!(uids(&there), uids(&made));
    assert!(
        there
            .values()
            .all(|map| map.data.as_ref().is_some_and(|data| data["text"] == "f"))
    );
    running.stop_without_errors().await;
}

/// Section 7.10 of the notes. The object goes before any watch has shown a child.
#[tokio::test(start_paused = true)]
async fn children_that_no_watch_has_shown_go_before_the_finalizer() {
    let scene = Scene::alone("s7-10").await;
    scene.install::<Trial>().await;
    blind(&scene, "configmaps");
    let running = Measured::start(&scene);
    scene.create(&trial("x")).await;
    let _third = eventually(&scene.api::<ConfigMap>(), "x-third", "is there", PATIENCE, |_| true).await;
    // It is held: the finalizer has to wait for it.
    let held = json!({ "metadata": { "finalizers": ["other.io/hold"] } });
    let _held: ConfigMap = scene.patch("x-third", held).await;
    scene.delete::<Trial>("x").await;
    let _going = eventually(
        &scene.api::<ConfigMap>(),
        "x-third",
        "is being deleted",
        PATIENCE,
        |map| map.metadata.deletion_timestamp.is_some(),
    )
    .await;
    tokio::time::sleep(Duration::from_mins(10)).await;
    let going: Trial = scene.api().get("x").await.expect("it waits");
    assert_eq!(going.finalizers(), [super::OURS]);
    let free = json!({ "metadata": { "finalizers": null } });
    let _free: ConfigMap = scene.patch("x-third", free).await;
    eventually_gone(&scene.api::<Trial>(), "x", Duration::from_mins(15)).await;
    let left = scene.children::<ConfigMap>("").await;
    assert!(left.is_empty(), "{left:?}");
    running.running.stop().await;
}
