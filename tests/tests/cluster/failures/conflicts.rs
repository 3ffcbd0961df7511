//! Conflicts: of a status, and over the name of a child.

use std::time::Duration;

use operatorkit::{
    RunSettings,
    k8s_openapi::api::core::v1::ConfigMap,
    kube::ResourceExt as _,
    prelude::*,
    serde_json::{json, to_value},
};
use operatorkit_testing::{
    Cluster, PATIENCE,
    apiserver::fault::{Effect, Fault, Matching},
    eventually_gone, wait_for,
};

use super::{Measured, TRIALS, Trial, add, complaints, met, trial, warnings};
use crate::{
    logs::Logs,
    metrics::value,
    scene::{Scene, condition, config_map},
    servers::on_both,
};

/// S-12. Somebody else was faster with the status, twice: that is nobody's concern.
#[tokio::test(start_paused = true)]
async fn a_lost_race_for_the_status_is_quiet() {
    let logs = Logs::capture();
    let scene = Scene::alone("s12").await;
    scene.install::<Trial>().await;
    let status = Matching::verbs(["patch", "update"])
        .resource(TRIALS)
        .subresource("status");
    let lost = add(
        &scene,
        Fault::new(status.user(&scene.user), Effect::conflict()).times(2),
    );
    let running = Measured::start(&scene);
    let began = tokio::time::Instant::now();
    scene.create(&trial("x")).await;
    let _ready: Trial = scene.ready("x").await;
    assert_eq!(scene.cluster.faults().expect("it").met(lost), 2);
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    assert!(
        warnings(&scene, "x").await.is_empty(),
        "{:#?}",
        warnings(&scene, "x").await
    );
    assert!(complaints(&logs, "x").is_empty(), "{:#?}", complaints(&logs, "x"));
    running.stop_without_errors().await;
}

/// S-12. Somebody has taken our finalizer off, and the object is gone before its status is written: nobody is left to show it to.
#[tokio::test(start_paused = true)]
async fn the_status_of_an_object_that_is_gone_is_written_once() {
    let scene = Scene::alone("s12-gone").await;
    scene.install::<Trial>().await;
    let status = Matching::verbs(["patch"]).resource(TRIALS).subresource("status");
    let late = Effect::Delay(Duration::from_secs(1));
    let late = add(&scene, Fault::new(status.user(&scene.user), late).once());
    let running = Measured::start(&scene);
    let start = scene.mark().await;
    scene.create(&trial("x")).await;
    met(&scene, late, 1).await;
    scene.delete::<Trial>("x").await;
    let _let_go: Trial = scene.patch("x", json!({ "metadata": { "finalizers": null } })).await;
    eventually_gone(&scene.api::<Trial>(), "x", PATIENCE).await;
    tokio::time::sleep(Duration::from_mins(10)).await;
    let writes = scene.requests(start).await.of("trials/status");
    let codes: Vec<u16> = writes.iter().map(|write| write.code).collect();
    assert_eq!(codes, [404], "{writes}");
    let text = running.scraper.scrape();
    let waiting = value(&text, "operatorkit_controller_reconcile_total", &["result=\"waiting\""]);
    assert!(waiting.unwrap_or_default() < 0.5, "{text}");
    running.stop_without_errors().await;
}

/// A child whose name the object says.
#[operator(
    group = "claims.failures.test",
    version = "v1",
    kind = "Claim",
    namespaced,
    resources(Target)
)]
pub(crate) struct ClaimSpec {
    target: String,
}

#[resource]
pub(crate) struct Target;

impl Manifest for Target {
    type Operator = Claim;
    type Object = ConfigMap;
    async fn desired(&self, claim: &Claim, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(config_map(&claim.spec.target, json!({ "by": cx.name() }))?.into())
    }
}

on_both!(of_two_objects_that_name_one_child_the_second_writes_nothing);

/// S-15. Passes twice a second, so that the number of passes stands for the minute of the case.
async fn of_two_objects_that_name_one_child_the_second_writes_nothing(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "s15").await;
    scene.install::<Claim>().await;
    let app = App::new("claims").operator(|_env| async { Ok(ClaimResources { target: Target }) });
    let scraper = app.scraper();
    let settings = RunSettings {
        namespaces: vec![scene.namespace.clone()],
        resync: Duration::from_millis(500),
        ..RunSettings::default()
    };
    let start = scene.mark().await;
    let running = scene.start_with(app, settings);
    let claim = |name| {
        let target = "wanted".into();
        Claim::new(name, ClaimSpec { target })
    };
    scene.create(&claim("one")).await;
    let _ready: Claim = scene.ready("one").await;
    scene.create(&claim("two")).await;
    let two: Claim = scene.condition("two", "Ready", "False", "NameCollision").await;
    let message = condition(&to_value(&two).expect("JSON"), "Ready")["message"].to_string();
    assert!(message.contains("wanted"), "{message}");

    let passes = || value(&scraper.scrape(), "operatorkit_controller_reconcile_total", &[]).unwrap_or_default();
    let enough = passes() + 20.0;
    wait_for("twenty passes more", PATIENCE, async || {
        operatorkit::anyhow::ensure!(passes() >= enough, "{}", passes());
        Ok(())
    })
    .await;
    let _ready: Claim = scene.ready("one").await;
    let wanted: ConfigMap = scene.api().get("wanted").await.expect("it is there");
    assert_eq!(wanted.data.expect("data")["by"], "one");
    let writes = scene.requests(start).await.writes();
    let writes = writes.filter(|write| write.object.name == "wanted");
    let done = writes.iter().filter(|write| write.code < 300).count();
    assert_eq!(done, 1, "{writes}");
    // Each of the others was a question that the server answers without a write; they become rare.
    assert!(writes.len() <= 12, "{writes}");

    // The first one goes, and the second one has its turn.
    scene.delete::<Claim>("one").await;
    eventually_gone(&scene.api::<Claim>(), "one", PATIENCE).await;
    let _ready: Claim = scene.ready("two").await;
    let next: ConfigMap = scene.api().get("wanted").await.expect("it is there");
    assert_ne!(next.uid(), wanted.metadata.uid);
    running.stop().await;
}
