//! Finalizers and deletion.

use std::time::Duration;

use operatorkit::{
    SinglePasses,
    k8s_openapi::api::core::v1::{ConfigMap, Secret},
    kube::{
        ResourceExt as _,
        api::{DeleteParams, PropagationPolicy},
    },
    serde_json::json,
};
use operatorkit_testing::{PATIENCE, apiserver::fault::Effect, eventually, eventually_gone};

use super::{Measured, OURS, TRIALS, Trial, add, app, disturb, met, resources, trial};
use crate::scene::{Scene, config_map};

async fn finalizers(scene: &Scene) -> Vec<String> {
    let trial: Trial = scene.api().get("x").await.expect("it exists");
    trial.finalizers().to_vec()
}

async fn set_finalizers(scene: &Scene, finalizers: &[&str]) {
    let _set: Trial = scene
        .patch("x", json!({ "metadata": { "finalizers": finalizers } }))
        .await;
}

/// S-01. On a live object: somebody adds a third one between our read and our patch.
#[tokio::test(start_paused = true)]
async fn a_finalizer_that_is_added_just_before_ours_stays() {
    let scene = Scene::alone("s01-added").await;
    scene.install::<Trial>().await;
    let mut trial = trial("x");
    trial.metadata.finalizers = Some(vec!["other.io/keep".into()]);
    scene.create(&trial).await;
    let late = disturb(&scene, &["patch"], TRIALS, Effect::Delay(Duration::from_secs(1)), 1);
    let running = Measured::start(&scene);
    met(&scene, late, 1).await;
    assert_eq!(finalizers(&scene).await, ["other.io/keep"], "ours is on its way");
    set_finalizers(&scene, &["other.io/keep", "late.io/x"]).await;
    let _ready: Trial = scene.ready("x").await;
    let mut found = finalizers(&scene).await;
    found.sort();
    assert_eq!(found, ["late.io/x", OURS, "other.io/keep"]);
    running.stop_without_errors().await;
}

/// S-01. On one that goes nothing can be added any more, but those before ours can go: ours has another index then.
#[tokio::test(start_paused = true)]
async fn a_finalizer_that_moves_while_it_is_taken_off_takes_no_other_with_it() {
    let scene = Scene::alone("s01-moved").await;
    scene.install::<Trial>().await;
    let mut trial = trial("x");
    trial.metadata.finalizers = Some(vec!["first.io/a".into(), OURS.into(), "other.io/keep".into()]);
    scene.create(&trial).await;
    let running = Measured::start(&scene);
    let _ready: Trial = scene.ready("x").await;
    let late = disturb(&scene, &["patch"], TRIALS, Effect::Delay(Duration::from_secs(1)), 1);
    let start = scene.mark().await;
    scene.delete::<Trial>("x").await;
    met(&scene, late, 1).await;
    set_finalizers(&scene, &[OURS, "other.io/keep"]).await;
    let _released = eventually(&scene.api::<Trial>(), "x", "is let go", PATIENCE, |trial| {
        !trial.finalizers().iter().any(|name| name == OURS)
    })
    .await;
    assert_eq!(finalizers(&scene).await, ["other.io/keep"]);
    let patches = scene.requests(start).await.of("trials").verb("patch");
    let codes: Vec<u16> = patches.iter().map(|patch| patch.code).collect();
    assert_eq!(codes, [422, 200], "the race was lost once: {patches}");
    running.stop_without_errors().await;
}

