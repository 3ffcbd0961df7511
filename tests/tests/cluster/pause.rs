//! A paused object is not touched, its deletion included, and that is shown.

mod pairs;

use std::time::Duration;

use operatorkit::{
    anyhow::ensure,
    k8s_openapi::api::core::v1::ConfigMap,
    prelude::*,
    serde_json::{Value, json, to_value},
};
use operatorkit_testing::{PATIENCE, eventually, eventually_gone, wait_for};

use crate::scene::{Running, Scene, condition, config_map, next_second};

#[operator(group = "pause.test", version = "v1", kind = "Sleeper", namespaced, resources(Dream))]
pub(crate) struct SleeperSpec {
    dream: String,
}

#[resource]
pub(crate) struct Dream;

impl Manifest for Dream {
    type Operator = Sleeper;
    type Object = ConfigMap;
    async fn desired(&self, sleeper: &Sleeper, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(config_map(cx.name(), json!({ "dream": sleeper.spec.dream }))?.into())
    }
}

async fn start(name: &'static str) -> (Scene, Running) {
    let scene = Scene::alone(name).await;
    scene.install::<Sleeper>().await;
    let app = App::new("sleepers").operator(|_env| async { Ok(SleeperResources { dream: Dream }) });
    let running = scene.start(app);
    scene.sleeper("x").await;
    (scene, running)
}

impl Scene {
    async fn sleeper(&self, name: &str) {
        self.create(&Sleeper::new(name, SleeperSpec { dream: "one".into() }))
            .await;
        let _ready: Sleeper = self.ready(name).await;
    }

    async fn annotate(&self, key: &str, value: Value) {
        self.patch::<Sleeper>("x", json!({ "metadata": { "annotations": { key: value } } }))
            .await;
    }

    async fn dream(&self, dream: &str) {
        self.patch::<Sleeper>("x", json!({ "spec": { "dream": dream } })).await;
    }

    /// Waits until the child says this.
    async fn dreams(&self, dream: &str) {
        eventually(
            &self.api::<ConfigMap>(),
            "x",
            &format!("dreams {dream}"),
            PATIENCE,
            |child| child.data.as_ref().is_some_and(|data| data["dream"] == dream),
        )
        .await;
    }

    /// Lets the operator do all that it wants: an object that is made later is ready.
    async fn meanwhile(&self, other: &str) {
        self.sleeper(other).await;
    }
}

