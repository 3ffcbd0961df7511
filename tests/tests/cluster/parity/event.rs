//! *event*: an error with a reason is one Event, however often it comes.

use std::sync::Arc;

use operatorkit::{
    SinglePasses,
    prelude::*,
    serde_json::{Value, json},
};
use operatorkit_testing::{Cluster, ControlPlane};

use super::scripted;
use crate::{
    flow::script::{Answer, Failing, Script},
    scene::Scene,
    servers,
};

#[operator(
    group = "event.parity.test",
    version = "v1",
    kind = "Loud",
    namespaced,
    resources(Only)
)]
pub(crate) struct LoudSpec {}

#[resource]
pub(crate) struct Only(Arc<Script>);

scripted!(Only of Loud, "only");

/// By the test's clock, so that nobody waits.
#[tokio::test(start_paused = true)]
async fn embedded() {
    an_error_with_a_reason_is_one_event_with_a_count(servers::alone()).await;
}

#[tokio::test]
async fn real() {
    if let Some(cluster) = ControlPlane::shared() {
        an_error_with_a_reason_is_one_event_with_a_count(cluster).await;
    }
}

async fn an_error_with_a_reason_is_one_event_with_a_count(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "parity-event").await;
    scene.install::<Loud>().await;
    let script = Script::new();
    let failing = Failing {
        reason: Some("QuotaExceeded"),
        ..Failing::default()
    };
    script.on("x create only", Answer::Fail(failing));
    let client = scene.cluster.client(&scene.user);
    let only = Only(script.clone());
    let mut passes = SinglePasses::<Loud>::new(LoudResources { only }, client, &scene.resyncing()).expect("it can run");
    let loud = scene.create(&Loud::new("x", LoudSpec {})).await;

    for _ in 0..2 {
        let outcome = passes.run(&*scene.namespace, "x").await.expect("a pass");
        assert_eq!(outcome.reason, "QuotaExceeded");
    }
    // Repeats that follow soon are told together, at the end at the latest.
    passes.stop().await;
    let events = scene.events("x").await;
    let [event] = events.as_slice() else {
        panic!("exactly one: {events:#?}")
    };
    assert_eq!(
        [&event["type"], &event["reason"], &event["note"]],
        [
            &json!("Warning"),
            &json!("QuotaExceeded"),
            &json!("only: the quota is used up")
        ]
    );
    assert_eq!(event["reportingController"], "louds.event.parity.test");
    assert_eq!(event["series"]["count"], 2);
    let regarding = &event["regarding"];
    let about = |field: &str| -> &Value { &regarding[field] };
    assert_eq!(
        [
            about("apiVersion"),
            about("kind"),
            about("namespace"),
            about("name"),
            about("uid")
        ],
        [
            &json!("event.parity.test/v1"),
            &json!("Loud"),
            &json!(scene.namespace),
            &json!("x"),
            &json!(loud.metadata.uid),
        ]
    );
}
