//! What an operator measures of its own work, what it logs of each object, and the ports that a program serves.

mod lines;
mod ports;

use operatorkit::{
    anyhow::{self, ensure},
    k8s_openapi::api::core::v1::ConfigMap,
    metrics::{Scraper, prometheus_client::metrics::counter::Counter},
    prelude::*,
    serde_json::json,
};
use operatorkit_testing::{PATIENCE, eventually_gone, wait_for};

use crate::scene::{Running, Scene, config_map};

#[operator(
    group = "metrics.test",
    version = "v1",
    kind = "Measured",
    namespaced,
    resources(Thing, After)
)]
pub(crate) struct MeasuredSpec {
    /// What goes wrong: nothing, `error`, `panic`, `wait`.
    trouble: String,
}

#[resource(order = 1)]
pub(crate) struct Thing;

#[resource(order = 2)]
pub(crate) struct After;

impl Manifest for Thing {
    type Operator = Measured;
    type Object = ConfigMap;
    async fn desired(&self, _object: &Measured, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(config_map(&cx.child_name("thing"), json!({}))?.into())
    }
}

impl Step for After {
    type Operator = Measured;
    type Output = ();
    async fn ensure_created(&self, object: &Measured, _cx: &Cx<Self>) -> Result<Flow<()>> {
        match &*object.spec.trouble {
            "error" => anyhow::bail!("it fails"),
            "panic" => panic!("it panics"),
            "wait" => Ok(Flow::wait("for something")),
            _ => Ok(Flow::Ready(())),
        }
    }

    async fn ensure_deleted(&self, _cx: &DeleteCx<Self>) -> Result<Flow<()>> {
        Ok(Flow::Ready(()))
    }
}

struct Stage {
    scene: Scene,
    scraper: Scraper,
    _running: Running,
}

fn app() -> App {
    App::new("measured").operator(|env| async move {
        let calls = Counter::<u64>::default();
        env.metrics(|registry| registry.register("cloud_calls", "Calls to the cloud", calls.clone()));
        calls.inc();
        Ok(MeasuredResources {
            thing: Thing,
            after: After,
        })
    })
}

impl Stage {
    async fn new(name: &'static str) -> Self {
        let scene = Scene::alone(name).await;
        scene.install::<Measured>().await;
        let app = app().metrics(|registry| {
            registry.register("program_starts", "Starts of the program", Counter::<u64>::default());
        });
        let scraper = app.scraper();
        let running = scene.start(app);
        Self {
            scene,
            scraper,
            _running: running,
        }
    }

    async fn create(&self, name: &str, trouble: &str) {
        let spec = MeasuredSpec {
            trouble: trouble.to_owned(),
        };
        self.scene.create(&Measured::new(name, spec)).await;
    }

    /// Waits until a sample has a value that is so: the sum over the series whose labels have all these parts.
    async fn shows(&self, name: &str, labels: &[&str], is_so: impl Fn(f64) -> bool) -> f64 {
        let what = format!("{name} {labels:?} is so");
        wait_for(&what, PATIENCE, async || {
            let text = self.scraper.scrape();
            let value = value(&text, name, labels);
            ensure!(value.is_some_and(&is_so), "{value:?} in\n{text}");
            Ok(value.unwrap_or_default())
        })
        .await
    }

    fn value(&self, name: &str, labels: &[&str]) -> Option<f64> {
        value(&self.scraper.scrape(), name, labels)
    }
}

/// The sum over the series of a name whose labels have all these parts; `None` if there is none.
pub(crate) fn value(text: &str, name: &str, labels: &[&str]) -> Option<f64> {
    let of_name = text.lines().filter_map(|line| line.strip_prefix(name));
    let values = of_name
        .filter(|rest| rest.starts_with(['{', ' ']))
        .filter_map(|rest| rest.rsplit_once(' '))
        .filter(|(found, _)| labels.iter().all(|label| found.contains(label)))
        .map(|(_, value)| value.parse::<f64>().expect("a number"));
    values.fold(None, |sum, value| Some(sum.unwrap_or(0.0) + value))
}

fn exactly(wanted: f64) -> impl Fn(f64) -> bool {
    move |value| (value - wanted).abs() < f64::EPSILON
}

const P: &str = "operatorkit_controller_";

fn ours(name: &str) -> String {
    format!("{P}{name}")
}

