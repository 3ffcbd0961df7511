//! Takes the steps of a scenario, starts the operator as often as it is killed, and waits until all is quiet.

use std::{sync::Arc, time::Duration};

use anyhow::Result;
use kube::{
    Api, Client,
    api::{DeleteParams, DynamicObject, Patch, PatchParams, PostParams},
};
use operatorkit_apiserver::access::User;
use serde_json::json;
use tokio::{
    sync::mpsc::{UnboundedReceiver, unbounded_channel},
    task::JoinHandle,
    time::sleep,
};

use super::{
    Base, How, Outcome, PATIENCE, QUIET,
    crossings::Crossings,
    stage::{Order, QUIET_RULE, Stage},
    wire::{OPERATOR, Wire},
};
use crate::explorer::{
    ending::Ending,
    plan::Plan,
    scenario::{NAMESPACE, Scenario, Step, Target},
    subject::Subject,
};

/// How long a dead operator takes to come back.
const RESTART: Duration = Duration::from_secs(1);

/// A run, from the first start of the operator to its end.
pub(in crate::explorer) async fn conduct(scenario: &Scenario, base: &Base, plan: &Plan, how: &How<'_>) -> Outcome {
    let server = base.start(scenario, how.seed);
    let subject = (scenario.subject)();
    let (orders, receive) = unbounded_channel();
    let objects = scenario.objects().cloned().collect();
    let stage = Arc::new(Stage::new(
        server,
        subject.outside.clone(),
        objects,
        plan,
        how.known.cloned(),
        orders,
    ));
    let mut conductor = Conductor {
        stage: stage.clone(),
        subject,
        orders: receive,
        incarnation: 0,
        version: how.version,
        running: None,
        endings: Vec::new(),
        starts: Vec::new(),
    };
    conductor.start();
    sleep(RESTART).await;
    let mut refused = None;
    for step in &scenario.steps {
        conductor.starts.push(stage.begin_step());
        if let Err(error) = conductor.take(step).await {
            refused = Some((step.to_string(), error));
            break;
        }
        if !conductor.settle(step).await {
            break;
        }
        let ending = stage.with_judge(|judge| Ending::of(&stage.server, &*stage.outside, judge));
        conductor.endings.push(ending);
    }
    let broken_off = conductor.endings.len() < scenario.steps.len();
    stage.with_judge(|judge| judge.end(stage.elapsed(), broken_off, plan.has_acts()));
    if let Some(running) = conductor.running.take() {
        running.abort();
    }
    let (points, timeline, met) = stage.take();
    let (history, violations) = stage.with_judge(|judge| (judge.history.clone(), judge.violations.clone()));
    Outcome {
        points,
        history,
        endings: conductor.endings,
        starts: conductor.starts,
        violations,
        timeline,
        met,
        refused,
    }
}

struct Conductor {
    stage: Arc<Stage>,
    subject: Subject,
    orders: UnboundedReceiver<Order>,
    incarnation: u32,
    version: usize,
    running: Option<JoinHandle<Result<()>>>,
    endings: Vec<Ending>,
    starts: Vec<usize>,
}

impl Conductor {
    fn start(&mut self) {
        self.incarnation += 1;
        let (stage, incarnation) = (self.stage.clone(), self.incarnation);
        let wire = Wire {
            server: stage.server.service_as(User::new(OPERATOR, ["system:masters"])),
            stage: stage.clone(),
            incarnation,
        };
        stage.begin(incarnation);
        let client = Client::new(wire, NAMESPACE);
        let start = &self.subject.versions[self.version];
        self.running = Some(tokio::spawn(start(client, Crossings { stage, incarnation })));
    }

    /// Drops the operator as it is, and starts the next one.
    async fn again(&mut self, order: Order) {
        if let Some(running) = self.running.take() {
            running.abort();
            let _aborted = running.await;
        }
        if let Order::Upgraded(_) = order {
            self.version = (self.version + 1).min(self.subject.versions.len() - 1);
        }
        sleep(RESTART).await;
        self.start();
    }

    /// Does what a user does; an error if that is refused.
    async fn take(&mut self, step: &Step) -> kube::Result<()> {
        let stage = self.stage.clone();
        stage.say(|| format!("user       {step}"));
        stage.look(false);
        let done = match step {
            Step::Create(target, object) => {
                let object = serde_json::from_value(object.clone()).unwrap_or_else(|error| panic!("{target}: {error}"));
                let api = api(&stage.user, target);
                api.create(&PostParams::default(), &object).await.map(drop)
            }
            Step::Change(target, patch) => {
                let patch = Patch::Merge(patch);
                let api = api(&stage.user, target);
                api.patch(&target.name, &PatchParams::default(), &patch).await.map(drop)
            }
            Step::Set(target, field, value) => {
                let patch = json!([{ "op": "add", "path": field, "value": value }]);
                let patch = serde_json::from_value(patch).unwrap_or_else(|error| panic!("{step}: {error}"));
                let patch = Patch::Json::<()>(patch);
                let api = api(&stage.user, target);
                api.patch(&target.name, &PatchParams::default(), &patch).await.map(drop)
            }
            Step::Delete(target) => {
                stage.deletes();
                let api = api(&stage.user, target);
                api.delete(&target.name, &DeleteParams::default()).await.map(drop)
            }
            Step::Upgrade => {
                stage.upgrade();
                Ok(())
            }
        };
        match done {
            // Somebody else has deleted it.
            Err(kube::Error::Api(status)) if status.code == 404 && !matches!(step, Step::Create(..)) => {}
            done => done?,
        }
        stage.look(false);
        Ok(())
    }

    /// Waits until all is quiet; `false` if the run need not go on.
    async fn settle(&mut self, step: &Step) -> bool {
        let limit = self.stage.elapsed() + PATIENCE;
        loop {
            let ended = async {
                match &mut self.running {
                    Some(running) => running.await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                Some(order) = self.orders.recv() => {
                    self.again(order).await;
                    continue;
                }
                ended = ended => {
                    self.running = None;
                    let seen = format!("it has ended by itself: {ended:?}");
                    self.stage.found("the operator runs on", seen);
                    return false;
                }
                () = sleep(Duration::from_secs(20)) => {}
            }
            self.stage.look(false);
            if self.stage.is_broken() {
                return false;
            }
            if self.stage.quiet_for().is_some_and(|quiet| quiet >= QUIET) {
                return true;
            }
            if self.stage.elapsed() > limit {
                let text = format!(
                    "{step}: the operator still writes after {} h",
                    PATIENCE.as_secs() / 3600
                );
                self.stage.found(QUIET_RULE, text);
                return false;
            }
        }
    }
}

/// Where an object of a step is.
pub(super) fn api(client: &Client, target: &Target) -> Api<DynamicObject> {
    match &target.namespace {
        Some(namespace) => Api::namespaced_with(client.clone(), namespace, &target.kind),
        None => Api::all_with(client.clone(), &target.kind),
    }
}
