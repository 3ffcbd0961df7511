//! What reporters of errors are told, and when.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use operatorkit::{
    RunSettings,
    anyhow::{anyhow, ensure},
    k8s_openapi::api::core::v1::ConfigMap,
    layer::{Report, Retry, Verb},
    prelude::*,
    reporting::{ErrorReport, ErrorReporter},
    serde_json::json,
};
use operatorkit_testing::{PATIENCE, eventually_gone, wait_for};
use tokio_util::sync::CancellationToken;

use crate::{
    flow::script::{Answer, Failing, Script},
    scene::{Running, Scene},
};

/// Two scripted resources, one with a retry that shows its attempts, and one that is never right.
#[operator(
    group = "reporting.test",
    version = "v1",
    kind = "Told",
    namespaced,
    resources(First, Second, Elsewhere)
)]
pub(crate) struct ToldSpec {
    elsewhere: bool,
}

#[resource]
pub(crate) struct First(Arc<Script>);

#[resource(layers(Retry::new(3), Report))]
pub(crate) struct Second(Arc<Script>);

#[resource]
pub(crate) struct Elsewhere;

impl Step for First {
    type Operator = Told;
    type Output = ();
    async fn ensure_created(&self, _told: &Told, _cx: &Cx<Self>) -> Result<Flow<()>> {
        self.0.call("create first", |_| {})
    }
    async fn ensure_deleted(&self, _cx: &DeleteCx<Self>) -> Result<Flow<()>> {
        self.0.call("delete first", |_| {})
    }
}

impl Step for Second {
    type Operator = Told;
    type Output = ();
    async fn ensure_created(&self, _told: &Told, _cx: &Cx<Self>) -> Result<Flow<()>> {
        self.0.call("create second", |_| {})
    }
}

impl Manifest for Elsewhere {
    type Operator = Told;
    type Object = ConfigMap;
    async fn desired(&self, told: &Told, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        let mut map = crate::scene::config_map(&cx.child_name("map"), json!({}))?;
        map.metadata.namespace = told.spec.elsewhere.then(|| "elsewhere".to_owned());
        Ok(map.into())
    }
}

/// Keeps what it is told.
#[derive(Clone, Default)]
pub(crate) struct Kept {
    reports: Arc<Mutex<Vec<ErrorReport>>>,
    flushed: Arc<Mutex<usize>>,
}

impl ErrorReporter for Kept {
    fn report(&self, report: &ErrorReport) {
        self.reports
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(report.clone());
    }

    fn flush(&self, _limit: Duration) {
        *self.flushed.lock().unwrap_or_else(PoisonError::into_inner) += 1;
    }
}