#[tokio::test(start_paused = true)]
async fn the_work_of_an_operator_is_measured() {
    let stage = Stage::new("work").await;
    stage.create("x", "").await;
    let _ready: Measured = stage.scene.ready("x").await;
    let some = |value: f64| value >= 1.0;
    let controller = "controller=\"measureds.metrics.test\"";
    stage
        .shows(&ours("reconcile_total"), &[controller, "result=\"success\""], some)
        .await;
    for (name, labels) in [
        ("last_reconciled", vec![controller]),
        ("heartbeat_timestamp_seconds", vec![controller]),
        ("event_count", vec!["event=\"update\"", "result=\"success\""]),
        ("event_latency_seconds_count", vec![controller]),
        ("workqueue_queue_duration_seconds_count", vec![controller]),
        ("max_concurrent_reconciles", vec![controller]),
        ("watched_objects", vec![controller, "kind=\"Measured\""]),
        ("children", vec!["resource=\"thing\"", "kind=\"ConfigMap\""]),
        (
            "creation_timestamp",
            vec!["kind=\"Measured\"", "name=\"x\"", controller],
        ),
        (
            "operation_total",
            vec!["resource=\"thing\"", "operation=\"desired\"", "result=\"success\""],
        ),
        (
            "operation_total",
            vec!["resource=\"thing\"", "operation=\"apply\"", "result=\"success\""],
        ),
        (
            "operation_count",
            vec![
                "resource=\"after\"",
                "operation=\"ensure_created\"",
                "result=\"success\"",
            ],
        ),
        (
            "rest_client_requests_total",
            vec![controller, "verb=\"list\"", "code=\"200\""],
        ),
        (
            "rest_client_requests_total",
            vec![controller, "verb=\"watch\"", "code=\"200\""],
        ),
        (
            "rest_client_requests_total",
            vec![controller, "verb=\"patch\"", "code=\"201\""],
        ),
        ("watch_connected", vec![controller, "kind=\"Measured\""]),
        ("watch_connected", vec![controller, "kind=\"ConfigMap\"", "group=\"\""]),
        (
            "watch_last_event_timestamp_seconds",
            vec![controller, "kind=\"ConfigMap\""],
        ),
    ] {
        stage.shows(&ours(name), &labels, some).await;
    }
    assert_eq!(stage.value("cloud_calls_total", &[controller]), Some(1.0));
    assert_eq!(stage.value("program_starts_total", &[]), Some(0.0));
    assert_eq!(stage.value(&ours("errors_total"), &[]), Some(0.0));
    assert_eq!(stage.value(&ours("deletion_timestamp"), &[]), None);

    stage.scene.delete::<Measured>("x").await;
    eventually_gone(&stage.scene.api::<Measured>(), "x", PATIENCE).await;
    stage
        .shows(&ours("event_count"), &["event=\"delete\"", "result=\"success\""], some)
        .await;
    stage.shows(&ours("watched_objects"), &[controller], exactly(0.0)).await;
    let text = stage.scraper.scrape();
    assert!(!text.contains("name=\"x\""), "its series went with it:\n{text}");
    stage
        .shows(&ours("children"), &["resource=\"thing\""], exactly(0.0))
        .await;
    assert!(
        value(
            &text,
            &ours("operation_total"),
            &["operation=\"delete\"", "resource=\"thing\""]
        ) >= Some(1.0)
    );
}

#[tokio::test(start_paused = true)]
async fn errors_panics_and_waits_are_told_apart() {
    let stage = Stage::new("outcomes").await;
    let some = |value: f64| value >= 1.0;
    stage.create("waits", "wait").await;
    stage
        .shows(&ours("reconcile_total"), &["result=\"waiting\""], some)
        .await;
    assert_eq!(stage.value(&ours("errors_total"), &[]), Some(0.0));
    stage.create("fails", "error").await;
    stage.shows(&ours("errors_total"), &[], some).await;
    stage.shows(&ours("reconcile_total"), &["result=\"error\""], some).await;
    stage
        .shows(&ours("event_count"), &["event=\"update\"", "result=\"error\""], some)
        .await;
    stage
        .shows(
            &ours("operation_total"),
            &["resource=\"after\"", "operation=\"ensure_created\"", "result=\"error\""],
            some,
        )
        .await;
    assert_eq!(stage.value(&ours("reconcile_panics_total"), &[]), Some(0.0));
    stage.create("panics", "panic").await;
    stage.shows(&ours("reconcile_panics_total"), &[], some).await;
}

#[tokio::test(start_paused = true)]
async fn paused_objects_are_counted() {
    let stage = Stage::new("paused").await;
    for name in ["x", "y"] {
        stage.create(name, "").await;
        let _ready: Measured = stage.scene.ready(name).await;
    }
    assert_eq!(stage.value(&ours("paused_objects"), &["kind=\"Measured\""]), Some(0.0));
    let pause = |value: &str| json!({ "metadata": { "annotations": { "operatorkit.dev/paused": value } } });
    let _paused: Measured = stage.scene.patch("x", pause("true")).await;
    stage.shows(&ours("paused_objects"), &[], exactly(1.0)).await;
    stage
        .shows(&ours("reconcile_total"), &["result=\"paused\""], |value| value >= 1.0)
        .await;
    let _awake: Measured = stage.scene.patch("x", pause("false")).await;
    stage.shows(&ours("paused_objects"), &[], exactly(0.0)).await;
}

/// Nothing is global: the second app neither sees nor disturbs what the first has measured.
#[tokio::test(start_paused = true)]
async fn two_apps_in_a_process_have_nothing_in_common() {
    let (one, other) = (Stage::new("one").await, Stage::new("other").await);
    one.create("x", "").await;
    let _ready: Measured = one.scene.ready("x").await;
    one.shows(&ours("watched_objects"), &[], exactly(1.0)).await;
    assert_eq!(other.value(&ours("watched_objects"), &[]), Some(0.0));
    assert_eq!(other.value(&ours("reconcile_total"), &[]), Some(0.0));
}
