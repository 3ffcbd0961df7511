//! An operator of an existing kind: it looks at what a selector matches, makes objects of the same kind, and reports by Events.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use operatorkit::{
    RunSettings,
    anyhow::{anyhow, ensure},
    k8s_openapi::api::core::v1::ConfigMap,
    prelude::*,
    serde_json::json,
};
use operatorkit_testing::{PATIENCE, eventually, eventually_gone, wait_for};

use crate::scene::{Running, Scene, config_map};

/// Copies the selected `ConfigMap`s.
#[operator(for = ConfigMap, name = "copies.existing.test", selector = "existing.test/copy=true", resources(Copy, Count))]
pub(crate) struct Copies;

const FINALIZER: &str = "operatorkit.dev/copies.existing.test";
const SELECTED: &str = "existing.test/copy";

/// A copy with all labels, so that the selector matches it, too.
#[resource]
pub(crate) struct Copy;

impl Manifest for Copy {
    type Operator = Copies;
    type Object = ConfigMap;
    async fn desired(&self, original: &ConfigMap, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        let mut copy = config_map(&cx.child_name("copy"), json!(original.data))?;
        copy.metadata.labels.clone_from(&original.metadata.labels);
        Ok(copy.into())
    }
}

/// Which passes there were.
#[derive(Debug, Default)]
pub(crate) struct Passes {
    all: AtomicUsize,
    /// Passes over anything but `x`.
    others: AtomicUsize,
    fail: AtomicBool,
}

#[resource]
pub(crate) struct Count(Arc<Passes>);

impl Step for Count {
    type Operator = Copies;
    type Output = ();
    async fn ensure_created(&self, _original: &ConfigMap, cx: &Cx<Self>) -> Result<Flow<()>> {
        self.0.all.fetch_add(1, SeqCst);
        if cx.name() != "x" {
            self.0.others.fetch_add(1, SeqCst);
        }
        if self.0.fail.load(SeqCst) {
            return Err(anyhow!("it cannot be counted").reason("Uncountable"));
        }
        Ok(().into())
    }
}

fn start(scene: &Scene, passes: &Arc<Passes>) -> Running {
    let passes = passes.clone();
    let app = App::new("copies").operator(|_env| async {
        Ok(CopiesResources {
            copy: Copy,
            count: Count(passes),
        })
    });
    let settings = RunSettings {
        namespaces: vec![scene.namespace.clone()],
        resync: Duration::from_millis(200),
        ..RunSettings::default()
    };
    scene.start_with(app, settings)
}

async fn make(scene: &Scene, name: &str, selected: bool) {
    let mut original = config_map(name, json!({ "key": "value" })).expect("a ConfigMap");
    original.labels_mut().insert(SELECTED.into(), selected.to_string());
    scene.create(&original).await;
}

/// An operator with a copied `x`.
async fn copied(name: &'static str) -> (Scene, Arc<Passes>, Running) {
    let scene = Scene::alone(name).await;
    let passes = Arc::default();
    let running = start(&scene, &passes);
    make(&scene, "y", false).await;
    make(&scene, "x", true).await;
    eventually(&scene.api::<ConfigMap>(), "x-copy", "is made", PATIENCE, |_| true).await;
    (scene, passes, running)
}

impl Passes {
    /// Waits until there were so many more passes.
    async fn more(&self, number: usize) {
        let before = self.all.load(SeqCst);
        wait_for("there were more passes", PATIENCE, async || {
            ensure!(self.all.load(SeqCst) >= before + number);
            Ok(())
        })
        .await;
    }
}

impl Scene {
    async fn finalizers(&self, name: &str) -> Vec<String> {
        let found = self.api::<ConfigMap>().get(name).await.expect("it exists");
        found.metadata.finalizers.unwrap_or_default()
    }

    async fn deselect(&self) {
        self.patch::<ConfigMap>("x", json!({ "metadata": { "labels": { SELECTED: "false" } } }))
            .await;
    }

    /// Waits until `x` and its copy are gone.
    async fn all_gone(&self) {
        eventually_gone(&self.api::<ConfigMap>(), "x", PATIENCE).await;
        assert_eq!(
            self.api::<ConfigMap>().get_opt("x-copy").await.expect("an answer"),
            None
        );
    }
}

#[tokio::test(start_paused = true)]
async fn only_what_is_selected_is_touched_and_children_are_never_objects() {
    let (scene, passes, running) = copied("existing-selector").await;
    passes.more(5).await;
    assert_eq!(passes.others.load(SeqCst), 0);
    assert_eq!(scene.finalizers("x").await, [FINALIZER]);
    for name in ["y", "x-copy"] {
        assert_eq!(scene.finalizers(name).await, Vec::<String>::new(), "{name}");
    }
    let copy = scene.api::<ConfigMap>().get("x-copy").await.expect("it exists");
    assert_eq!(copy.labels()[SELECTED], "true", "else this test shows nothing");
    for name in ["y-copy", "x-copy-copy"] {
        assert_eq!(scene.api::<ConfigMap>().get_opt(name).await.expect("an answer"), None);
    }
    scene.delete::<ConfigMap>("x").await;
    scene.all_gone().await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn what_is_selected_later_is_copied() {
    let (scene, _passes, running) = copied("existing-later").await;
    scene
        .patch::<ConfigMap>("y", json!({ "metadata": { "labels": { SELECTED: "true" } } }))
        .await;
    eventually(&scene.api::<ConfigMap>(), "y-copy", "is made", PATIENCE, |_| true).await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_object_that_left_the_selector_is_not_stuck_when_it_is_deleted() {
    let (scene, passes, running) = copied("existing-left").await;
    scene.deselect().await;
    passes.more(2).await;
    scene.delete::<ConfigMap>("x").await;
    scene.all_gone().await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_object_that_left_the_selector_while_nobody_watched_is_not_stuck() {
    let (scene, passes, running) = copied("existing-unseen").await;
    running.stop().await;
    scene.deselect().await;
    scene.delete::<ConfigMap>("x").await;
    // No watch shows it; its child tells of it.
    let running = start(&scene, &passes);
    scene.all_gone().await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_object_that_left_the_selector_is_not_stuck_after_a_pause() {
    let (scene, passes, running) = copied("existing-paused").await;
    scene.deselect().await;
    passes.more(2).await;
    let pause = |value: operatorkit::serde_json::Value| json!({ "metadata": { "annotations": { "operatorkit.dev/paused": value } } });
    scene.patch::<ConfigMap>("x", pause("true".into())).await;
    wait_for("an Event says that it is paused", PATIENCE, async || {
        ensure!(scene.events("x").await.iter().any(|event| event["reason"] == "Paused"));
        Ok(())
    })
    .await;
    scene.delete::<ConfigMap>("x").await;
    scene.patch::<ConfigMap>("x", pause(json!(null))).await;
    scene.all_gone().await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn it_reports_by_events_only() {
    let (scene, passes, running) = copied("existing-events").await;
    let start = scene.mark().await;
    passes.fail.store(true, SeqCst);
    wait_for("an Event says so", PATIENCE, async || {
        let events = scene.events("x").await;
        let found = events.iter().find(|event| event["reason"] == "Uncountable");
        ensure!(
            found.is_some_and(|event| event["note"] == "count: it cannot be counted"),
            "{events:?}"
        );
        Ok(())
    })
    .await;
    let writes = scene
        .requests(start)
        .await
        .writes()
        .filter(|request| request.object.resource != "events");
    assert!(writes.is_empty(), "{writes}");
    running.stop().await;
}
