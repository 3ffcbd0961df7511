//! Objects that go although our finalizer is on them: a DELETE that has read them before it came removes them (kubernetes#77988).

use std::time::Duration;

use operatorkit::{k8s_openapi::api::core::v1::ConfigMap, serde_json::json};
use operatorkit_testing::{
    PATIENCE,
    apiserver::fault::{Effect, Fault, Matching},
    eventually, eventually_gone,
};

use super::{CHILDREN, Measured, Trial, add, disturb, met, trial};
use crate::{metrics::value, scene::Scene};

/// Nothing is left of `x` and its children, and nobody asks for any of it any more.
async fn nothing_is_left(scene: &Scene) {
    let children = scene.api::<ConfigMap>();
    for name in CHILDREN {
        eventually_gone(&children, name, PATIENCE).await;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let quiet = scene.mark().await;
    tokio::time::sleep(Duration::from_hours(1)).await;
    let asked = scene.requests(quiet).await;
    assert!(asked.is_empty(), "{asked}");
}

fn backwards(children: &[&str]) -> Vec<String> {
    children.iter().rev().map(|name| format!("configmaps/{name}")).collect()
}

#[tokio::test(start_paused = true)]
async fn what_was_made_for_an_object_that_went_with_our_finalizer_goes_in_order() {
    let scene = Scene::alone("vanished").await;
    scene.install::<Trial>().await;
    let running = Measured::start(&scene);
    let made = scene.create(&trial("x")).await;
    let _ready: Trial = scene.ready("x").await;
    let start = scene.mark().await;
    scene.delete_as_read(&made).await;
    assert!(scene.api::<Trial>().get_opt("x").await.expect("an answer").is_none());
    nothing_is_left(&scene).await;
    assert_eq!(scene.deletions(start).await, backwards(&CHILDREN));
    let watched = value(&running.scraper.scrape(), "operatorkit_controller_watched_objects", &[]);
    assert_eq!(watched, Some(0.0), "it is forgotten");
    running.stop_without_errors().await;
}

/// The pass that makes its children is under way.
#[tokio::test(start_paused = true)]
async fn a_pass_that_is_under_way_makes_nothing_more_for_an_object_that_went() {
    let scene = Scene::alone("vanished-pass").await;
    scene.install::<Trial>().await;
    let third = Matching::verbs(["patch"]).resource("configmaps").name("x-third");
    let late = Effect::Delay(Duration::from_secs(5));
    let late = add(&scene, Fault::new(third.user(&scene.user), late).once());
    let running = Measured::start(&scene);
    let start = scene.mark().await;
    let made = scene.create(&trial("x")).await;
    met(&scene, late, 1).await;
    scene.delete_as_read(&made).await;
    tokio::time::sleep(Duration::from_secs(10)).await;
    nothing_is_left(&scene).await;
    let writes = scene.requests(start).await.of("configmaps").writes();
    let made = writes.iter().filter(|write| write.code == 201);
    let made: Vec<_> = made.map(|write| &*write.object.name).collect();
    assert_eq!(
        made,
        CHILDREN[..3],
        "the third was on its way, and nothing came after it: {writes}"
    );
    assert_eq!(scene.deletions(start).await, backwards(&CHILDREN[..3]));
    running.stop_without_errors().await;
}

/// The watch shows the end before the answer to the patch comes that has stored the finalizer.
#[tokio::test(start_paused = true)]
async fn an_object_that_went_before_the_answer_about_its_finalizer_gets_no_children() {
    let scene = Scene::alone("vanished-answer").await;
    scene.install::<Trial>().await;
    let late = Effect::DelayAnswer(Duration::from_secs(5));
    let late = disturb(&scene, &["patch"], super::TRIALS, late, 1);
    let running = Measured::start(&scene);
    let start = scene.mark().await;
    let made = scene.create(&trial("x")).await;
    met(&scene, late, 1).await;
    let _taken_on = eventually(&scene.api::<Trial>(), "x", "has a finalizer", PATIENCE, |trial| {
        trial.metadata.finalizers.is_some()
    })
    .await;
    scene.delete_as_read(&made).await;
    tokio::time::sleep(Duration::from_mins(1)).await;
    nothing_is_left(&scene).await;
    let writes = scene.requests(start).await.of("configmaps").writes();
    assert!(writes.is_empty(), "{writes}");
    running.stop_without_errors().await;
}

/// A child that somebody holds, an API server that fails for a while, and a new list of the watch: it is gone on with all the same.
#[tokio::test(start_paused = true)]
async fn what_holds_up_the_rest_of_an_object_that_went_is_waited_for() {
    let scene = Scene::alone("vanished-held").await;
    scene.install::<Trial>().await;
    let running = Measured::start(&scene);
    let made = scene.create(&trial("x")).await;
    let _ready: Trial = scene.ready("x").await;
    let hold = json!({ "metadata": { "finalizers": ["other.io/hold"] } });
    let _held: ConfigMap = scene.patch("x-third", hold).await;
    disturb(&scene, &["delete"], "configmaps", Effect::internal_error(), 2);
    let start = scene.mark().await;
    scene.delete_as_read(&made).await;
    let _going = eventually(
        &scene.api::<ConfigMap>(),
        "x-third",
        "is being deleted",
        PATIENCE,
        |map| map.metadata.deletion_timestamp.is_some(),
    )
    .await;
    // The present watch ends within five minutes, and the next one has to list.
    let watches = Matching::verbs(["watch"]).resource(super::TRIALS).user(&scene.user);
    let expired = operatorkit_testing::apiserver::failure::Failure::expired("injected");
    let expired = add(&scene, Fault::new(watches, Effect::Refuse(expired)).once());
    tokio::time::sleep(Duration::from_mins(20)).await;
    met(&scene, expired, 1).await;
    let there = scene.children::<ConfigMap>("").await;
    assert_eq!(there.keys().collect::<Vec<_>>(), ["x-first", "x-second", "x-third"]);
    let free = json!({ "metadata": { "finalizers": null } });
    let _free: ConfigMap = scene.patch("x-third", free).await;
    nothing_is_left(&scene).await;
    let deleted = scene.requests(start).await.verb("delete");
    let order: Vec<_> = deleted
        .iter()
        .filter(|it| it.code == 200)
        .map(|it| it.object.name.clone())
        .collect();
    assert_eq!(order, ["x-fourth", "x-third", "x-second", "x-first"], "{deleted}");
    running.running.stop().await;
}

/// It is paused: nothing is done for it, and nobody can end the pause any more. Its children are left alone, and reported.
#[tokio::test(start_paused = true)]
async fn the_children_of_a_paused_object_that_went_are_left_alone() {
    let scene = Scene::alone("vanished-paused").await;
    scene.install::<Trial>().await;
    let running = Measured::start(&scene);
    let made = scene.create(&trial("x")).await;
    let _ready: Trial = scene.ready("x").await;
    let pause = json!({ "metadata": { "annotations": { "operatorkit.dev/paused": "true" } } });
    let _paused: Trial = scene.patch("x", pause).await;
    let start = scene.mark().await;
    scene.delete_as_read(&made).await;
    left_alone(&scene, start, &CHILDREN).await;
    running.stop_without_errors().await;
}

/// Somebody takes our finalizer off an object that is being deleted: that is no such case.
#[tokio::test(start_paused = true)]
async fn what_somebody_lets_go_of_by_hand_is_left_alone() {
    let scene = Scene::alone("vanished-by-hand").await;
    scene.install::<Trial>().await;
    let running = Measured::start(&scene);
    scene.create(&trial("x")).await;
    let _ready: Trial = scene.ready("x").await;
    let hold = json!({ "metadata": { "finalizers": ["other.io/hold"] } });
    let _held: ConfigMap = scene.patch("x-fourth", hold).await;
    scene.delete::<Trial>("x").await;
    let _going: Trial = scene.condition("x", "Deleting", "True", "Terminating").await;
    let start = scene.mark().await;
    let _let_go: Trial = scene.patch("x", json!({ "metadata": { "finalizers": null } })).await;
    left_alone(&scene, start, &CHILDREN).await;
    running.stop_without_errors().await;
}

async fn left_alone(scene: &Scene, since: operatorkit_testing::audit::Mark, names: &[&str]) {
    eventually_gone(&scene.api::<Trial>(), "x", PATIENCE).await;
    tokio::time::sleep(Duration::from_hours(1)).await;
    let there = scene.children::<ConfigMap>("").await;
    let mut names = names.to_vec();
    names.sort_unstable();
    assert_eq!(there.keys().collect::<Vec<_>>(), names);
    let writes = scene.requests(since).await.of("configmaps").writes();
    assert!(writes.is_empty(), "{writes}");
}
