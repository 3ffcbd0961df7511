//! What a layer, or a resource, answers before and between operations.

use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use operatorkit::{
    anyhow::ensure,
    layer::{Layer, Next, Operation, Recorder, Verb},
    prelude::*,
    serde_json::json,
};
use operatorkit_testing::{PATIENCE, eventually_gone, wait_for};

use super::{
    Gate,
    thing::{Provider, Thing, app},
};
use crate::{
    flow::script::{Answer, Script},
    scene::{Running, Scene, line},
};

/// Five resources, one after another.
#[operator(
    group = "layers.test",
    version = "v1",
    kind = "Chain",
    namespaced,
    resources(One, Two, Three, Four, Five)
)]
pub(crate) struct ChainSpec {}

macro_rules! link {
    ($($order:literal $link:ident $name:literal),+) => {$(
        #[resource(order = $order)]
        pub(crate) struct $link(Arc<Script>);

        impl Step for $link {
            type Operator = Chain;
            type Output = ();
            async fn ensure_created(&self, _chain: &Chain, _cx: &Cx<Self>) -> Result<Flow<()>> {
                self.0.call(concat!("create ", $name), |_| {})
            }
            async fn ensure_deleted(&self, cx: &DeleteCx<Self>) -> Result<Flow<()>> {
                self.0.call(concat!("delete ", $name), |why| cx.keep_finalizer(why))
            }
        }
    )+};
}
link!(1 One "one", 2 Two "two", 3 Three "three", 4 Four "four", 5 Five "five");

async fn chain(name: &'static str, layer: impl Layer) -> (Scene, Arc<Script>, Recorder, Running) {
    let scene = Scene::alone(name).await;
    scene.install::<Chain>().await;
    let (script, recorder) = (Script::new(), Recorder::new());
    let links = script.clone();
    let app = App::new("chains")
        .layer(recorder.clone())
        .layer(layer)
        .operator(|_env| async move {
            Ok(ChainResources {
                one: One(links.clone()),
                two: Two(links.clone()),
                three: Three(links.clone()),
                four: Four(links.clone()),
                five: Five(links),
            })
        });
    let running = scene.start(app);
    (scene, script, recorder, running)
}

/// The lines of the first pass since the recorder was cleared.
fn first(recorder: &Recorder, lines: usize) -> Vec<String> {
    recorder.lines().into_iter().take(lines).collect()
}

