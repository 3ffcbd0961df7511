//! What resources answer: each form of `Flow`, errors and panics, in both directions.

mod backwards;
mod errors;
mod forwards;
mod operators;
pub(crate) mod script;

use std::{sync::Arc, time::Duration};

use operatorkit::{
    RunSettings,
    k8s_openapi::api::core::v1::ConfigMap,
    prelude::*,
    serde_json::{Value, json, to_value},
};
use operatorkit_testing::{PATIENCE, eventually_gone};

use self::script::Script;
use crate::scene::{Running, Scene};

/// A diamond of all three traits, and two resources beside it.
#[operator(
    group = "flow.test",
    version = "v1",
    kind = "Play",
    namespaced,
    resources(Begin, Middle, Outside, Finish, Later, Apart)
)]
pub(crate) struct PlaySpec {
    act: u32,
}

const FINALIZER: &str = "operatorkit.dev/plays.flow.test";

/// What all others but `Apart` come after.
#[resource]
pub(crate) struct Begin(Arc<Script>);

impl Step for Begin {
    type Operator = Play;
    type Output = String;
    async fn ensure_created(&self, play: &Play, cx: &Cx<Self>) -> Result<Flow<String>> {
        let flow = self.0.call(&format!("{} create begin", cx.name()), |_| {})?;
        Ok(flow.map(|()| format!("act {}", play.spec.act)))
    }
    async fn ensure_deleted(&self, cx: &DeleteCx<Self>) -> Result<Flow<()>> {
        self.0
            .call(&format!("{} delete begin", cx.name()), |why| cx.keep_finalizer(why))
    }
}

/// A child with what `Begin` said.
#[resource(after(Begin))]
pub(crate) struct Middle(Arc<Script>);

impl Manifest for Middle {
    type Operator = Play;
    type Object = ConfigMap;
    async fn desired(&self, _play: &Play, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        let act = cx.after::<Begin>().output()?;
        let flow = self.0.call(&format!("{} create middle", cx.name()), |_| {})?;
        let map = crate::scene::config_map(&cx.child_name("middle"), json!({ "act": act }))?;
        Ok(flow.map(|()| vec![map]).into())
    }
}

/// What identifies a thing outside.
#[data]
pub(crate) struct Seat {
    number: u32,
}

/// A thing outside that always matches.
#[resource(after(Begin))]
pub(crate) struct Outside(Arc<Script>);

impl External for Outside {
    type Operator = Play;
    type State = Seat;
    async fn find(&self, _token: &Token, _cx: &DeleteCx<Self>) -> Result<Option<Seat>> {
        Ok(None)
    }
    async fn observe(&self, _play: &Play, state: &Seat, cx: &Cx<Self>) -> Result<Flow<Observed<Seat>>> {
        let flow = self.0.call(&format!("{} create outside", cx.name()), |_| {})?;
        Ok(flow.map(|()| Observed::Matches(state.clone())))
    }
    async fn create(&self, _play: &Play, _token: &Token, cx: &Cx<Self>) -> Result<Flow<Seat>> {
        let flow = self.0.call(&format!("{} create outside", cx.name()), |_| {})?;
        Ok(flow.map(|()| Seat { number: 7 }))
    }
    async fn update(&self, _play: &Play, state: &Seat, _cx: &Cx<Self>) -> Result<Flow<Seat>> {
        Ok(state.clone().into())
    }
    async fn delete(&self, _state: &Seat, cx: &DeleteCx<Self>) -> Result<Flow<()>> {
        self.0
            .call(&format!("{} delete outside", cx.name()), |why| cx.keep_finalizer(why))
    }
}

/// Reads all three.
#[resource(after(Begin, Middle, Outside))]
pub(crate) struct Finish(Arc<Script>);

