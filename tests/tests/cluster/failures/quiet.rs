//! S-23 and S-39: what is written to a status, and when.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use operatorkit::{
    RunSettings,
    anyhow::{anyhow, ensure},
    prelude::*,
    serde_json::{Value, json, to_value},
};
use operatorkit_testing::{Cluster, PATIENCE, wait_for};
use tokio::sync::watch;

use crate::scene::{Running, Scene, condition, next_second};

#[operator(
    group = "quiet.failures.test",
    version = "v1",
    kind = "Dial",
    namespaced,
    resources(Hand)
)]
pub(crate) struct DialSpec {
    /// What is wrong with it; empty: nothing.
    trouble: String,
    /// Touches nothing.
    note: String,
}

/// Counts the passes that begin, and holds each of them while the gate is shut.
#[resource]
pub(crate) struct Hand {
    passes: Arc<AtomicUsize>,
    open: watch::Receiver<bool>,
}

impl Step for Hand {
    type Operator = Dial;
    type Output = ();
    async fn ensure_created(&self, dial: &Dial, _cx: &Cx<Self>) -> Result<Flow<()>> {
        self.passes.fetch_add(1, Ordering::SeqCst);
        self.open.clone().wait_for(|open| *open).await?;
        match dial.spec.trouble.as_str() {
            "" => Ok(().into()),
            trouble => Err(anyhow!("{trouble}").reason("Stuck").permanent()),
        }
    }
}

/// An operator with a short resync period, and a dial that is ready.
struct Stage {
    scene: Scene,
    running: Running,
    passes: Arc<AtomicUsize>,
    gate: watch::Sender<bool>,
}

impl Stage {
    async fn on(cluster: &'static Cluster, name: &'static str, resync: Duration) -> Self {
        let scene = Scene::on(cluster, name).await;
        scene.install::<Dial>().await;
        let passes = Arc::<AtomicUsize>::default();
        let (gate, open) = watch::channel(true);
        let hand = Hand {
            passes: passes.clone(),
            open,
        };
        let app = App::new("dials").operator(|_env| async { Ok(DialResources { hand }) });
        let settings = RunSettings {
            namespaces: vec![scene.namespace.clone()],
            resync,
            ..RunSettings::default()
        };
        let running = scene.start_with(app, settings);
        let spec = DialSpec {
            trouble: String::new(),
            note: String::new(),
        };
        scene.create(&Dial::new("x", spec)).await;
        let _ready: Dial = scene.ready("x").await;
        Self {
            scene,
            running,
            passes,
            gate,
        }
    }

    /// Waits until so many more passes have begun.
    async fn more(&self, number: usize) {
        let before = self.passes.load(Ordering::SeqCst);
        wait_for("there were more passes", PATIENCE, async || {
            ensure!(self.passes.load(Ordering::SeqCst) >= before + number);
            Ok(())
        })
        .await;
    }

    async fn change(&self, spec: Value) {
        self.scene.patch::<Dial>("x", json!({ "spec": spec })).await;
    }

    async fn dial(&self) -> Value {
        to_value(self.scene.api::<Dial>().get("x").await.expect("it exists")).expect("JSON")
    }

    /// Waits until `Ready` has this status and message, and says since when it has the status.
    async fn since(&self, status: &str, message: &str) -> Value {
        wait_for("the condition is as wanted", PATIENCE, async || {
            let ready = condition(&self.dial().await, "Ready");
            let said = ready["message"].as_str().unwrap_or_default();
            ensure!(ready["status"] == status && said.contains(message), "{ready}");
            Ok(ready["lastTransitionTime"].clone())
        })
        .await
    }
}

async fn a_steady_object_stays_as_it_is(cluster: &'static Cluster) {
    let stage = Stage::on(cluster, "failures-steady", Duration::from_millis(200)).await;
    let before = stage.dial().await["metadata"]["resourceVersion"].clone();
    // As many as there are in a minute with a resync every five seconds.
    stage.more(12).await;
    assert_eq!(stage.dial().await["metadata"]["resourceVersion"], before);
    stage.running.stop().await;
}

async fn times_move_with_the_status_and_not_with_the_message(cluster: &'static Cluster) {
    let stage = Stage::on(cluster, "failures-times", Duration::from_mins(10)).await;
    let ready = stage.since("True", "").await;
    next_second();
    stage.change(json!({ "trouble": "bent" })).await;
    let failed = stage.since("False", "bent").await;
    next_second();
    stage.change(json!({ "trouble": "broken" })).await;
    assert_eq!(
        stage.since("False", "broken").await,
        failed,
        "only the message has changed"
    );
    stage.change(json!({ "trouble": "" })).await;
    let again = stage.since("True", "").await;
    assert!(
        ready != failed && failed != again && ready != again,
        "{ready}, {failed}, {again}"
    );
    stage.running.stop().await;
}

async fn a_generation_is_shown_once_it_is_handled_and_not_before(cluster: &'static Cluster) {
    let stage = Stage::on(cluster, "failures-generation", Duration::from_mins(10)).await;
    let mark = stage.scene.mark().await;
    stage.change(json!({ "note": "changed" })).await;
    let ready: Dial = stage.scene.ready("x").await;
    assert_eq!(ready.status.expect("a status").observed_generation, Some(2));
    let writes = stage
        .scene
        .requests(mark)
        .await
        .filter(operatorkit_testing::audit::Entry::is_write);
    assert_eq!(writes.len(), 1, "{writes}");

    // A pass that hangs has handled nothing.
    stage.gate.send_replace(false);
    let before = stage.passes.load(Ordering::SeqCst);
    stage.change(json!({ "note": "changed again" })).await;
    wait_for("the pass has begun", PATIENCE, async || {
        ensure!(stage.passes.load(Ordering::SeqCst) > before);
        Ok(())
    })
    .await;
    let held = stage.dial().await;
    assert_eq!(held["metadata"]["generation"], 3);
    assert_eq!(held["status"]["observedGeneration"], 2);
    assert_eq!(condition(&held, "Ready")["observedGeneration"], 2);
    stage.gate.send_replace(true);
    let ready: Dial = stage.scene.ready("x").await;
    assert_eq!(ready.status.expect("a status").observed_generation, Some(3));
    stage.running.stop().await;
}

crate::servers::on_both!(
    a_steady_object_stays_as_it_is,
    times_move_with_the_status_and_not_with_the_message,
    a_generation_is_shown_once_it_is_handled_and_not_before,
);