#[tokio::test(start_paused = true)]
async fn both_keys_pause_with_the_value_true() {
    for (name, key) in [
        ("pause-own", "operatorkit.dev/paused"),
        ("pause-capi", "cluster.x-k8s.io/paused"),
    ] {
        let (scene, running) = start(name).await;
        scene.annotate(key, json!("true")).await;
        let paused = to_value(scene.condition::<Sleeper>("x", "Paused", "True", "Paused").await).expect("JSON");
        assert_eq!(
            condition(&paused, "Ready")["status"],
            "True",
            "as it was found before the pause"
        );

        let mark = scene.mark().await;
        scene.dream("two").await;
        scene.meanwhile("y").await;
        let touched = scene.requests(mark).await.filter(|request| request.object.name == "x");
        assert!(touched.is_empty(), "{touched}");
        let object = to_value(scene.api::<Sleeper>().get("x").await.expect("it exists")).expect("JSON");
        assert_eq!(
            object["status"]["observedGeneration"], 1,
            "the new spec was not looked at"
        );

        scene.annotate(key, Value::Null).await;
        scene.dreams("two").await;
        let ready = to_value(scene.ready::<Sleeper>("x").await).expect("JSON");
        let over = condition(&ready, "Paused");
        assert_eq!(
            (&over["status"], &over["reason"]),
            (&json!("False"), &json!("NotPaused"))
        );
        running.stop().await;
        let events = scene.events("x").await;
        assert!(
            events
                .iter()
                .any(|event| event["reason"] == "Paused" && event["type"] == "Normal"),
            "{events:#?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn no_other_value_and_no_other_key_pauses() {
    let (scene, running) = start("pause-not").await;
    let not = [
        ("operatorkit.dev/paused", "false"),
        ("operatorkit.dev/paused", ""),
        ("operatorkit.dev/paused", "True"),
        ("cluster.x-k8s.io/paused", " true"),
        ("operatorkit.dev/Paused", "true"),
        ("example.com/paused", "true"),
    ];
    for (number, (key, value)) in not.into_iter().enumerate() {
        scene.annotate(key, json!(value)).await;
        let dream = format!("dream {number}");
        scene.dream(&dream).await;
        scene.dreams(&dream).await;
        let ready = to_value(scene.ready::<Sleeper>("x").await).expect("JSON");
        assert_eq!(condition(&ready, "Paused"), Value::Null, "{key}={value:?}");
        scene.annotate(key, Value::Null).await;
    }
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_paused_object_is_not_deleted_and_that_is_seen() {
    let (scene, running) = start("pause-delete").await;
    scene.annotate("operatorkit.dev/paused", json!("true")).await;
    let _paused: Sleeper = scene.condition("x", "Paused", "True", "Paused").await;
    let mark = scene.mark().await;
    scene.delete::<Sleeper>("x").await;
    scene.meanwhile("y").await;
    assert_eq!(scene.deletions(mark).await, Vec::<String>::new());
    let held = scene.api::<Sleeper>().get("x").await.expect("it is held");
    assert_eq!(
        held.metadata.finalizers.as_deref(),
        Some(&["operatorkit.dev/sleepers.pause.test".to_owned()][..])
    );
    let held = to_value(held).expect("JSON");
    let message = condition(&held, "Paused")["message"]
        .as_str()
        .expect("a text")
        .to_owned();
    assert!(message.contains("its deletion included"), "{message}");

    scene.annotate("operatorkit.dev/paused", Value::Null).await;
    eventually_gone(&scene.api::<Sleeper>(), "x", PATIENCE).await;
    assert_eq!(scene.deletions(mark).await, ["configmaps/x"]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_object_that_is_made_paused_is_left_alone_until_it_is_not() {
    let (scene, running) = start("pause-new").await;
    let mut object = Sleeper::new("z", SleeperSpec { dream: "none".into() });
    object
        .annotations_mut()
        .insert("operatorkit.dev/paused".into(), "true".into());
    scene.create(&object).await;
    let paused: Sleeper = scene.condition("z", "Paused", "True", "Paused").await;
    assert_eq!(paused.metadata.finalizers, None);
    assert_eq!(scene.api::<ConfigMap>().get_opt("z").await.expect("an answer"), None);
    scene
        .patch::<Sleeper>(
            "z",
            json!({ "metadata": { "annotations": { "operatorkit.dev/paused": null } } }),
        )
        .await;
    let _ready: Sleeper = scene.ready("z").await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_second_pause_is_told_again() {
    let (scene, running) = start("pause-again").await;
    let key = "operatorkit.dev/paused";
    scene.annotate(key, json!("true")).await;
    let first = to_value(scene.condition::<Sleeper>("x", "Paused", "True", "Paused").await).expect("JSON");
    scene.annotate(key, Value::Null).await;
    let _over: Sleeper = scene.condition("x", "Paused", "False", "NotPaused").await;
    next_second();
    scene.annotate(key, json!("true")).await;
    let second = to_value(scene.condition::<Sleeper>("x", "Paused", "True", "Paused").await).expect("JSON");
    let times = [&first, &second].map(|object| condition(object, "Paused")["lastTransitionTime"].clone());
    assert_ne!(times[0], times[1]);

    // Its Event is the first one's repeat; repeats are written after a while, with the next one.
    wait_for("the Event is repeated", PATIENCE, async || {
        tokio::time::sleep(Duration::from_secs(1)).await;
        scene.annotate(key, Value::Null).await;
        let _over: Sleeper = scene.condition("x", "Paused", "False", "NotPaused").await;
        scene.annotate(key, json!("true")).await;
        let _paused: Sleeper = scene.condition("x", "Paused", "True", "Paused").await;
        let events = scene.events("x").await;
        ensure!(
            events.iter().any(|event| event["series"]["count"].as_i64() >= Some(2)),
            "{events:?}"
        );
        Ok(())
    })
    .await;
    running.stop().await;
}
