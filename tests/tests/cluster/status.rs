//! The status as shown: what is in it, when it is written, and what survives.

mod former;
mod surviving;

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use operatorkit::{
    RunSettings,
    anyhow::{anyhow, ensure},
    k8s_openapi::{api::core::v1::ConfigMap, jiff::Timestamp},
    prelude::*,
    serde_json::{Value, json, to_value},
};
use operatorkit_testing::{Cluster, PATIENCE, wait_for};

use crate::kubectl::Kubectl;
use crate::scene::{Running, Scene, condition, config_map, line, next_second};
use crate::servers::alone;

/// A gauge with a scale as its child.
#[operator(
    group = "status.test", version = "v1", kind = "Gauge", namespaced, shortname = "gg",
    status = GaugeStatus,
    printcolumn(name = "Ready", type_ = "string", json_path = ".status.conditions[?(@.type=='Ready')].status"),
    printcolumn(name = "Reading", type_ = "integer", json_path = ".status.reading"),
    resources(Scale, Needle)
)]
pub(crate) struct GaugeSpec {
    level: u32,
    /// Touches no child.
    note: String,
}

#[data]
#[derive(Default, PartialEq)]
pub(crate) struct GaugeStatus {
    reading: Option<u32>,
    peak: Option<u32>,
}

#[resource]
pub(crate) struct Scale;

impl Manifest for Scale {
    type Operator = Gauge;
    type Object = ConfigMap;
    async fn desired(&self, gauge: &Gauge, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(config_map(cx.name(), json!({ "level": gauge.spec.level.to_string() }))?.into())
    }
}

/// The statuses that the passes have seen.
type Seen = Arc<Mutex<Vec<Option<GaugeStatus>>>>;

/// Sets the reading once, and the peak where the level is above it; fails above 100.
#[resource]
pub(crate) struct Needle(Seen);

impl Step for Needle {
    type Operator = Gauge;
    type Output = ();
    async fn ensure_created(&self, gauge: &Gauge, cx: &Cx<Self>) -> Result<Flow<()>> {
        let status = gauge.status.as_ref().and_then(|status| status.user.clone());
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(status.clone());
        let level = gauge.spec.level;
        let status = status.unwrap_or_default();
        if status.reading.is_none() {
            cx.status(|status| status.reading = Some(level));
        }
        if status.peak < Some(level) {
            cx.status(|status| status.peak = Some(level));
        }
        if level > 100 {
            Err(anyhow!("off the scale").reason("Overflow").permanent())
        } else {
            Ok(().into())
        }
    }
}

/// The operator, with a short resync period, and a gauge.
async fn start(name: &'static str) -> (Scene, Seen, Running) {
    start_on(alone(), name).await
}

async fn start_on(cluster: &'static Cluster, name: &'static str) -> (Scene, Seen, Running) {
    let scene = Scene::on(cluster, name).await;
    scene.install::<Gauge>().await;
    let seen = Seen::default();
    let needle = Needle(seen.clone());
    let app = App::new("gauges").operator(|_env| async { Ok(GaugeResources { scale: Scale, needle }) });
    let settings = RunSettings {
        namespaces: vec![scene.namespace.clone()],
        resync: Duration::from_millis(200),
        ..RunSettings::default()
    };
    let running = scene.start_with(app, settings);
    scene
        .create(&Gauge::new(
            "x",
            GaugeSpec {
                level: 5,
                note: "new".into(),
            },
        ))
        .await;
    let _ready: Gauge = scene.ready("x").await;
    (scene, seen, running)
}

fn passes(seen: &Seen) -> usize {
    seen.lock().unwrap_or_else(PoisonError::into_inner).len()
}

/// Waits until there were so many more passes.
async fn more(seen: &Seen, number: usize) {
    let before = passes(seen);
    wait_for("there were more passes", PATIENCE, async || {
        ensure!(passes(seen) >= before + number);
        Ok(())
    })
    .await;
}

impl Scene {
    async fn gauge(&self) -> Value {
        to_value(self.api::<Gauge>().get("x").await.expect("it exists")).expect("JSON")
    }

