//! Failures that operators have had in public: what `docs/failures.md` says of them is so.

mod caches;
mod conflicts;
mod finalizers;
mod late;
mod names;
mod namesakes;
mod orders;
mod owners;
mod quiet;
mod readiness;
mod reads;
mod refusals;
mod retries;
mod vanished;
mod watches;

use operatorkit::{
    k8s_openapi::api::core::v1::ConfigMap,
    metrics::Scraper,
    prelude::*,
    serde_json::{Value, json},
};
use operatorkit_testing::apiserver::fault::{Effect, Fault, FaultId, Matching};

use crate::{
    metrics::value,
    scene::{Running, Scene, config_map},
};

/// Four ConfigMaps, made one after the other and deleted the other way round; their content is the object's.
#[operator(
    group = "failures.test",
    version = "v1",
    kind = "Trial",
    namespaced,
    resources(First, Second, Third, Fourth)
)]
pub(crate) struct TrialSpec {
    text: String,
}

#[resource(order = 1, delete_order = 4)]
pub(crate) struct First;
#[resource(order = 2, delete_order = 3)]
pub(crate) struct Second;
#[resource(order = 3, delete_order = 2)]
pub(crate) struct Third;
#[resource(order = 4, delete_order = 1)]
pub(crate) struct Fourth;

macro_rules! child {
    ($($resource:ident: $suffix:literal),+) => {
        $(impl Manifest for $resource {
            type Operator = Trial;
            type Object = ConfigMap;
            async fn desired(&self, trial: &Trial, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
                Ok(config_map(&cx.child_name($suffix), json!({ "text": trial.spec.text }))?.into())
            }
        })+
    };
}
child!(First: "first", Second: "second", Third: "third", Fourth: "fourth");

const OURS: &str = "operatorkit.dev/trials.failures.test";
const TRIALS: &str = "trials.failures.test";
const CHILDREN: [&str; 4] = ["x-first", "x-second", "x-third", "x-fourth"];

fn resources() -> TrialResources {
    TrialResources {
        first: First,
        second: Second,
        third: Third,
        fourth: Fourth,
    }
}

fn app() -> App {
    App::new("trials").operator(|_env| async { Ok(resources()) })
}

fn trial(name: &str) -> Trial {
    Trial::new(name, TrialSpec { text: "a".into() })
}

/// An operator that runs, and what it measures.
struct Measured {
    running: Running,
    scraper: Scraper,
}

impl Measured {
    fn start(scene: &Scene) -> Self {
        let app = app();
        let scraper = app.scraper();
        Self {
            running: scene.start(app),
            scraper,
        }
    }

    /// How many passes have ended with an error.
    fn errors(&self) -> f64 {
        value(&self.scraper.scrape(), "operatorkit_controller_errors_total", &[]).unwrap_or_default()
    }

    /// Ends it; no pass of it has failed.
    async fn stop_without_errors(self) {
        assert!(self.errors() < 0.5, "{}", self.scraper.scrape());
        self.running.stop().await;
    }
}

/// What the scene's operator asks of a resource with these verbs goes wrong so.
fn disturb(scene: &Scene, verbs: &[&str], resource: &str, effect: Effect, times: u64) -> FaultId {
    let requests = Matching::verbs(verbs.iter().copied())
        .resource(resource)
        .subresource("");
    add(scene, Fault::new(requests.user(&scene.user), effect).times(times))
}

fn add(scene: &Scene, fault: Fault) -> FaultId {
    scene.cluster.faults().expect("the embedded server").add(fault)
}

/// Waits until a fault was met so often.
async fn met(scene: &Scene, fault: FaultId, times: u64) {
    let faults = scene.cluster.faults().expect("the embedded server");
    operatorkit_testing::wait_for("the fault is met", operatorkit_testing::PATIENCE, async || {
        operatorkit::anyhow::ensure!(faults.met(fault) >= times, "{}", faults.met(fault));
        Ok(())
    })
    .await;
}

/// The Events of the type Warning about an object.
async fn warnings(scene: &Scene, name: &str) -> Vec<Value> {
    let events = scene.events(name).await;
    events.into_iter().filter(|event| event["type"] == "Warning").collect()
}

/// The lines about an object that are a warning or worse.
fn complaints(logs: &crate::logs::Logs, name: &str) -> Vec<String> {
    let about = format!("object=\"{name}\"");
    let text = logs.text();
    let lines = text.lines().filter(|line| line.contains(&about));
    let loud = lines.filter(|line| line.contains(" WARN ") || line.contains("ERROR"));
    loud.map(str::to_owned).collect()
}
