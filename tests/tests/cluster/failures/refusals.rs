//! A namespace that is terminating refuses whatever is new.

use std::time::Duration;

use operatorkit_testing::{
    PATIENCE,
    apiserver::{
        failure::{Failure, Target},
        fault::{Effect, Fault, Matching},
    },
    eventually_gone,
};

use super::{Measured, Trial, add, complaints, met, trial};
use crate::{logs::Logs, scene::Scene};

fn terminating() -> Effect {
    let why = "unable to create new content in namespace x because it is being terminated";
    let failure = Failure::forbidden(Target::new("", "configmaps", "x"), why);
    Effect::Refuse(failure.because(
        "NamespaceTerminating",
        "namespace x is being terminated",
        "metadata.namespace",
    ))
}

/// S-04. Nothing can be made any more: what is there is deleted, quietly.
#[tokio::test(start_paused = true)]
async fn a_deletion_needs_nothing_new() {
    let logs = Logs::capture();
    let scene = Scene::alone("s04").await;
    scene.install::<Trial>().await;
    let running = Measured::start(&scene);
    scene.create(&trial("x")).await;
    let _ready: Trial = scene.ready("x").await;
    // Children are made by an apply, Events by a POST.
    for (verb, resource) in [("patch", "configmaps"), ("create", "events.events.k8s.io")] {
        let new = Matching::verbs([verb]).resource(resource).user(&scene.user);
        add(&scene, Fault::new(new, terminating()));
    }
    let start = scene.mark().await;
    scene.delete::<Trial>("x").await;
    eventually_gone(&scene.api::<Trial>(), "x", PATIENCE).await;
    let deletions = scene.deletions(start).await;
    let order = ["fourth", "third", "second", "first"].map(|suffix| format!("configmaps/x-{suffix}"));
    assert_eq!(deletions, order);
    let new = scene.requests(start).await.of("configmaps").verb("patch");
    assert!(new.is_empty(), "nothing is made: {new}");
    assert!(complaints(&logs, "x").len() <= 1, "{:#?}", complaints(&logs, "x"));
    running.stop_without_errors().await;
}

/// S-04. The refusal hits in the middle of the creation, and the object goes afterwards.
#[tokio::test(start_paused = true)]
async fn a_creation_that_was_refused_does_not_stop_the_deletion() {
    let logs = Logs::capture();
    let scene = Scene::alone("s04-half").await;
    scene.install::<Trial>().await;
    let new = Matching::verbs(["patch"])
        .resource("configmaps")
        .name("x-third")
        .user(&scene.user);
    let refused = add(&scene, Fault::new(new, terminating()));
    let running = Measured::start(&scene);
    scene.create(&trial("x")).await;
    met(&scene, refused, 3).await;
    tokio::time::sleep(Duration::from_mins(2)).await;
    let complaints_so_far = complaints(&logs, "x");
    assert!(complaints_so_far.len() <= 1, "{complaints_so_far:#?}");
    scene.delete::<Trial>("x").await;
    eventually_gone(&scene.api::<Trial>(), "x", PATIENCE).await;
    assert!(complaints(&logs, "x").len() <= 1, "{:#?}", complaints(&logs, "x"));
    running.stop_without_errors().await;
}
