//! Writes whose answer comes late, and creations that are carried out when nobody waits for their answer any more.

use std::time::Duration;

use operatorkit::{k8s_openapi::api::core::v1::ConfigMap, serde_json::json};
use operatorkit_testing::{
    PATIENCE,
    apiserver::{
        failure::Failure,
        fault::{Effect, Fault, FaultId, Matching},
    },
    eventually, eventually_gone,
};
use tokio::time::Instant;

use super::{CHILDREN, Measured, Trial, add, met, trial};
use crate::scene::Scene;

const LATE: Duration = Duration::from_secs(40);

/// What becomes of the next writes of the last child.
fn disturb_the_last(scene: &Scene, effect: Effect) -> FaultId {
    let last = Matching::verbs(["patch"]).resource("configmaps").name("x-fourth");
    add(scene, Fault::new(last.user(&scene.user), effect))
}

#[tokio::test(start_paused = true)]
async fn a_creation_that_comes_after_its_connection_broke_leaves_nothing_behind() {
    let scene = Scene::alone("late").await;
    scene.install::<Trial>().await;
    let late = disturb_the_last(&scene, Effect::DoneLate(LATE));
    let running = Measured::start(&scene);
    scene.create(&trial("x")).await;
    met(&scene, late, 1).await;
    let start = scene.mark().await;
    scene.delete::<Trial>("x").await;
    let _told: Trial = scene.condition("x", "Deleting", "True", "CreationUnanswered").await;
    eventually_gone(&scene.api::<Trial>(), "x", PATIENCE).await;
    let there = scene.children::<ConfigMap>("").await;
    assert!(there.is_empty(), "{there:?}");
    tokio::time::sleep(2 * LATE).await;
    let there = scene.children::<ConfigMap>("").await;
    assert!(there.is_empty(), "{there:?}");
    assert!(scene.deletions(start).await.contains(&"configmaps/x-fourth".to_owned()));
    running.running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_creation_that_was_refused_holds_up_no_deletion() {
    let scene = Scene::alone("late-refused").await;
    scene.install::<Trial>().await;
    let refused = Effect::Refuse(Failure::new(403, "Forbidden", "a quota is full"));
    let refused = disturb_the_last(&scene, refused);
    let running = Measured::start(&scene);
    scene.create(&trial("x")).await;
    met(&scene, refused, 1).await;
    let asked = Instant::now();
    scene.delete::<Trial>("x").await;
    eventually_gone(&scene.api::<Trial>(), "x", PATIENCE).await;
    assert!(asked.elapsed() < Duration::from_secs(10), "{:?}", asked.elapsed());
    let there = scene.children::<ConfigMap>("").await;
    assert!(there.is_empty(), "{CHILDREN:?}: {there:?}");
    running.running.stop().await;
}

/// The watch shows what somebody changes before the answer to our own write comes, which is the older one then.
#[tokio::test(start_paused = true)]
async fn what_is_changed_before_the_answer_to_our_own_write_is_put_right() {
    let scene = Scene::alone("late-answer").await;
    scene.install::<Trial>().await;
    let maps = scene.api::<ConfigMap>();
    let late = || disturb_the_last(&scene, Effect::DelayAnswer(Duration::from_secs(5)));
    let text = |wanted: &'static str| {
        let has = move |map: &ConfigMap| map.data.as_ref().is_some_and(|data| data["text"] == wanted);
        eventually(&maps, "x-fourth", wanted, PATIENCE, has)
    };
    let drift = async || {
        let _drifted: ConfigMap = scene.patch("x-fourth", json!({ "data": { "text": "drift" } })).await;
    };
    let faults = scene.cluster.faults().expect("the embedded server");

    let created = late();
    let running = Measured::start(&scene);
    scene.create(&trial("x")).await;
    let _made = text("a").await;
    drift().await;
    faults.remove(created);
    let _restored = text("a").await;

    let changed = late();
    let _other: Trial = scene.patch("x", json!({ "spec": { "text": "b" } })).await;
    let _made = text("b").await;
    drift().await;
    faults.remove(changed);
    let _restored = text("b").await;
    running.stop_without_errors().await;
}
