//! Watches that fall silent, and kinds that go away.

use std::time::Duration;

use operatorkit::{
    k8s_openapi::{
        api::core::v1::ConfigMap, apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
    },
    kube::{Api, CustomResourceExt as _, api::DeleteParams},
};
use operatorkit_testing::{
    PATIENCE,
    apiserver::fault::{Effect, Fault, Interference, Matching},
    eventually, eventually_gone,
};

use super::{Measured, TRIALS, Trial, add, trial};
use crate::{logs::Logs, scene::Scene};

/// The longest that a watch is silent before it is opened anew, and some time for the pass.
const BLIND: Duration = Duration::from_secs(295 + 60);

/// S-17. No watch shows anything any more, and no connection ends: what happens meanwhile is found.
#[tokio::test(start_paused = true)]
async fn an_operator_whose_watches_fall_silent_is_not_blind_for_long() {
    let scene = Scene::alone("s17").await;
    scene.install::<Trial>().await;
    // The first watch of each kind, from its start.
    for resource in [TRIALS, "configmaps"] {
        let watches = Matching::verbs(["watch"]).resource(resource).user(&scene.user);
        add(
            &scene,
            Fault::new(watches, Effect::Watch(Interference::SilentAfter(0))).once(),
        );
    }
    scene.create(&trial("x")).await;
    let running = Measured::start(&scene);
    let _ready: Trial = scene.ready("x").await;
    scene.create(&trial("y")).await;
    scene.delete::<ConfigMap>("x-first").await;
    let maps = scene.api::<ConfigMap>();
    let made = eventually(&maps, "y-fourth", "is made", BLIND, |_| true);
    let again = eventually(&maps, "x-first", "is made again", BLIND, |_| true);
    let (_made, _again) = tokio::join!(made, again);
    running.stop_without_errors().await;
}

/// S-20. The own CRD is deleted and comes back: nobody shouts or asks all the time meanwhile.
#[tokio::test(start_paused = true)]
async fn while_the_own_kind_is_away_little_is_said_and_asked() {
    let scene = Scene::alone("s20").await;
    scene.install::<Trial>().await;
    let running = Measured::start(&scene);
    scene.create(&trial("x")).await;
    let _ready: Trial = scene.ready("x").await;
    let crds: Api<CustomResourceDefinition> = Api::all(scene.client.clone());
    let logs = Logs::capture();
    crds.delete(Trial::crd_name(), &DeleteParams::default())
        .await
        .expect("deleted");
    eventually_gone(&crds, Trial::crd_name(), PATIENCE).await;
    let left = scene.children::<ConfigMap>("").await;
    assert!(left.is_empty(), "its objects went in order: {left:?}");

    let start = scene.mark().await;
    tokio::time::sleep(Duration::from_mins(10)).await;
    let text = logs.text();
    let loud = text
        .lines()
        .filter(|line| line.contains(" WARN ") || line.contains("ERROR"));
    let loud: Vec<_> = loud.collect();
    assert!(loud.len() <= 20, "at most one in 30 s: {loud:#?}");
    let asked = scene.cluster.audit().since(start).await.by_user(&scene.user);
    assert!(asked.len() <= 60, "{asked}");

    scene.install::<Trial>().await;
    scene.create(&trial("x")).await;
    let _ready: Trial = scene.ready("x").await;
    running.running.stop().await;
}
