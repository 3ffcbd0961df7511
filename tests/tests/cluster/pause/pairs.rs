//! An operator's own pause annotations, and a deletion that goes on in a pause.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use operatorkit::{
    k8s_openapi::api::core::v1::ConfigMap,
    prelude::*,
    serde_json::{Value, json, to_value},
};
use operatorkit_testing::{PATIENCE, eventually_gone, wait_for};
use tokio::time::Instant;

use crate::scene::{Running, Scene, condition, config_map, config_maps};

#[operator(
    group = "pause.test",
    version = "v1",
    kind = "Statue",
    namespaced,
    pause("example.com/frozen", "yes"),
    pause("cluster.x-k8s.io/paused", "hold"),
    paused_deletion = "proceed",
    legacy_finalizers("operatorkit.giantswarm.io/statue"),
    resources(Stone)
)]
pub(crate) struct StatueSpec {
    turn: u32,
}

#[resource]
pub(crate) struct Stone;

config_maps!(Stone of Statue: "stone");

async fn start(name: &'static str) -> (Scene, Running) {
    let scene = Scene::alone(name).await;
    scene.install::<Statue>().await;
    let running = scene.start(App::new("statues").operator(|_env| async { Ok(StatueResources { stone: Stone }) }));
    scene.create(&Statue::new("x", StatueSpec { turn: 0 })).await;
    let _ready: Statue = scene.ready("x").await;
    (scene, running)
}

async fn annotate(scene: &Scene, key: &str, value: Value) {
    let patch = json!({ "metadata": { "annotations": { key: value } } });
    let _patched: Statue = scene.patch("x", patch).await;
}

