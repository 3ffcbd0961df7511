//! The value of a pass: made once, given to all, and nobody else's trouble.

use std::sync::{
    Arc, Mutex, MutexGuard,
    atomic::{AtomicUsize, Ordering::SeqCst},
};

use operatorkit::{
    anyhow::{anyhow, ensure},
    k8s_openapi::api::core::v1::ConfigMap,
    kube::api::{DeleteParams, PatchParams},
    prelude::*,
    serde::{Deserialize as _, Deserializer, de::Error as _},
    serde_json::{json, to_value},
};
use operatorkit_testing::{PATIENCE, eventually_gone, wait_for};

use crate::scene::{Running, Scene, config_map, line};

#[operator(
    group = "value.test",
    version = "v1",
    kind = "Crew",
    namespaced,
    value = Sessions,
    resources(Captain, Cook, Stowaway)
)]
pub(crate) struct CrewSpec {
    /// Whether anybody asks for a session.
    asks: bool,
    #[serde(default, deserialize_with = "mood")]
    mood: Option<String>,
}

/// Anything but `spoilt`.
fn mood<'de, D: Deserializer<'de>>(from: D) -> std::result::Result<Option<String>, D::Error> {
    match Option::<String>::deserialize(from)? {
        Some(mood) if mood == "spoilt" => Err(D::Error::custom("it is spoilt")),
        mood => Ok(mood),
    }
}

/// What happened.
#[derive(Debug, Default)]
struct Log {
    serial: AtomicUsize,
    /// Of which objects no session can be made.
    closed: Mutex<Vec<String>>,
    lines: Mutex<Vec<String>>,
}

impl Log {
    fn lines(&self) -> MutexGuard<'_, Vec<String>> {
        self.lines.lock().expect("no panic")
    }

    fn count(&self, line: &str) -> usize {
        self.lines().iter().filter(|known| known.starts_with(line)).count()
    }
}

/// Makes sessions.
pub(crate) struct Sessions(Arc<Log>);

#[derive(Debug)]
pub(crate) struct Session {
    serial: usize,
}

impl Sessions {
    fn open(&self, name: &str) -> Result<Session> {
        if self
            .0
            .closed
            .lock()
            .expect("no panic")
            .iter()
            .any(|closed| closed == name)
        {
            self.0.lines().push(format!("{name} refused"));
            return Err(anyhow!("the port is closed").reason("PortClosed"));
        }
        let serial = self.0.serial.fetch_add(1, SeqCst);
        self.0.lines().push(format!("{name} made {serial}"));
        Ok(Session { serial })
    }
}

impl PassValue for Sessions {
    type Operator = Crew;
    type Value = Session;

    async fn make(&self, crew: &Crew, _cx: &ValueCx<'_>) -> Result<Session> {
        // Others ask meanwhile.
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        self.open(&crew.name_any())
    }

    async fn make_for_deletion(&self, crew: Result<&Crew>, cx: &ValueCx<'_>) -> Result<Session> {
        let name = cx.metadata().name.clone().unwrap_or_default();
        let how = if crew.is_ok() { "whole" } else { "spoilt" };
        self.0.lines().push(format!("{name} deleted {how}"));
        self.open(&name)
    }
}

#[resource]
pub(crate) struct Captain(Arc<Log>);

impl Step for Captain {
    type Operator = Crew;
    type Output = ();
    async fn ensure_created(&self, crew: &Crew, cx: &Cx<Self>) -> Result<Flow<()>> {
        if crew.spec.asks {
            let session = cx.value().await?;
            self.0.lines().push(format!("{} captain {}", cx.name(), session.serial));
        }
        Ok(().into())
    }
    async fn ensure_deleted(&self, cx: &DeleteCx<Self>) -> Result<Flow<()>> {
        let session = cx.value().await?;
        self.0
            .lines()
            .push(format!("{} farewell {}", cx.name(), session.serial));
        Ok(().into())
    }
}

#[resource]
pub(crate) struct Cook(Arc<Log>);

impl Manifest for Cook {
    type Operator = Crew;
    type Object = ConfigMap;
    async fn desired(&self, crew: &Crew, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        if crew.spec.asks {
            let session = cx.value().await?;
            self.0.lines().push(format!("{} cook {}", cx.name(), session.serial));
        }
        Ok(config_map(cx.name(), json!({}))?.into())
    }
}

/// Never asks.
#[resource]
pub(crate) struct Stowaway;

impl Step for Stowaway {
    type Operator = Crew;
    type Output = ();
    async fn ensure_created(&self, _crew: &Crew, _cx: &Cx<Self>) -> Result<Flow<()>> {
        Ok(().into())
    }
}