/// What another process, the leader before, has stored while ours was about to let go: a kind more, and a child of it.
#[tokio::test(start_paused = true)]
async fn what_was_stored_just_before_the_finalizer_goes_is_undone_first() {
    let scene = Scene::alone("s01-stored").await;
    scene.install::<Trial>().await;
    scene.create(&trial("x")).await;
    let running = Measured::start(&scene);
    let ready: Trial = scene.ready("x").await;
    let first: ConfigMap = scene.api().get("x-first").await.expect("it is there");
    let late = disturb(&scene, &["patch"], TRIALS, Effect::Delay(Duration::from_secs(1)), 1);
    scene.delete::<Trial>("x").await;
    met(&scene, late, 1).await;

    let mark = first.annotations()["operatorkit.dev/mark"]
        .replace(r#""self":{"kind":"ConfigMap""#, r#""self":{"kind":"Secret""#);
    let secret = json!({ "metadata": {
        "name": "x-first", "labels": first.labels(), "annotations": { "operatorkit.dev/mark": mark },
    } });
    let secret: Secret = operatorkit::serde_json::from_value(secret).expect("a Secret");
    scene.create(&secret).await;
    let stored = "operatorkit.dev/inventory.trials.failures.test";
    let secrets = r#""kinds":[{"k":{"version":"v1","kind":"Secret","plural":"secrets","namespaced":true}},"#;
    let more = ready.annotations()[stored].replace(r#""kinds":["#, secrets);
    let _stored: Trial = scene
        .patch("x", json!({ "metadata": { "annotations": { stored: more } } }))
        .await;
    eventually_gone(&scene.api::<Trial>(), "x", PATIENCE).await;
    assert_eq!(scene.api::<Secret>().get_opt("x-first").await.expect("an answer"), None);
    running.stop_without_errors().await;
}

/// S-02. The first that the operator sees of an object is that it goes, in the foreground.
#[tokio::test(start_paused = true)]
async fn an_object_that_goes_in_the_foreground_is_never_made_again() {
    let scene = Scene::alone("s02").await;
    scene.install::<Trial>().await;
    let owner = scene.create(&trial("x")).await;
    let mut held = config_map("held", json!({})).expect("a ConfigMap");
    held.metadata.finalizers = Some(vec!["other.io/hold".into()]);
    let mut reference =
        json!({ "apiVersion": "failures.test/v1", "kind": "Trial", "name": "x", "blockOwnerDeletion": true });
    reference["uid"] = owner.uid().into();
    held.metadata.owner_references = Some(vec![
        operatorkit::serde_json::from_value(reference).expect("a reference"),
    ]);
    scene.create(&held).await;
    let foreground = DeleteParams {
        propagation_policy: Some(PropagationPolicy::Foreground),
        ..DeleteParams::default()
    };
    let _going = scene.api::<Trial>().delete("x", &foreground).await.expect("deleted");
    assert_eq!(finalizers(&scene).await, ["foregroundDeletion"]);

    let start = scene.mark().await;
    let client = scene.cluster.client(&scene.user);
    let mut passes = SinglePasses::<Trial>::new(resources(), client, &scene.resyncing()).expect("it can run");
    for _ in 0..10 {
        let _outcome = passes.run(&*scene.namespace, "x").await.expect("a pass");
    }
    let running = scene.start(app());
    tokio::time::sleep(Duration::from_mins(30)).await;
    let writes = scene.requests(start).await.writes();
    assert!(writes.is_empty(), "{writes}");
    assert_eq!(finalizers(&scene).await, ["foregroundDeletion"]);
    running.stop().await;
}

/// S-07. What is gone already is no failure: a child, and the object itself.
#[tokio::test(start_paused = true)]
async fn not_found_is_success_on_the_way_out() {
    let scene = Scene::alone("s07").await;
    scene.install::<Trial>().await;
    let running = Measured::start(&scene);
    scene.create(&trial("x")).await;
    let _ready: Trial = scene.ready("x").await;
    let gone = |resource: &str| {
        let target = operatorkit_testing::apiserver::failure::Target::new("", "", "x");
        let failure = operatorkit_testing::apiserver::failure::Failure::not_found(target);
        let all = u64::MAX;
        let verbs: &[&str] = if resource == TRIALS { &["patch"] } else { &["delete"] };
        disturb(&scene, verbs, resource, Effect::DoneButRefused(failure), all)
    };
    let (children, finalizer) = (gone("configmaps"), gone(TRIALS));
    let start = scene.mark().await;
    scene.delete::<Trial>("x").await;
    eventually_gone(&scene.api::<Trial>(), "x", PATIENCE).await;
    let faults = scene.cluster.faults().expect("the embedded server");
    assert_eq!((faults.met(children), faults.met(finalizer)), (4, 1));
    // Nobody tries again.
    tokio::time::sleep(Duration::from_mins(10)).await;
    assert_eq!(scene.requests(start).await.of("trials").verb("patch").len(), 1);
    running.stop_without_errors().await;
}

/// S-08. Killed in the middle of the creation, deleted before the restart.
#[tokio::test(start_paused = true)]
async fn what_a_killed_operator_had_begun_is_cleaned_up_by_the_next_one() {
    let scene = Scene::alone("s08").await;
    scene.install::<Trial>().await;
    let third = operatorkit_testing::apiserver::fault::Matching::verbs(["patch"])
        .resource("configmaps")
        .name("x-third")
        .user(&scene.user);
    let stuck = add(
        &scene,
        operatorkit_testing::apiserver::fault::Fault::new(third, Effect::Hang).once(),
    );
    let start = scene.mark().await;
    let running = scene.start(app());
    scene.create(&trial("x")).await;
    met(&scene, stuck, 1).await;
    drop(running);
    let made = scene.children::<ConfigMap>("operatorkit.dev/operator").await;
    assert_eq!(made.keys().collect::<Vec<_>>(), ["x-first", "x-second"]);
    let writes = scene
        .requests(start)
        .await
        .writes()
        .filter(|write| write.object.resource != "events");
    let order: Vec<String> = writes.iter().map(operatorkit_testing::audit::Entry::resource).collect();
    assert_eq!(order[0], "trials", "the finalizer is first: {writes}");

    let start = scene.mark().await;
    scene.delete::<Trial>("x").await;
    let running = scene.start(app());
    eventually_gone(&scene.api::<Trial>(), "x", PATIENCE).await;
    let left = scene.children::<ConfigMap>("operatorkit.dev/operator").await;
    assert!(left.is_empty(), "{left:?}");
    assert_eq!(
        scene.deletions(start).await,
        ["configmaps/x-second", "configmaps/x-first"]
    );
    running.stop().await;
}
