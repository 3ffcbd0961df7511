//! S-38: what is refused again and again is tried rarely, and at once when its spec has changed.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use operatorkit::{
    anyhow::ensure,
    k8s_openapi::api::core::v1::ConfigMap,
    prelude::*,
    serde_json::{json, to_value},
};
use operatorkit_testing::{
    PATIENCE,
    apiserver::{
        failure::Failure,
        fault::{Effect, Fault, Matching},
    },
    wait_for,
};
use tokio::time::Instant;

use crate::scene::{Scene, condition, config_map};

#[operator(
    group = "retries.failures.test",
    version = "v1",
    kind = "Stamp",
    namespaced,
    resources(Print)
)]
pub(crate) struct StampSpec {
    text: String,
}

#[resource]
pub(crate) struct Print;

impl Manifest for Print {
    type Operator = Stamp;
    type Object = ConfigMap;
    async fn desired(&self, stamp: &Stamp, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(config_map(cx.name(), json!({ "text": stamp.spec.text }))?.into())
    }
}

/// When each try came, by the clock of the test.
#[derive(Clone, Default)]
struct Tries(Arc<Mutex<Vec<Instant>>>);

impl Tries {
    fn so_far(&self) -> Vec<Instant> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The times between them.
    fn gaps(&self) -> Vec<Duration> {
        self.so_far().windows(2).map(|pair| pair[1] - pair[0]).collect()
    }
}

/// Refuses each write of the child `x` with 500 and this message.
fn refuse(scene: &Scene, message: &str) -> Tries {
    let tries = Tries::default();
    let seen = tries.clone();
    let writes = Matching::writes()
        .resource("configmaps")
        .namespace(&scene.namespace)
        .name("x")
        .when(move |_request| {
            let mut seen = seen.0.lock().unwrap_or_else(PoisonError::into_inner);
            seen.push(Instant::now());
            true
        });
    let effect = Effect::Refuse(Failure::new(500, "InternalError", message));
    let faults = scene.cluster.faults().expect("the embedded server");
    let _fault = faults.add(Fault::new(writes, effect));
    tries
}

async fn create(scene: &Scene, name: &str) {
    scene.create(&Stamp::new(name, StampSpec { text: "one".into() })).await;
}

/// Ten minutes of refusals, in which another object is not delayed; then an edit. Returns the tries of the ten minutes.
async fn ten_minutes(name: &'static str, message: &str, reason: &str) -> Vec<Duration> {
    let scene = Scene::alone(name).await;
    scene.install::<Stamp>().await;
    let tries = refuse(&scene, message);
    let app = App::new("stamps").operator(|_env| async { Ok(StampResources { print: Print }) });
    let running = scene.start(app);
    create(&scene, "x").await;
    let shown: Stamp = scene.condition("x", "Ready", "False", reason).await;
    let shown = condition(&to_value(shown).expect("JSON"), "Ready")["message"].to_string();
    assert!(shown.contains("refused"), "{shown}");

    tokio::time::sleep(Duration::from_mins(5)).await;
    let before = Instant::now();
    create(&scene, "other").await;
    let _ready: Stamp = scene.ready("other").await;
    assert!(before.elapsed() < Duration::from_secs(2), "{:?}", before.elapsed());
    tokio::time::sleep(Duration::from_mins(5)).await;
    let gaps = tries.gaps();

    let (before, edited) = (tries.so_far().len(), Instant::now());
    let _edited: Stamp = scene.patch("x", json!({ "spec": { "text": "two" } })).await;
    wait_for("the edit is tried", PATIENCE, async || {
        ensure!(tries.so_far().len() > before);
        Ok(())
    })
    .await;
    let took = tries.so_far()[before] - edited;
    assert!(took < Duration::from_secs(1), "tried after {took:?}");
    running.stop().await;
    gaps
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_typed_is_permanent_whatever_its_code() {
    let message = "failed to create typed patch object (refused; /v1, Kind=ConfigMap): .data: duplicate entries for key \
                   [name=\"A\"]";
    let gaps = ten_minutes("failures-typed", message, "NotInSchema").await;
    assert!(gaps.len() < 4, "{gaps:?}");
}

#[tokio::test(start_paused = true)]
async fn an_answer_of_the_server_is_tried_ever_more_rarely() {
    let gaps = ten_minutes("failures-server", "refused for now", "ServerError").await;
    assert!((3..14).contains(&gaps.len()), "{gaps:?}");
    // Each is twice the one before, less a fifth at most.
    assert!(gaps.windows(2).all(|pair| pair[1] > pair[0]), "{gaps:?}");
}