async fn started(name: &'static str) -> (Scene, Arc<Log>, Running) {
    let scene = Scene::alone(name).await;
    scene.install::<Crew>().await;
    let log = Arc::<Log>::default();
    let given = log.clone();
    let app = App::new("crews").operator(|_env| async {
        Ok(CrewResources {
            captain: Captain(given.clone()),
            cook: Cook(given.clone()),
            stowaway: Stowaway,
            sessions: Sessions(given),
        })
    });
    let running = scene.start(app);
    (scene, log, running)
}

async fn make(scene: &Scene, name: &str, asks: bool) {
    scene.create(&Crew::new(name, CrewSpec { asks, mood: None })).await;
}

#[tokio::test(start_paused = true)]
async fn it_is_made_once_in_a_pass_and_given_to_every_resource() {
    let (scene, log, running) = started("value-once").await;
    make(&scene, "x", true).await;
    let _ready: Crew = scene.ready("x").await;
    let _again: Crew = scene.patch("x", json!({ "spec": { "mood": "fine" } })).await;
    let _ready: Crew = scene.ready("x").await;
    running.stop().await;
    let made = log.serial.load(SeqCst);
    assert!(made >= 2, "each pass has its own");
    for serial in 0..made {
        for who in ["made", "captain", "cook"] {
            assert_eq!(log.count(&format!("x {who} {serial}")), 1, "{:?}", log.lines());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn it_is_not_made_where_nobody_asks() {
    let (scene, log, running) = started("value-lazy").await;
    make(&scene, "x", false).await;
    let _ready: Crew = scene.ready("x").await;
    assert!(log.lines().is_empty(), "{:?}", log.lines());
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn its_error_is_one_of_those_who_asked_and_of_no_other_object() {
    let (scene, log, running) = started("value-error").await;
    log.closed.lock().expect("no panic").push("x".into());
    make(&scene, "x", true).await;
    make(&scene, "y", true).await;
    let _ready: Crew = scene.ready("y").await;
    let crew: Crew = scene.condition("x", "Ready", "False", "PortClosed").await;
    let crew = to_value(crew).expect("JSON");
    for resource in ["captain", "cook"] {
        let line = line(&crew, resource);
        assert_eq!(line["reason"], "PortClosed", "{line}");
        assert_eq!(line["message"], "the port is closed");
    }
    assert_eq!(line(&crew, "stowaway")["phase"], "Ready");
    // Tried once in each pass: those of the same pass share the error.
    let passes = log.count("x refused");
    wait_for("it is tried again", PATIENCE, async || {
        ensure!(log.count("x refused") > passes + 1);
        Ok(())
    })
    .await;
    log.closed.lock().expect("no panic").clear();
    let _ready: Crew = scene.ready("x").await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_deletion_may_ask_for_it_and_waits_for_it_if_it_does() {
    let (scene, log, running) = started("value-deletion").await;
    make(&scene, "x", false).await;
    let _ready: Crew = scene.ready("x").await;
    log.closed.lock().expect("no panic").push("x".into());
    scene.delete::<Crew>("x").await;
    let _blocked: Crew = scene.condition("x", "Deleting", "True", "PortClosed").await;
    // The others are gone meanwhile.
    eventually_gone(&scene.api::<ConfigMap>(), "x", PATIENCE).await;
    log.closed.lock().expect("no panic").clear();
    eventually_gone(&scene.api::<Crew>(), "x", PATIENCE).await;
    assert!(
        log.count("x deleted whole") > 0 && log.count("x farewell") > 0,
        "{:?}",
        log.lines()
    );
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_deletion_gets_it_also_for_an_object_that_does_not_decode() {
    let (scene, log, running) = started("value-spoilt").await;
    make(&scene, "x", true).await;
    let _ready: Crew = scene.ready("x").await;
    let spoilt = operatorkit::kube::api::Patch::Merge(json!({ "spec": { "mood": "spoilt" } }));
    let kind = operatorkit::kube::api::ApiResource::erase::<Crew>(&());
    let crews: operatorkit::kube::Api<operatorkit::kube::core::DynamicObject> =
        operatorkit::kube::Api::namespaced_with(scene.client.clone(), &scene.namespace, &kind);
    let _spoilt = crews
        .patch("x", &PatchParams::default(), &spoilt)
        .await
        .expect("patched");
    let _deleted = crews.delete("x", &DeleteParams::default()).await.expect("deleted");
    eventually_gone(&crews, "x", PATIENCE).await;
    assert!(log.count("x deleted spoilt") > 0, "{:?}", log.lines());
    running.stop().await;
}