#[tokio::test(start_paused = true)]
async fn own_pairs_pause_and_win_over_the_default_of_the_same_key() {
    let (scene, running) = start("pause-pairs").await;
    for (key, value, by) in [
        ("example.com/frozen", "yes", true),
        ("example.com/frozen", "true", false),
        ("cluster.x-k8s.io/paused", "hold", true),
        ("cluster.x-k8s.io/paused", "true", false),
        ("operatorkit.dev/paused", "true", true),
        ("operatorkit.giantswarm.io/paused", "true", true),
        ("operatorkit.giantswarm.io/paused", "false", false),
    ] {
        annotate(&scene, key, json!(value)).await;
        if by {
            let paused: Statue = scene.condition("x", "Paused", "True", "Paused").await;
            let paused = to_value(paused).expect("JSON");
            let message = condition(&paused, "Paused")["message"].to_string();
            assert!(
                message.contains(key) && message.contains("until it is deleted"),
                "{message}"
            );
        }
        let turned: Statue = scene.patch("x", json!({ "spec": { "turn": 1 } })).await;
        if !by {
            let _ready: Statue = scene.ready("x").await;
        }
        annotate(&scene, key, Value::Null).await;
        let ready = to_value(scene.ready::<Statue>("x").await).expect("JSON");
        assert_ne!(
            condition(&ready, "Paused")["status"],
            "True",
            "{key}={value}: {turned:?}"
        );
        let _turned: Statue = scene.patch("x", json!({ "spec": { "turn": 0 } })).await;
    }
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_pause_does_not_hold_up_a_deletion_that_is_to_proceed() {
    let (scene, running) = start("pause-proceed").await;
    annotate(&scene, "operatorkit.dev/paused", json!("true")).await;
    let _paused: Statue = scene.condition("x", "Paused", "True", "Paused").await;
    let mark = scene.mark().await;
    scene.delete::<Statue>("x").await;
    eventually_gone(&scene.api::<Statue>(), "x", PATIENCE).await;
    assert_eq!(scene.deletions(mark).await, ["configmaps/x-stone"]);
    running.stop().await;
}

/// The annotation is there, and it does not hold up anything: both are said.
#[tokio::test(start_paused = true)]
async fn a_pause_that_does_not_hold_up_a_deletion_is_not_shown_as_one() {
    let (scene, running) = start("pause-lets-go").await;
    let finalizers = |finalizers: Value| json!({ "metadata": { "finalizers": finalizers } });
    let _held: ConfigMap = scene.patch("x-stone", finalizers(json!(["example.com/held"]))).await;
    annotate(&scene, "operatorkit.dev/paused", json!("true")).await;
    let _paused: Statue = scene.condition("x", "Paused", "True", "Paused").await;
    scene.delete::<Statue>("x").await;
    let going: Statue = scene.condition("x", "Deleting", "True", "Terminating").await;
    let going = to_value(going).expect("JSON");
    let paused = condition(&going, "Paused");
    assert_eq!(
        (&paused["status"], &paused["reason"]),
        (&json!("False"), &json!("DeletionProceeds"))
    );
    let message = paused["message"].to_string();
    assert!(message.contains("`operatorkit.dev/paused`"), "{message}");
    let _freed: ConfigMap = scene.patch("x-stone", finalizers(Value::Null)).await;
    eventually_gone(&scene.api::<Statue>(), "x", PATIENCE).await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_pause_is_told_once_also_over_a_restart_and_its_end_is_noticed_at_once() {
    let (scene, running) = start("pause-once").await;
    annotate(&scene, "operatorkit.dev/paused", json!("true")).await;
    let _paused: Statue = scene.condition("x", "Paused", "True", "Paused").await;
    // A paused object that changes is looked at, and nothing is said again.
    let _turned: Statue = scene.patch("x", json!({ "spec": { "turn": 5 } })).await;
    running.stop().await;
    let app = App::new("statues").operator(|_env| async { Ok(StatueResources { stone: Stone }) });
    let running = scene.start(app);
    scene.create(&Statue::new("y", StatueSpec { turn: 0 })).await;
    let _ready: Statue = scene.ready("y").await;

    let began = Instant::now();
    annotate(&scene, "operatorkit.dev/paused", Value::Null).await;
    let _ready: Statue = scene.ready("x").await;
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    running.stop().await;
    let events = scene.events("x").await;
    let told: Vec<_> = events.iter().filter(|event| event["reason"] == "Paused").collect();
    let [event] = told.as_slice() else {
        panic!("exactly one: {events:#?}")
    };
    assert_eq!((&event["type"], &event["series"]), (&json!("Normal"), &Value::Null));
}

/// An operator of a kind that has no conditions.
#[operator(for = ConfigMap, name = "frames.pause.test", selector = "pause.test/frame=true", resources(Frame))]
pub(crate) struct Frames;

#[resource]
pub(crate) struct Frame(Arc<AtomicUsize>);

impl Step for Frame {
    type Operator = Frames;
    type Output = ();
    async fn ensure_created(&self, _map: &ConfigMap, _cx: &Cx<Self>) -> Result<Flow<()>> {
        self.0.fetch_add(1, SeqCst);
        Ok(().into())
    }
}

#[tokio::test(start_paused = true)]
async fn an_object_of_an_existing_kind_pauses_and_says_so_by_an_event() {
    let scene = Scene::alone("pause-existing").await;
    let passes = Arc::<AtomicUsize>::default();
    let frame = Frame(passes.clone());
    let running = scene.start(App::new("frames").operator(|_env| async { Ok(FramesResources { frame }) }));
    let mut map = config_map("x", json!({})).expect("a ConfigMap");
    map.labels_mut().insert("pause.test/frame".into(), "true".into());
    map.annotations_mut()
        .insert("operatorkit.dev/paused".into(), "true".into());
    scene.create(&map).await;
    wait_for("the pause is told", PATIENCE, async || {
        let events = scene.events("x").await;
        operatorkit::anyhow::ensure!(events.iter().any(|event| event["reason"] == "Paused"), "{events:?}");
        Ok(())
    })
    .await;
    assert_eq!(passes.load(SeqCst), 0);
    let patch = json!({ "metadata": { "annotations": { "operatorkit.dev/paused": null } } });
    let _resumed: ConfigMap = scene.patch("x", patch).await;
    wait_for("a pass runs", PATIENCE, async || {
        operatorkit::anyhow::ensure!(passes.load(SeqCst) > 0, "none yet");
        Ok(())
    })
    .await;
    running.stop().await;
}
