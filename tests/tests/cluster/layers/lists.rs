//! Whose list of layers counts, and when its expressions are evaluated.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use operatorkit::{
    layer::{Recorder, Retry, Timeout},
    prelude::*,
    serde_json::to_value,
};

use crate::{
    flow::script::{Answer, Failing, Script},
    scene::{Scene, line},
};

/// How often the operator's list was evaluated.
static EVALUATED: AtomicUsize = AtomicUsize::new(0);

fn counted(retry: Retry) -> Retry {
    EVALUATED.fetch_add(1, Ordering::Relaxed);
    retry
}

/// Tries three times, unless the resource says something else.
#[operator(
    group = "layers.test",
    version = "v1",
    kind = "Mixed",
    namespaced,
    resources(Usual, Own, Bare),
    layers(counted(Retry::new(3).wait(Duration::from_millis(1))))
)]
pub(crate) struct MixedSpec {}

#[resource]
pub(crate) struct Usual(Arc<Script>);

#[resource(layers(Timeout::after(LIMIT)))]
pub(crate) struct Own(Arc<Script>);

#[resource(layers())]
pub(crate) struct Bare(Arc<Script>);

const LIMIT: Duration = Duration::from_secs(2);

impl Step for Usual {
    type Operator = Mixed;
    type Output = ();
    async fn ensure_created(&self, _mixed: &Mixed, _cx: &Cx<Self>) -> Result<Flow<()>> {
        self.0.call("create usual", |_| {})
    }
}

impl Step for Own {
    type Operator = Mixed;
    type Output = ();
    async fn ensure_created(&self, _mixed: &Mixed, _cx: &Cx<Self>) -> Result<Flow<()>> {
        let _flow = self.0.call("create own", |_| {})?;
        std::future::pending().await
    }
}

impl Step for Bare {
    type Operator = Mixed;
    type Output = ();
    async fn ensure_created(&self, _mixed: &Mixed, _cx: &Cx<Self>) -> Result<Flow<()>> {
        self.0.call("create bare", |_| {})
    }
}

#[tokio::test(start_paused = true)]
async fn a_resources_own_list_replaces_the_operators_and_the_apps_goes_around_both() {
    let scene = Scene::alone("layers-lists").await;
    scene.install::<Mixed>().await;
    let (script, recorder) = (Script::new(), Recorder::new());
    for call in ["create usual", "create bare"] {
        script.on(call, Answer::Fail(Failing::default()));
    }
    let steps = script.clone();
    let app = App::new("mixed").layer(recorder.clone()).operator(|_env| async move {
        Ok(MixedResources {
            usual: Usual(steps.clone()),
            own: Own(steps.clone()),
            bare: Bare(steps),
        })
    });
    let running = scene.start(app);
    scene.create(&Mixed::new("x", MixedSpec {})).await;
    let failed: Mixed = scene.condition("x", "Ready", "False", "Failed").await;
    let failed = to_value(failed).expect("JSON");
    assert_eq!(line(&failed, "own")["reason"], "TimedOut");
    // The app's layer sees one operation each, the resource as many as its own list makes.
    let passes = recorder
        .lines()
        .iter()
        .filter(|line| *line == "own ensure_created: failed")
        .count();
    assert!(passes >= 1, "{:?}", recorder.lines());
    let counts = ["create usual", "create own", "create bare"].map(|call| script.count(call));
    assert_eq!(counts, [3 * passes, passes, passes]);
    script.heal();
    running.stop().await;
    assert_eq!(EVALUATED.load(Ordering::Relaxed), 1);
}
