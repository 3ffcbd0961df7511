//! Which objects are an operator's: labels and fields, and what becomes of objects that leave the selection.

use operatorkit::{
    anyhow::ensure,
    k8s_openapi::api::core::v1::ConfigMap,
    prelude::*,
    serde_json::{Value, json},
};
use operatorkit_testing::{
    Cluster, PATIENCE,
    apiserver::fault::{Effect, Fault, Matching},
    eventually, eventually_gone, wait_for,
};

use crate::{
    scene::{Running, Scene, config_map},
    servers::on_both,
};

/// Those that are chosen, and red.
#[operator(
    group = "selection.test",
    version = "v1",
    kind = "Chosen",
    namespaced,
    selectable = ".spec.color",
    selector = "selection.test/chosen=yes",
    field_selector = "spec.color=red",
    resources(Badge)
)]
pub(crate) struct ChosenSpec {
    color: String,
}

#[resource]
pub(crate) struct Badge;

impl Manifest for Badge {
    type Operator = Chosen;
    type Object = ConfigMap;
    async fn desired(&self, chosen: &Chosen, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(config_map(cx.name(), json!({ "color": chosen.spec.color }))?.into())
    }
}

/// The one ConfigMap of each namespace that is called `special`: it needs no label.
#[operator(for = ConfigMap, name = "special.selection.test", field_selector = "metadata.name=special", resources(Twin))]
pub(crate) struct Special;

#[resource]
pub(crate) struct Twin;

impl Manifest for Twin {
    type Operator = Special;
    type Object = ConfigMap;
    async fn desired(&self, original: &ConfigMap, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(config_map(&cx.child_name("twin"), json!(original.data))?.into())
    }
}

const LABEL: &str = "selection.test/chosen";

async fn start(scene: &Scene) -> Running {
    scene.install::<Chosen>().await;
    scene.start(App::new("chosen").operator(|_env| async { Ok(ChosenResources { badge: Badge }) }))
}

async fn make(scene: &Scene, name: &str, label: &str, color: &str) -> Chosen {
    let mut chosen = Chosen::new(name, ChosenSpec { color: color.into() });
    chosen.labels_mut().insert(LABEL.into(), label.into());
    scene.create(&chosen).await
}

async fn change(scene: &Scene, patch: Value) {
    let _changed: Chosen = scene.patch("x", patch).await;
}

fn label(value: &str) -> Value {
    json!({ "metadata": { "labels": { LABEL: value } } })
}

fn color(value: &str) -> Value {
    json!({ "spec": { "color": value } })
}

/// An operator with a chosen and red `x`.
async fn chosen(name: &'static str) -> (Scene, Running) {
    chosen_in(Scene::alone(name).await).await
}

async fn chosen_in(scene: Scene) -> (Scene, Running) {
    let running = start(&scene).await;
    make(&scene, "x", "yes", "red").await;
    let _ready: Chosen = scene.ready("x").await;
    (scene, running)
}

/// Deletes `x`, and waits until it and its child are gone.
async fn let_go(scene: &Scene) {
    scene.delete::<Chosen>("x").await;
    gone(scene).await;
}

async fn gone(scene: &Scene) {
    eventually_gone(&scene.api::<Chosen>(), "x", PATIENCE).await;
    assert_eq!(scene.api::<ConfigMap>().get_opt("x").await.expect("an answer"), None);
}

#[tokio::test(start_paused = true)]
async fn only_what_both_selectors_match_is_touched() {
    let (scene, running) = chosen("selection-both").await;
    make(&scene, "unlabelled", "no", "red").await;
    make(&scene, "blue", "yes", "blue").await;
    tokio::time::sleep(std::time::Duration::from_secs(30)).await;
    for name in ["unlabelled", "blue"] {
        let other: Chosen = scene.api().get(name).await.expect("it exists");
        assert_eq!(other.metadata.finalizers, None, "{name}");
        assert_eq!(scene.api::<ConfigMap>().get_opt(name).await.expect("an answer"), None);
    }
    // One that gets into it later.
    let _red: Chosen = scene.patch("blue", color("red")).await;
    let _ready: Chosen = scene.ready("blue").await;
    running.stop().await;
}