impl Kept {
    fn reports(&self) -> Vec<ErrorReport> {
        self.reports.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Resource, operation and reason of each report.
    fn lines(&self) -> Vec<String> {
        let line = |report: ErrorReport| {
            let operation = report.operation.map_or("-", Verb::as_str);
            format!("{} {operation} {}", report.resource.unwrap_or_default(), report.reason)
        };
        self.reports().into_iter().map(line).collect()
    }

    async fn told(&self, reports: usize, limit: Duration) {
        wait_for(&format!("{reports} reports came"), limit, async || {
            ensure!(self.lines().len() >= reports, "{:?}", self.lines());
            Ok(())
        })
        .await;
    }
}

/// Panics at each report.
struct Broken;

impl ErrorReporter for Broken {
    fn report(&self, _report: &ErrorReport) {
        panic!("the pager has no battery");
    }
}

const QUOTA: Failing = Failing {
    reason: Some("QuotaExceeded"),
    retry_after: None,
    permanent: false,
};

async fn start(name: &'static str) -> (Scene, Arc<Script>, Kept, Running) {
    let scene = Scene::alone(name).await;
    scene.install::<Told>().await;
    let (script, kept) = (Script::new(), Kept::default());
    let steps = script.clone();
    let app = App::new("told")
        .report_errors(Broken)
        .report_errors(kept.clone())
        .operator(|_env| async move {
            Ok(ToldResources {
                first: First(steps.clone()),
                second: Second(steps),
                elsewhere: Elsewhere,
            })
        });
    let running = scene.start(app);
    (scene, script, kept, running)
}

fn told(elsewhere: bool) -> Told {
    Told::new("x", ToldSpec { elsewhere })
}

#[tokio::test(start_paused = true)]
async fn every_failure_is_reported_with_its_identity_and_an_answer_is_none() {
    let (scene, script, kept, running) = start("reporting-all").await;
    for (index, answer) in [Answer::Wait, Answer::Skip, Answer::Cancel].into_iter().enumerate() {
        script.on("create first", answer);
        let seen = script.count("create first");
        if index == 0 {
            scene.create(&told(false)).await;
        } else {
            scene
                .patch::<Told>("x", json!({ "metadata": { "labels": { "again": index.to_string() } } }))
                .await;
        }
        script.called("create first", seen + 1).await;
    }
    let cancelled: Told = scene.condition("x", "Ready", "False", "Cancelled").await;
    assert!(kept.reports().is_empty(), "{:?}", kept.lines());

    script.on("create first", Answer::Fail(QUOTA));
    scene.patch::<Told>("x", json!({ "spec": { "elsewhere": true } })).await;
    kept.told(2, PATIENCE).await;
    let mut lines = kept.lines();
    lines.sort();
    assert_eq!(
        lines,
        ["elsewhere - InvalidDesired", "first ensure_created QuotaExceeded"]
    );
    let reports = kept.reports();
    let report = reports.iter().find(|it| it.reason == "QuotaExceeded").expect("it came");
    let whose = [
        &report.operator,
        &report.kind,
        &report.namespace,
        &report.name,
        &report.uid,
    ]
    .map(|it| it.clone().unwrap_or_default());
    let uid = cancelled.metadata.uid.clone().expect("a UID");
    assert_eq!(whose, ["tolds.reporting.test", "Told", &scene.namespace, "x", &uid]);
    assert_eq!(
        (report.app.as_str(), report.message.as_str(), report.permanent),
        ("told", "the quota is used up", false)
    );
    let report = reports
        .iter()
        .find(|it| it.reason == "InvalidDesired")
        .expect("it came");
    assert!(
        report.permanent && report.message.contains("namespaces = any"),
        "{report:?}"
    );
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_lasts_is_reported_once_an_hour_and_anew_after_it_was_gone() {
    let (scene, script, kept, running) = start("reporting-repeats").await;
    script.on("create first", Answer::Fail(QUOTA));
    scene.create(&told(false)).await;
    script.called("create first", 6).await;
    assert_eq!(kept.lines(), ["first ensure_created QuotaExceeded"]);
    let start = tokio::time::Instant::now();
    kept.told(2, Duration::from_hours(3)).await;
    let after = start.elapsed();
    assert!((50..70).contains(&(after.as_secs() / 60)), "{after:?}");

    script.heal();
    // By backoff it would take five minutes.
    let touched = json!({ "metadata": { "labels": { "healed": "true" } } });
    scene.patch::<Told>("x", touched).await;
    let _ready: Told = scene.ready("x").await;
    script.on("create first", Answer::FailOnce);
    scene
        .patch::<Told>("x", json!({ "metadata": { "labels": { "again": "true" } } }))
        .await;
    kept.told(3, PATIENCE).await;
    let _ready: Told = scene.ready("x").await;

    script.on("delete first", Answer::Fail(QUOTA));
    scene.delete::<Told>("x").await;
    kept.told(4, PATIENCE).await;
    assert_eq!(kept.lines()[3], "first ensure_deleted QuotaExceeded");
    script.heal();
    eventually_gone(&scene.api::<Told>(), "x", PATIENCE).await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn the_layer_inside_a_retry_reports_what_a_later_attempt_makes_good() {
    let (scene, script, kept, running) = start("reporting-layer").await;
    script.on("create second", Answer::FailOnce);
    scene.create(&told(false)).await;
    let _ready: Told = scene.ready("x").await;
    kept.told(1, PATIENCE).await;
    assert_eq!(kept.lines(), ["second ensure_created Failed"]);
    running.stop().await;
    assert_eq!(*kept.flushed.lock().expect("no panic"), 1, "at the end");
}

#[tokio::test(start_paused = true)]
async fn an_app_that_cannot_start_says_so_to_its_reporters() {
    let scene = Scene::alone("reporting-start").await;
    let kept = Kept::default();
    let app = App::new("told")
        .report_errors(kept.clone())
        .operator(|_env| async { Err::<ToldResources, _>(anyhow!("no such region").reason("Misconfigured")) });
    let ended = app
        .run_in(scene.client.clone(), RunSettings::default(), CancellationToken::new())
        .await;
    assert!(ended.is_err());
    let [report] = kept.reports().try_into().expect("one report");
    assert_eq!(
        (
            report.operator.as_deref(),
            report.name.as_deref(),
            report.reason.as_str()
        ),
        (None, None, "Misconfigured")
    );
    assert!(report.message.contains("no such region"), "{report:?}");
    assert_eq!(*kept.flushed.lock().expect("no panic"), 1);
}
