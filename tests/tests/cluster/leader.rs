//! Several replicas of one program: one of them leads, and the others are ready to.

mod change;
mod fenced;
mod hand_over;

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use operatorkit::{
    LeaderElection, RunSettings,
    anyhow::{Context as _, ensure},
    k8s_openapi::api::{coordination::v1::Lease, core::v1::ConfigMap},
    kube::Api,
    prelude::*,
    serde_json::json,
};
use operatorkit_testing::{Cluster, PATIENCE, apiserver::fault::Matching, audit::Mark, eventually, wait_for};
use tokio::time::{Instant, sleep};

use crate::scene::{Running, Scene, config_map};

const SECOND: Duration = Duration::from_secs(1);
/// How long a candidate waits between two looks at most.
const LOOK: Duration = Duration::from_millis(4400);

#[operator(
    group = "leader.test",
    version = "v1",
    kind = "Task",
    namespaced,
    resources(Note, Work)
)]
pub(crate) struct TaskSpec {
    note: String,
    /// How long its step takes.
    seconds: u64,
}

#[resource(order = 1)]
pub(crate) struct Note;

impl Manifest for Note {
    type Operator = Task;
    type Object = ConfigMap;
    async fn desired(&self, task: &Task, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(config_map(cx.name(), json!({ "note": task.spec.note }))?.into())
    }
}

/// Says who does it, and takes its time.
#[resource(order = 2)]
pub(crate) struct Work {
    who: String,
    done: Done,
}

/// What was begun and ended, by whom, and when.
type Done = Arc<Mutex<Vec<(String, &'static str, Instant)>>>;

impl Step for Work {
    type Operator = Task;
    type Output = ();
    async fn ensure_created(&self, task: &Task, _cx: &Cx<Self>) -> Result<Flow<()>> {
        let say = |what| {
            self.done
                .lock()
                .expect("no panic")
                .push((self.who.clone(), what, Instant::now()));
        };
        say("begins");
        sleep(Duration::from_secs(task.spec.seconds)).await;
        say("ends");
        Ok(Flow::Ready(()))
    }
}

/// A scene with replicas of one program, a user each.
struct Replicas {
    scene: Scene,
    election: LeaderElection,
    done: Done,
    start: Mark,
}

impl Replicas {
    async fn alone(name: &'static str) -> Self {
        Self::of(Scene::alone(name).await, LeaderElection::new()).await
    }

    async fn on(cluster: &'static Cluster, name: &'static str, election: LeaderElection) -> Self {
        Self::of(Scene::on(cluster, name).await, election).await
    }

    async fn of(scene: Scene, election: LeaderElection) -> Self {
        scene.install::<Task>().await;
        let election = election.namespace(&scene.namespace);
        let start = scene.mark().await;
        Self {
            scene,
            election,
            done: Done::default(),
            start,
        }
    }

    fn app(&self, who: &str) -> App {
        let (who, done) = (who.to_owned(), self.done.clone());
        App::new("tasks").operator(|_env| async {
            Ok(TaskResources {
                note: Note,
                work: Work { who, done },
            })
        })
    }

    fn settings(&self) -> RunSettings {
        RunSettings {
            namespaces: vec![self.scene.namespace.clone()],
            leader_election: Some(self.election.clone()),
            ..RunSettings::default()
        }
    }

    /// A replica that acts as a user of its own.
    fn replica(&self) -> (String, Running) {
        let who = self.scene.cluster.new_admin();
        let running = self.scene.start_as(&who, self.app(&who), self.settings());
        (who, running)
    }

    /// One that leads.
    async fn leader(&self) -> (String, Running) {
        let (who, running) = self.replica();
        wait_for("somebody leads", PATIENCE, async || {
            ensure!(self.writes(&who).await > 0, "nobody does");
            Ok(())
        })
        .await;
        (who, running)
    }

    /// One that waits to lead, with its caches filled.
    async fn candidate(&self) -> (String, Running) {
        let (who, running) = self.replica();
        let log = self.scene.cluster.audit();
        wait_for("the candidate watches and has seen the Lease", PATIENCE, async || {
            let requests = log.since(self.start).await.by_user(&who);
            let asked =
                |verb: &str, resource: &str| requests.iter().any(|it| it.verb == verb && it.resource() == resource);
            ensure!(
                asked("list", "tasks") && asked("list", "configmaps") && asked("get", "leases"),
                "{requests}"
            );
            Ok(())
        })
        .await;
        (who, running)
    }

    async fn task(&self, name: &str, note: &str, seconds: u64) {
        let spec = TaskSpec {
            note: note.to_owned(),
            seconds,
        };
        self.scene.create(&Task::new(name, spec)).await;
    }

    async fn note(&self, name: &str, note: &str) {
        let _task: Task = self.scene.patch(name, json!({ "spec": { "note": note } })).await;
    }

    async fn noted(&self, name: &str, note: &str) {
        eventually(&self.scene.api::<ConfigMap>(), name, "is noted", PATIENCE, |map| {
            map.data
                .as_ref()
                .is_some_and(|data| data.get("note").is_some_and(|it| it == note))
        })
        .await;
    }

    /// How often a user has written anything, Leases included.
    async fn writes(&self, who: &str) -> usize {
        let requests = self.scene.cluster.audit().since(self.start).await;
        requests.by_user(who).writes().len()
    }

    fn leases(&self) -> Api<Lease> {
        Api::namespaced(self.scene.client.clone(), &self.scene.namespace)
    }

    /// Who holds the Lease, and how often that has changed.
    async fn holder(&self) -> Result<(String, i32)> {
        let spec = self.leases().get("tasks").await?.spec.context("a spec")?;
        Ok((
            spec.holder_identity.unwrap_or_default(),
            spec.lease_transitions.unwrap_or(-1),
        ))
    }

    /// Requests of a user about Leases.
    fn about_leases(who: &str) -> Matching {
        Matching::everything().resource("leases.coordination.k8s.io").user(who)
    }

    fn faults(&self) -> &operatorkit_testing::apiserver::fault::Faults {
        self.scene.cluster.faults().expect("an embedded server")
    }

    fn done(&self) -> Vec<(String, &'static str, Instant)> {
        self.done.lock().expect("no panic").clone()
    }
}
