//! A terminating namespace, and an object that somebody else still holds: backwards in order, and once.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use operatorkit::{
    RunSettings,
    anyhow::ensure,
    k8s_openapi::api::core::v1::{ConfigMap, Namespace},
    kube::{Api, api::DeleteParams},
    prelude::*,
    serde_json::{from_value, json, to_value},
};
use operatorkit_testing::{Cluster, PATIENCE, eventually, eventually_gone, wait_for};

use crate::scene::{Running, Scene, config_map};

/// What the resources did, in order: `<object> <what>`.
#[derive(Clone, Debug, Default)]
struct Journal(Arc<Mutex<Vec<String>>>);

impl Journal {
    fn note(&self, object: &str, what: &str) {
        self.0.lock().expect("not poisoned").push(format!("{object} {what}"));
    }

    fn count(&self, line: &str) -> usize {
        self.0
            .lock()
            .expect("not poisoned")
            .iter()
            .filter(|noted| *noted == line)
            .count()
    }

    fn deletions(&self, object: &str) -> Vec<String> {
        let begin = format!("{object} delete ");
        let lines = self.0.lock().expect("not poisoned");
        let ends = lines.iter().filter_map(|line| line.strip_prefix(&begin));
        ends.map(str::to_owned).collect()
    }
}

#[operator(
    group = "deletion.test",
    version = "v1",
    kind = "Mixed",
    namespaced,
    resources(Thing, Settings, Job)
)]
pub(crate) struct MixedSpec {}

/// Made first; deleted in the middle.
#[resource(order = 1, delete_order = 2)]
pub(crate) struct Thing {
    journal: Journal,
}

impl External for Thing {
    type Operator = Mixed;
    type State = String;

    async fn find(&self, _token: &Token, _cx: &DeleteCx<Self>) -> Result<Option<String>> {
        Ok(None)
    }

    async fn observe(&self, _mixed: &Mixed, state: &String, _cx: &Cx<Self>) -> Result<Flow<Observed<String>>> {
        Ok(Observed::Matches(state.clone()).into())
    }

    async fn create(&self, _mixed: &Mixed, token: &Token, _cx: &Cx<Self>) -> Result<Flow<String>> {
        Ok(token.to_string().into())
    }

    async fn update(&self, _mixed: &Mixed, state: &String, _cx: &Cx<Self>) -> Result<Flow<String>> {
        Ok(state.clone().into())
    }

    async fn delete(&self, _state: &String, cx: &DeleteCx<Self>) -> Result<Flow<()>> {
        self.journal.note(cx.name(), "delete thing");
        Ok(().into())
    }
}

#[resource(order = 2, delete_order = 3)]
pub(crate) struct Settings;

impl Manifest for Settings {
    type Operator = Mixed;
    type Object = ConfigMap;
    async fn desired(&self, _mixed: &Mixed, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(config_map(&cx.child_name("settings"), json!({}))?.into())
    }
}

/// Made last; undone first.
#[resource(order = 3, delete_order = 1)]
pub(crate) struct Job {
    journal: Journal,
}

impl Step for Job {
    type Operator = Mixed;
    type Output = ();

    async fn ensure_created(&self, _mixed: &Mixed, cx: &Cx<Self>) -> Result<Flow<()>> {
        self.journal.note(cx.name(), "create job");
        Ok(().into())
    }

    async fn ensure_deleted(&self, cx: &DeleteCx<Self>) -> Result<Flow<()>> {
        self.journal.note(cx.name(), "delete job");
        Ok(().into())
    }
}

async fn start(scene: &Scene) -> (Running, Journal) {
    scene.install::<Mixed>().await;
    let journal = Journal::default();
    let noted = journal.clone();
    let app = App::new("mixed").operator(move |_env| async move {
        Ok(MixedResources {
            thing: Thing { journal: noted.clone() },
            settings: Settings,
            job: Job { journal: noted },
        })
    });
    let settings = RunSettings {
        namespaces: vec![scene.namespace.clone()],
        resync: Duration::from_millis(200),
        ..RunSettings::default()
    };
    (scene.start_with(app, settings), journal)
}

async fn in_a_terminating_namespace_everything_still_goes_in_order(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "leaving").await;
    let (running, journal) = start(&scene).await;
    scene.create(&Mixed::new("x", MixedSpec {})).await;
    let _ready: Mixed = scene.ready("x").await;

    let namespaces: Api<Namespace> = Api::all(scene.client.clone());
    namespaces
        .delete(&scene.namespace, &DeleteParams::default())
        .await
        .unwrap();
    eventually_gone(&namespaces, &scene.namespace, PATIENCE).await;
    assert_eq!(journal.deletions("x"), ["job", "thing"]);
    running.stop().await;
}

async fn other_peoples_finalizers_survive_ours_and_cause_no_second_pass(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "others").await;
    let (running, journal) = start(&scene).await;
    let held: Mixed = from_value(json!({
        "apiVersion": "deletion.test/v1",
        "kind": "Mixed",
        "metadata": { "name": "x", "finalizers": ["other.test/keep"] },
        "spec": {},
    }))
    .unwrap();
    scene.create(&held).await;
    let ready: Mixed = scene.ready("x").await;
    let ours = "operatorkit.dev/mixeds.deletion.test".to_owned();
    assert_eq!(
        ready.metadata.finalizers,
        Some(vec!["other.test/keep".to_owned(), ours.clone()])
    );

    scene.delete::<Mixed>("x").await;
    let only_theirs = Some(vec!["other.test/keep".to_owned()]);
    eventually(
        &scene.api::<Mixed>(),
        "x",
        "is held by the other only",
        PATIENCE,
        |object| object.metadata.finalizers == only_theirs,
    )
    .await;
    let released = scene.mark().await;
    // Neither a change nor the time of three resyncs, as another object counts them, brings a second pass.
    let _touched: Mixed = scene
        .patch("x", json!({ "metadata": { "annotations": { "touched": "yes" } } }))
        .await;
    scene.create(&Mixed::new("clock", MixedSpec {})).await;
    wait_for("three resyncs have passed", PATIENCE, async || {
        let passes = journal.count("clock create job");
        ensure!(passes > 4, "{passes} passes");
        Ok(())
    })
    .await;
    assert_eq!(journal.deletions("x"), ["job", "thing"]);
    let about_it = scene.requests(released).await;
    let about_it = about_it.filter(|request| request.object.name == "x" || request.object.name.starts_with("x-"));
    assert!(about_it.is_empty(), "{about_it}");
    let object = scene.api::<Mixed>().get("x").await.unwrap();
    assert_eq!(object.metadata.finalizers, only_theirs);

    let _released: Mixed = scene.patch("x", json!({ "metadata": { "finalizers": null } })).await;
    eventually_gone(&scene.api::<Mixed>(), "x", PATIENCE).await;
    running.stop().await;
    assert_eq!(
        journal.deletions("x"),
        ["job", "thing"],
        "{}",
        to_value(&object).unwrap()
    );
}

crate::servers::on_both! {
    in_a_terminating_namespace_everything_still_goes_in_order,
    other_peoples_finalizers_survive_ours_and_cause_no_second_pass,
}
