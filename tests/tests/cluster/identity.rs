//! Whose a child is: foreign objects, replaced objects, dead incarnations, copied marks.

mod several;

use operatorkit::{
    anyhow::ensure,
    k8s_openapi::api::core::v1::ConfigMap,
    kube::api::{Patch, PatchParams},
    prelude::*,
    serde_json::{Value, from_str, json, to_string, to_value},
};
use operatorkit_testing::{Cluster, PATIENCE, eventually, eventually_gone, wait_for};

use crate::kubectl::Kubectl;
use crate::scene::{Running, Scene, condition, config_map, config_maps, line};

#[operator(
    group = "identity.test",
    version = "v1",
    kind = "Twin",
    namespaced,
    resources(Left, Right)
)]
pub(crate) struct TwinSpec {}

#[resource(order = 1)]
pub(crate) struct Left;
config_maps!(Left of Twin: "left");

#[resource(order = 1)]
pub(crate) struct Right;
config_maps!(Right of Twin: "right");

const FINALIZER: &str = "operatorkit.dev/twins.identity.test";

/// Each test has a namespace of its own, which its operator is limited to.
async fn twins(scene: &Scene) -> Running {
    scene.install::<Twin>().await;
    scene.start(app())
}

fn app() -> App {
    App::new("twins").operator(|_env| async {
        Ok(TwinResources {
            left: Left,
            right: Right,
        })
    })
}

fn twin(name: &str) -> Twin {
    Twin::new(name, TwinSpec {})
}

/// The UIDs of both children.
async fn uids(scene: &Scene) -> Vec<Option<String>> {
    let left = scene.api::<ConfigMap>().get("x-left").await.expect("it is there");
    let right = scene.api::<ConfigMap>().get("x-right").await.expect("it is there");
    vec![left.uid(), right.uid()]
}