impl Step for Finish {
    type Operator = Play;
    type Output = ();
    async fn ensure_created(&self, _play: &Play, cx: &Cx<Self>) -> Result<Flow<()>> {
        let begin = cx.after::<Begin>().output()?;
        let middle = cx.after::<Middle>().output()?.one()?;
        let outside = cx.after::<Outside>().output()?;
        let act = middle.data.as_ref().map(|data| data["act"].clone()).unwrap_or_default();
        self.0.note(format!(
            "{begin}, {} with {act}, seat {}",
            middle.name_any(),
            outside.number
        ));
        self.0.call(&format!("{} create finish", cx.name()), |_| {})
    }
    async fn ensure_deleted(&self, cx: &DeleteCx<Self>) -> Result<Flow<()>> {
        self.0
            .call(&format!("{} delete finish", cx.name()), |why| cx.keep_finalizer(why))
    }
}

/// Comes after `Begin`, and reads nothing.
#[resource(after(Begin))]
pub(crate) struct Later(Arc<Script>);

impl Step for Later {
    type Operator = Play;
    type Output = ();
    async fn ensure_created(&self, _play: &Play, cx: &Cx<Self>) -> Result<Flow<()>> {
        self.0.call(&format!("{} create later", cx.name()), |_| {})
    }
}

/// Depends on nothing, and nothing on it.
#[resource]
pub(crate) struct Apart(Arc<Script>);

impl Step for Apart {
    type Operator = Play;
    type Output = ();
    async fn ensure_created(&self, _play: &Play, cx: &Cx<Self>) -> Result<Flow<()>> {
        self.0.call(&format!("{} create apart", cx.name()), |_| {})
    }
    async fn ensure_deleted(&self, cx: &DeleteCx<Self>) -> Result<Flow<()>> {
        self.0
            .call(&format!("{} delete apart", cx.name()), |why| cx.keep_finalizer(why))
    }
}

fn app(script: &Arc<Script>) -> App {
    let script = script.clone();
    App::new("plays").operator(|_env| async move {
        Ok(PlayResources {
            begin: Begin(script.clone()),
            middle: Middle(script.clone()),
            outside: Outside(script.clone()),
            finish: Finish(script.clone()),
            later: Later(script.clone()),
            apart: Apart(script),
        })
    })
}

/// The operator, which runs with the default resync period, and its script.
async fn start(name: &'static str) -> (Scene, Arc<Script>, Running) {
    let scene = Scene::alone(name).await;
    scene.install::<Play>().await;
    let script = Script::new();
    let running = scene.start(app(&script));
    (scene, script, running)
}

/// The settings of an operator that comes back to quiet objects soon.
fn resync(scene: &Scene, resync: Duration) -> RunSettings {
    RunSettings {
        namespaces: vec![scene.namespace.clone()],
        resync,
        ..RunSettings::default()
    }
}

impl Scene {
    async fn play(&self, name: &str) {
        self.create(&Play::new(name, PlaySpec { act: 1 })).await;
    }

    async fn next_act(&self, name: &str, act: u32) {
        self.patch::<Play>(name, json!({ "spec": { "act": act } })).await;
    }

    /// Waits until `Ready` is `False` with this reason.
    async fn troubled(&self, name: &str, reason: &str) -> Value {
        to_value(self.condition::<Play>(name, "Ready", "False", reason).await).expect("JSON")
    }

    /// Waits until `Deleting` is `True` with this reason.
    async fn held(&self, name: &str, reason: &str) -> Value {
        let held = to_value(self.condition::<Play>(name, "Deleting", "True", reason).await).expect("JSON");
        assert_eq!(held["metadata"]["finalizers"], json!([FINALIZER]));
        held
    }

    async fn over(&self, name: &str) {
        eventually_gone(&self.api::<Play>(), name, PATIENCE).await;
    }
}

/// The phases of the lines in a status, in the order of the graph.
fn phases(object: &Value) -> Vec<String> {
    let names = ["begin", "middle", "outside", "finish", "later", "apart"];
    let phase = |name: &str| {
        crate::scene::line(object, name)["phase"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    names.map(phase).into()
}