    async fn level(&self, level: u32) {
        self.patch::<Gauge>("x", json!({ "spec": { "level": level } })).await;
    }
}

#[tokio::test(start_paused = true)]
async fn conditions_and_lines_say_how_it_is_and_since_when() {
    let (scene, _seen, running) = start("status-lines").await;
    let first = to_value(scene.ready::<Gauge>("x").await).expect("JSON");
    let ready = condition(&first, "Ready");
    assert_eq!((&ready["status"], &ready["reason"]), (&json!("True"), &json!("Ready")));
    assert_eq!(
        (&first["status"]["observedGeneration"], &ready["observedGeneration"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(
        first["status"]["conditions"].as_array().map(Vec::len),
        Some(1),
        "no condition about what never was"
    );
    for name in ["scale", "needle"] {
        let line = line(&first, name);
        assert_eq!(line["phase"], "Ready");
        assert!(
            line["since"]
                .as_str()
                .is_some_and(|since| since.parse::<Timestamp>().is_ok()),
            "{line}"
        );
    }

    // As long as it is ready, times stay.
    next_second();
    scene.level(6).await;
    let second = to_value(scene.ready::<Gauge>("x").await).expect("JSON");
    assert_eq!(second["status"]["observedGeneration"], 2);
    assert_eq!(
        condition(&second, "Ready")["lastTransitionTime"],
        ready["lastTransitionTime"]
    );
    for name in ["scale", "needle"] {
        assert_eq!(line(&second, name)["since"], line(&first, name)["since"], "{name}");
    }

    // What changes has a new time, and nothing else.
    scene.level(101).await;
    let failed = to_value(scene.condition::<Gauge>("x", "Ready", "False", "Overflow").await).expect("JSON");
    let needle = line(&failed, "needle");
    assert_eq!(
        (&needle["phase"], &needle["reason"], &needle["message"]),
        (&json!("Failed"), &json!("Overflow"), &json!("off the scale"))
    );
    assert_ne!(needle["since"], line(&first, "needle")["since"]);
    assert_eq!(line(&failed, "scale")["since"], line(&first, "scale")["since"]);
    assert_ne!(
        condition(&failed, "Ready")["lastTransitionTime"],
        ready["lastTransitionTime"]
    );
    assert_eq!(condition(&failed, "Ready")["message"], "needle: off the scale");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_change_that_touches_no_child_is_one_write() {
    let (scene, seen, running) = start("status-generation").await;
    let mark = scene.mark().await;
    scene
        .patch::<Gauge>("x", json!({ "spec": { "note": "changed" } }))
        .await;
    let ready: Gauge = scene.ready("x").await;
    assert_eq!(ready.status.expect("a status").observed_generation, Some(2));
    more(&seen, 3).await;
    let requests = scene.requests(mark).await;
    let writes: Vec<_> = requests
        .iter()
        .map(operatorkit_testing::audit::Entry::resource)
        .collect();
    assert_eq!(writes, ["gauges/status"], "{requests}");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_steady_object_is_never_written() {
    let (scene, seen, running) = start("status-steady").await;
    let mark = scene.mark().await;
    let version = scene.gauge().await["metadata"]["resourceVersion"].clone();
    more(&seen, 10).await;
    assert_eq!(scene.gauge().await["metadata"]["resourceVersion"], version);
    let requests = scene.requests(mark).await;
    assert!(requests.is_empty(), "{requests}");
    running.stop().await;
}

async fn kubectl_get_shows_the_columns(cluster: &'static Cluster) {
    let (scene, _seen, running) = start_on(cluster, "status-kubectl").await;
    let Some(kubectl) = Kubectl::new(cluster, &scene.namespace) else {
        return;
    };
    let text = kubectl.say(&["get", "gg"], "").await;
    let words: Vec<Vec<_>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(words, [["NAME", "READY", "READING"], ["x", "True", "5"]], "{text}");
    running.stop().await;
}

crate::servers::on_both!(kubectl_get_shows_the_columns);