async fn assert_event(scene: &Scene, object: &str, reason: &str, part: &str) {
    let what = format!("an Event {reason} about {object}");
    wait_for(&what, PATIENCE, async || {
        let events = scene.events(object).await;
        let is =
            |event: &Value| event["reason"] == reason && event["note"].as_str().is_some_and(|it| it.contains(part));
        ensure!(events.iter().any(is), "{}", json!(events));
        Ok(())
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_foreign_object_with_a_childs_name_is_left_alone() {
    let scene = Scene::alone("collision").await;
    let running = twins(&scene).await;
    let mut foreign = Vec::new();
    for name in ["x-left", "y-left"] {
        foreign.push(
            scene
                .create(&config_map(name, json!({ "by": "others" })).unwrap())
                .await,
        );
        scene.create(&twin(&name[..1])).await;
    }
    for (name, foreign) in ["x", "y"].into_iter().zip(&foreign) {
        let shown: Twin = scene.condition(name, "Ready", "False", "NameCollision").await;
        let shown = to_value(&shown).unwrap();
        assert_eq!(line(&shown, "left")["phase"], "Failed", "{shown}");
        assert_eq!(line(&shown, "right")["phase"], "Ready", "the others go on: {shown}");
        let message = condition(&shown, "Ready")["message"].as_str().unwrap().to_owned();
        assert!(message.contains(&format!("{name}-left exists already")), "{message}");
        assert_event(&scene, name, "NameCollision", "-left exists already").await;
        let live = scene.api::<ConfigMap>().get(&format!("{name}-left")).await.unwrap();
        assert_eq!(live, *foreign, "nothing is written to it");
    }

    // Deleting an object does not touch it either.
    let start = scene.mark().await;
    scene.delete::<Twin>("y").await;
    eventually_gone(&scene.api::<Twin>(), "y", PATIENCE).await;
    assert_eq!(scene.deletions(start).await, ["configmaps/y-right"]);
    assert_eq!(scene.api::<ConfigMap>().get("y-left").await.unwrap(), foreign[1]);

    // Its owner removes the other one: the child appears.
    scene.delete::<ConfigMap>("x-left").await;
    let _ready: Twin = scene.ready("x").await;
    let child = scene.api::<ConfigMap>().get("x-left").await.unwrap();
    assert_ne!(child.uid(), foreign[0].uid());
    running.stop().await;
}

async fn an_object_replaced_by_force_gets_its_children_back(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "replaced").await;
    let Some(kubectl) = Kubectl::new(cluster, &scene.namespace) else {
        return;
    };
    let running = twins(&scene).await;
    scene.create(&twin("x")).await;
    let old: Twin = scene.ready("x").await;
    let before = uids(&scene).await;

    let x = to_string(&twin("x")).unwrap();
    let _said = kubectl.say(&["replace", "--force", "--filename=-"], &x).await;

    let new: Twin = scene.ready("x").await;
    assert_ne!(new.uid(), old.uid());
    let after = uids(&scene).await;
    assert!(before.iter().all(|uid| !after.contains(uid)), "{before:?} {after:?}");
    let owner = format!("operatorkit.dev/owner-uid={}", new.uid().unwrap());
    assert_eq!(scene.children::<ConfigMap>(&owner).await.len(), 2);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn the_children_of_a_dead_incarnation_are_taken_over() {
    let scene = Scene::alone("dead").await;
    let running = twins(&scene).await;
    scene.create(&twin("x")).await;
    let old: Twin = scene.ready("x").await;
    let before = uids(&scene).await;
    running.stop().await;
    // Somebody helps themselves.
    let _stripped: Twin = scene.patch("x", json!({ "metadata": { "finalizers": null } })).await;
    scene.delete::<Twin>("x").await;
    eventually_gone(&scene.api::<Twin>(), "x", PATIENCE).await;
    let new = scene.create(&twin("x")).await;
    assert_ne!(new.uid(), old.uid());

    let running = scene.start(app());
    let _ready: Twin = scene.ready("x").await;
    assert_eq!(uids(&scene).await, before, "taken over, not made anew");
    assert_event(&scene, "x", "TookOver", &old.uid().unwrap()).await;
    for child in ["x-left", "x-right"] {
        let child = scene.api::<ConfigMap>().get(child).await.unwrap();
        let mark: Value = from_str(&child.annotations()["operatorkit.dev/mark"]).unwrap();
        assert_eq!(mark["uid"], json!(new.uid()), "{mark}");
        assert_eq!(child.labels().get("operatorkit.dev/owner-uid"), new.uid().as_ref());
    }
    scene.delete::<Twin>("x").await;
    eventually_gone(&scene.api::<Twin>(), "x", PATIENCE).await;
    assert!(
        scene
            .children::<ConfigMap>("operatorkit.dev/owner-uid")
            .await
            .is_empty()
    );
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_copied_mark_proves_nothing() {
    let scene = Scene::alone("copied").await;
    let running = twins(&scene).await;
    scene.create(&twin("x")).await;
    let _ready: Twin = scene.ready("x").await;

    // Labels and annotations of a child, on an object of no child's name, and on one of another child's name.
    let child = scene.api::<ConfigMap>().get("x-left").await.unwrap();
    let mut copies = Vec::new();
    for name in ["copy", "y-left"] {
        let mut copy = config_map(name, json!({ "by": "others" })).unwrap();
        copy.metadata.labels.clone_from(&child.metadata.labels);
        copy.metadata.annotations.clone_from(&child.metadata.annotations);
        copies.push(scene.create(&copy).await);
    }
    scene.create(&twin("y")).await;
    let shown: Twin = scene.condition("y", "Ready", "False", "NameCollision").await;
    let message = condition(&to_value(&shown).unwrap(), "Ready")["message"].clone();
    assert!(message.as_str().unwrap().contains("its mark was copied"), "{message}");

    let start = scene.mark().await;
    // A pass with the copies in view neither prunes them nor is kept from being ready by them.
    let child = eventually(&scene.api::<ConfigMap>(), "x-right", "is there", PATIENCE, |_| true).await;
    scene.delete::<ConfigMap>("x-right").await;
    let again = eventually(&scene.api::<ConfigMap>(), "x-right", "is made again", PATIENCE, |it| {
        it.uid() != child.uid()
    })
    .await;
    assert!(again.uid().is_some());
    scene.delete::<Twin>("x").await;
    scene.delete::<Twin>("y").await;
    eventually_gone(&scene.api::<Twin>(), "x", PATIENCE).await;
    eventually_gone(&scene.api::<Twin>(), "y", PATIENCE).await;
    let mut deletions = scene.deletions(start).await;
    deletions.sort();
    assert_eq!(
        deletions,
        ["configmaps/x-left", "configmaps/x-right", "configmaps/y-right"]
    );
    running.stop().await;
    let events = scene.events("x").await;
    let released = events.iter().any(|event| event["reason"] == "Released");
    assert!(!released, "nobody released anything: {}", json!(events));
    for copy in copies {
        assert_eq!(scene.api::<ConfigMap>().get(&copy.name_any()).await.unwrap(), copy);
    }
}

#[tokio::test(start_paused = true)]
async fn a_finalizer_taken_off_by_hand_comes_back() {
    let scene = Scene::alone("stripped").await;
    let running = twins(&scene).await;
    scene.create(&twin("x")).await;
    let _ready: Twin = scene.ready("x").await;
    let strip = Patch::Merge(json!({ "metadata": { "finalizers": null } }));
    scene
        .api::<Twin>()
        .patch("x", &PatchParams::default(), &strip)
        .await
        .unwrap();
    eventually(
        &scene.api::<Twin>(),
        "x",
        "has our finalizer again",
        PATIENCE,
        |object| object.finalizers().iter().any(|finalizer| finalizer == FINALIZER),
    )
    .await;
    running.stop().await;
}

crate::servers::on_both!(an_object_replaced_by_force_gets_its_children_back);