on_both!(an_object_of_an_own_kind_that_left_the_labels_is_not_stuck);

async fn an_object_of_an_own_kind_that_left_the_labels_is_not_stuck(cluster: &'static Cluster) {
    let (scene, running) = chosen_in(Scene::on(cluster, "selection-label").await).await;
    change(&scene, label("no")).await;
    let_go(&scene).await;
    running.stop().await;
}

/// A watch with a selector shows the end of an object as it shows one that left the selection.
#[tokio::test(start_paused = true)]
async fn the_child_of_an_object_that_went_with_our_finalizer_goes_too() {
    let scene = Scene::alone("selection-vanished").await;
    let running = start(&scene).await;
    let made = make(&scene, "x", "yes", "red").await;
    let _ready: Chosen = scene.ready("x").await;
    scene.delete_as_read(&made).await;
    eventually_gone(&scene.api::<ConfigMap>(), "x", PATIENCE).await;
    running.stop().await;
}

/// It left the selection, and somebody let go of it before the operator could read it: that is no such case.
#[tokio::test(start_paused = true)]
async fn the_child_of_an_object_that_was_let_go_of_outside_the_selection_is_left_alone() {
    let (scene, running) = chosen("selection-released").await;
    let reads = Matching::verbs(["get"])
        .resource("chosens.selection.test")
        .user(&scene.user);
    let faults = scene.cluster.faults().expect("the embedded server");
    let silent = faults.add(Fault::new(reads, Effect::internal_error()));
    change(&scene, label("no")).await;
    wait_for("it is read", PATIENCE, async || {
        ensure!(faults.met(silent) > 0);
        Ok(())
    })
    .await;
    change(&scene, json!({ "metadata": { "finalizers": null } })).await;
    scene.delete::<Chosen>("x").await;
    eventually_gone(&scene.api::<Chosen>(), "x", PATIENCE).await;
    faults.remove(silent);
    tokio::time::sleep(std::time::Duration::from_hours(1)).await;
    let child = scene.api::<ConfigMap>().get_opt("x").await.expect("an answer");
    assert!(child.is_some(), "nobody asked for its end");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_object_that_left_the_fields_is_handled_and_not_stuck() {
    let (scene, running) = chosen("selection-field").await;
    change(&scene, color("blue")).await;
    // It carries our finalizer, so it is still ours: the child follows.
    let maps = scene.api::<ConfigMap>();
    eventually(&maps, "x", "is blue", PATIENCE, |map| {
        map.data.as_ref().is_some_and(|data| data["color"] == "blue")
    })
    .await;
    let_go(&scene).await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_object_that_left_the_fields_while_nobody_watched_is_not_stuck() {
    let (scene, running) = chosen("selection-unseen").await;
    running.stop().await;
    change(&scene, color("blue")).await;
    scene.delete::<Chosen>("x").await;
    let running = start(&scene).await;
    gone(&scene).await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_object_of_an_own_kind_that_left_the_labels_while_nobody_watched_is_not_stuck() {
    let (scene, running) = chosen("selection-relabelled").await;
    running.stop().await;
    change(&scene, label("no")).await;
    scene.delete::<Chosen>("x").await;
    let running = start(&scene).await;
    gone(&scene).await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_existing_kind_can_be_selected_by_name_alone() {
    let scene = Scene::alone("selection-name").await;
    let app = App::new("special").operator(|_env| async { Ok(SpecialResources { twin: Twin }) });
    let running = scene.start(app);
    for name in ["ordinary", "special"] {
        scene
            .create(&config_map(name, json!({ "key": "1" })).expect("a ConfigMap"))
            .await;
    }
    let maps = scene.api::<ConfigMap>();
    eventually(&maps, "special-twin", "is made", PATIENCE, |_| true).await;
    tokio::time::sleep(std::time::Duration::from_secs(30)).await;
    assert_eq!(maps.get_opt("ordinary-twin").await.expect("an answer"), None);
    assert_eq!(maps.get("ordinary").await.expect("it exists").metadata.finalizers, None);
    scene.delete::<ConfigMap>("special").await;
    eventually_gone(&maps, "special", PATIENCE).await;
    eventually_gone(&maps, "special-twin", PATIENCE).await;
    running.stop().await;
}