#[tokio::test(start_paused = true)]
async fn a_cancel_in_the_third_of_five_resources_stops_the_later_ones() {
    let (scene, script, recorder, running) = chain("layers-cancel", Gate::default()).await;
    script.on("create three", Answer::Cancel);
    scene.create(&Chain::new("x", ChainSpec {})).await;
    let _cancelled: Chain = scene.condition("x", "Ready", "False", "Cancelled").await;
    assert_eq!(
        first(&recorder, 3),
        [
            "one ensure_created: ready",
            "two ensure_created: ready",
            "three ensure_created: cancel"
        ]
    );
    assert_eq!((script.count("create four"), script.count("create five")), (0, 0));
    script.heal();
    let _ready: Chain = scene.ready("x").await;

    script.on("delete three", Answer::Cancel);
    scene.delete::<Chain>("x").await;
    let _held: Chain = scene.condition("x", "Deleting", "True", "Cancelled").await;
    assert_eq!(
        (
            script.count("delete five"),
            script.count("delete two"),
            script.count("delete one")
        ),
        (script.count("delete three"), 0, 0)
    );
    script.heal();
    eventually_gone(&scene.api::<Chain>(), "x", PATIENCE).await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_skip_in_the_third_of_five_resources_leaves_the_later_ones_running() {
    let (scene, script, recorder, running) = chain("layers-skip", Gate::default()).await;
    script.on("create three", Answer::Skip);
    script.on("delete three", Answer::Skip);
    scene.create(&Chain::new("x", ChainSpec {})).await;
    let ready: Chain = scene.ready("x").await;
    let ready = operatorkit::serde_json::to_value(ready).expect("JSON");
    assert_eq!(line(&ready, "three")["phase"], "Skipped");
    assert_eq!(
        first(&recorder, 5)[2..],
        [
            "three ensure_created: skip",
            "four ensure_created: ready",
            "five ensure_created: ready"
        ]
    );
    recorder.clear();
    scene.delete::<Chain>("x").await;
    eventually_gone(&scene.api::<Chain>(), "x", PATIENCE).await;
    assert_eq!(
        first(&recorder, 5)[2..],
        [
            "three ensure_deleted: skip",
            "two ensure_deleted: ready",
            "one ensure_deleted: ready"
        ]
    );
    running.stop().await;
}

/// Panics around one resource.
struct Broken;

impl Layer for Broken {
    fn call<'a>(&'a self, operation: &'a Operation<'a>, next: Next<'a>) -> BoxFuture<'a, Result<Flow<()>>> {
        assert_ne!(operation.resource, "two", "no layer for this one");
        next.run()
    }
}

#[tokio::test(start_paused = true)]
async fn a_panic_in_a_layer_is_an_error_of_its_resource() {
    let (scene, script, _recorder, running) = chain("layers-panic", Broken).await;
    scene.create(&Chain::new("x", ChainSpec {})).await;
    let failed: Chain = scene.condition("x", "Ready", "False", "Panicked").await;
    let failed = operatorkit::serde_json::to_value(failed).expect("JSON");
    assert_eq!(line(&failed, "one")["phase"], "Ready");
    assert!(
        line(&failed, "two")["message"]
            .to_string()
            .contains("no layer for this one"),
        "{failed}"
    );
    assert!(script.count("create one") >= 1 && script.count("create two") == 0);
    running.stop().await;
}

/// Notes whose operation it is.
#[derive(Clone, Default)]
struct Whose(Arc<Mutex<Vec<String>>>);

impl Layer for Whose {
    fn call<'a>(&'a self, operation: &'a Operation<'a>, next: Next<'a>) -> BoxFuture<'a, Result<Flow<()>>> {
        let Operation {
            controller,
            kind,
            resource,
            verb,
            backwards,
            namespace,
            name,
            uid,
            ..
        } = operation;
        let (namespace, uid) = (namespace.unwrap_or_default(), uid.len());
        let line = format!("{controller} {kind} {namespace}/{name} {uid} {resource} {verb} {backwards}");
        self.0.lock().expect("no panic").push(line);
        next.run()
    }
}

#[tokio::test(start_paused = true)]
async fn a_layer_sees_whose_operation_it_is() {
    let whose = Whose::default();
    let (scene, _script, _recorder, running) = chain("layers-whose", whose.clone()).await;
    scene.create(&Chain::new("x", ChainSpec {})).await;
    let _ready: Chain = scene.ready("x").await;
    scene.delete::<Chain>("x").await;
    eventually_gone(&scene.api::<Chain>(), "x", PATIENCE).await;
    let seen = whose.0.lock().expect("no panic").clone();
    let object = format!("chains.layers.test Chain {}/x 36", scene.namespace);
    assert_eq!(seen[0], format!("{object} one ensure_created false"));
    assert_eq!(seen[seen.len() - 1], format!("{object} one ensure_deleted true"));
    running.stop().await;
}

/// A layer answers `Cancel` before each operation of an `External` in turn; Go's *cancel in the middle of its steps*.
#[tokio::test(start_paused = true)]
async fn a_cancel_before_any_step_of_an_external_stops_the_later_ones() {
    let scene = Scene::alone("layers-steps").await;
    scene.install::<Thing>().await;
    let (provider, gate, recorder) = (Provider::new(), Gate::default(), Recorder::new());
    let running = scene.start(app(&provider).layer(recorder.clone()).layer(gate.clone()));
    let cancelled = async |verb: Verb, before: &[&'static str]| {
        let end = format!("net {verb}: cancel");
        wait_for(&end, PATIENCE, async || {
            ensure!(recorder.lines().contains(&end), "{:?}", recorder.lines());
            Ok(())
        })
        .await;
        let lines = recorder.lines();
        let at = lines.iter().position(|line| *line == end).expect("it was there");
        // Nothing of the same pass comes after it: another pass begins anew.
        let next = lines.get(at + 1).map_or("net wanted", String::as_str);
        assert!(next.starts_with("net wanted") || next.ends_with("cancel"), "{lines:?}");
        assert_eq!(
            provider.calls().into_iter().take(before.len()).collect::<Vec<_>>(),
            before,
            "{verb}"
        );
        assert_eq!(provider.count(verb.as_str()), 0, "{verb}: {:?}", provider.calls());
        provider.forget_calls();
        recorder.clear();
    };

    gate.before(Verb::Wanted);
    scene.thing("x").await;
    cancelled(Verb::Wanted, &[]).await;
    gate.before(Verb::Create);
    cancelled(Verb::Create, &["wanted"]).await;
    // An intent is stored now.
    gate.before(Verb::Find);
    cancelled(Verb::Find, &["wanted"]).await;
    gate.open();
    let _ready: Thing = scene.ready("x").await;

    for (size, verb, before) in [
        (2, Verb::Observe, &["wanted"][..]),
        (3, Verb::Update, &["wanted", "observe"]),
    ] {
        provider.forget_calls();
        recorder.clear();
        gate.before(verb);
        scene.patch::<Thing>("x", json!({ "spec": { "size": size } })).await;
        cancelled(verb, before).await;
    }
    assert_eq!(provider.sizes(), [1], "neither was changed");
    gate.open();
    let _ready: Thing = scene.ready("x").await;
    assert_eq!(provider.sizes(), [3]);

    provider.forget_calls();
    recorder.clear();
    gate.before(Verb::Delete);
    scene.delete::<Thing>("x").await;
    cancelled(Verb::Delete, &[]).await;
    assert_eq!(provider.sizes(), [3], "it is still there");
    gate.open();
    eventually_gone(&scene.api::<Thing>(), "x", PATIENCE).await;
    assert!(provider.sizes().is_empty());
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_cancel_before_find_at_a_deletion_keeps_the_intent_and_the_finalizer() {
    let scene = Scene::alone("layers-find").await;
    scene.install::<Thing>().await;
    let (provider, gate) = (Provider::new(), Gate::default());
    let running = scene.start(app(&provider).layer(gate.clone()));
    gate.before(Verb::Create);
    scene.thing("x").await;
    let _cancelled: Thing = scene.condition("x", "Ready", "False", "Cancelled").await;
    gate.before(Verb::Find);
    scene.delete::<Thing>("x").await;
    let held: Thing = scene.condition("x", "Deleting", "True", "Cancelled").await;
    let held = operatorkit::serde_json::to_value(held).expect("JSON");
    assert!(
        held["status"]["operatorkit"]["state"]["net"]["uid"].is_string(),
        "{held}"
    );
    gate.open();
    eventually_gone(&scene.api::<Thing>(), "x", PATIENCE).await;
    running.stop().await;
}
