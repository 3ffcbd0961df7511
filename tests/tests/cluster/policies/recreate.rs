//! `replace = "recreate"`: what cannot be changed is deleted and made again, and nothing is deleted for any other reason.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use operatorkit::{
    RunSettings,
    anyhow::ensure,
    k8s_openapi::api::{
        apps::v1::{Deployment, StatefulSet},
        batch::v1::Job,
        core::v1::{ConfigMap, PersistentVolumeClaim, Secret, Service},
    },
    prelude::*,
    serde_json::{Value, json, to_value},
};
use operatorkit_testing::{Cluster, PATIENCE, wait_for};

use super::{Parcel, assert_event, config_map, deployment, fill, get, plain, refused, typed, version};
use crate::scene::{Object, Scene, condition};

version!(recreating: replace = "recreate");

fn job(name: &str, image: &str) -> Value {
    let template = json!({ "spec": { "restartPolicy": "Never", "containers": [{ "name": "work", "image": image }] } });
    json!({ "apiVersion": "batch/v1", "kind": "Job", "metadata": { "name": name }, "spec": { "template": template } })
}

fn spec(api_version: &str, kind: &str, spec: &Value) -> Value {
    json!({ "apiVersion": api_version, "kind": kind, "metadata": { "name": "x" }, "spec": spec })
}

async fn uid<K: Object>(scene: &Scene) -> Option<String> {
    get::<K>(scene, "x").await.meta().uid.clone()
}

/// Changes the content to something that the kind does not let be changed, and waits for the new one.
async fn replaced<K: Object>(scene: &Scene, before: Value, after: Value, path: &str) {
    fill(scene, "p", std::slice::from_ref(&before)).await;
    let _ready: Parcel = scene.ready("p").await;
    let old = uid::<K>(scene).await;
    fill(scene, "p", std::slice::from_ref(&after)).await;
    let what = format!("{} is made again", after["kind"]);
    wait_for(&what, PATIENCE, async || {
        let new = to_value(scene.api::<K>().get_opt("x").await?)?;
        if new["metadata"]["finalizers"][0] == "kubernetes.io/pvc-protection"
            && new["metadata"]["deletionTimestamp"].is_string()
        {
            // Nobody does it here: the controller for it is not among those that run.
            let _freed: K = scene.patch("x", json!({ "metadata": { "finalizers": null } })).await;
        }
        let owner: Parcel = get(scene, "p").await;
        ensure!(
            new["metadata"]["uid"] != json!(old),
            "it is the old one: {}",
            condition(&to_value(owner)?, "Ready")
        );
        ensure!(new.pointer(path) == after.pointer(path), "{new}");
        Ok(())
    })
    .await;
    let _ready: Parcel = scene.ready("p").await;
}

async fn what_cannot_be_changed_is_made_again(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "recreate").await;
    scene.install::<Parcel>().await;
    let running = scene.start(recreating::app());
    scene.create(&plain::parcel("p", &[])).await;

    replaced::<Job>(
        &scene,
        job("x", "one"),
        job("x", "two"),
        "/spec/template/spec/containers/0/image",
    )
    .await;
    replaced::<Deployment>(
        &scene,
        deployment("x", "one", "web", Some(0)),
        deployment("x", "two", "web", Some(0)),
        "/spec/selector/matchLabels/app",
    )
    .await;
    let service = |ip: Option<&str>| {
        let mut service = json!({ "selector": { "app": "x" }, "ports": [{ "port": 80 }] });
        if let Some(ip) = ip {
            service["clusterIP"] = json!(ip);
        }
        spec("v1", "Service", &service)
    };
    replaced::<Service>(&scene, service(None), service(Some("None")), "/spec/clusterIP").await;
    let immutable = |kind: &str, data: Value| json!({ "apiVersion": "v1", "kind": kind, "metadata": { "name": "x" }, "immutable": true, "data": data });
    replaced::<ConfigMap>(
        &scene,
        immutable("ConfigMap", json!({ "a": "1" })),
        immutable("ConfigMap", json!({ "a": "2" })),
        "/data/a",
    )
    .await;
    replaced::<Secret>(
        &scene,
        immutable("Secret", json!({ "a": "Mg==" })),
        immutable("Secret", json!({ "a": "MQ==" })),
        "/data/a",
    )
    .await;
    let set = |service: &str| {
        let template = json!({ "metadata": { "labels": { "app": "x" } }, "spec": { "containers": [{ "name": "db", "image": "db" }] } });
        let set = json!({ "replicas": 0, "serviceName": service, "selector": { "matchLabels": { "app": "x" } }, "template": template });
        spec("apps/v1", "StatefulSet", &set)
    };
    replaced::<StatefulSet>(&scene, set("one"), set("two"), "/spec/serviceName").await;
    // The last: what protects a claim keeps it from being pruned, too.
    let claim = |class: &str| {
        let resources = json!({ "requests": { "storage": "1Gi" } });
        let claim = json!({ "storageClassName": class, "accessModes": ["ReadWriteOnce"], "resources": resources });
        spec("v1", "PersistentVolumeClaim", &claim)
    };
    replaced::<PersistentVolumeClaim>(&scene, claim("one"), claim("two"), "/spec/storageClassName").await;
    assert_event(&scene, "p", "Normal", "Recreated", "spec.template: field is immutable").await;
    running.stop().await;
}

/// A Job, and a note of which one it is.
#[operator(
    group = "policies.test",
    version = "v1",
    kind = "Errand",
    namespaced,
    resources(Work, Note)
)]
pub(crate) struct ErrandSpec {
    image: String,
}

#[resource(replace = "recreate")]
pub(crate) struct Work;

impl Manifest for Work {
    type Operator = Errand;
    type Object = Job;

    async fn desired(&self, object: &Errand, _cx: &Cx<Self>) -> Result<Desired<Job>> {
        let job: Job = operatorkit::serde_json::from_value(job("x", &object.spec.image))?;
        Ok(job.into())
    }

    fn readiness(&self, _child: &Job) -> Option<Readiness> {
        Some(Readiness::Ready)
    }
}

#[resource(after(Work))]
pub(crate) struct Note;

impl Manifest for Note {
    type Operator = Errand;
    type Object = ConfigMap;

    async fn desired(&self, _object: &Errand, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        let work = cx.after::<Work>().output()?;
        let uid = work.one()?.metadata.uid.clone();
        Ok(crate::scene::config_map("note", json!({ "job": uid }))?.into())
    }
}

async fn what_depends_on_it_waits_until_it_is_there_again(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "recreate-order").await;
    scene.install::<Errand>().await;
    let running =
        scene.start(App::new("errands").operator(|_env| async { Ok(ErrandResources { work: Work, note: Note }) }));
    scene
        .create(&Errand::new("e", ErrandSpec { image: "one".into() }))
        .await;
    let _ready: Errand = scene.ready("e").await;
    let noted = async || get::<ConfigMap>(&scene, "note").await.data.unwrap_or_default()["job"].clone();
    assert_eq!(Some(noted().await), uid::<Job>(&scene).await);
    let old = uid::<Job>(&scene).await;
    let start = scene.mark().await;
    let _changed: Errand = scene.patch("e", json!({ "spec": { "image": "two" } })).await;
    wait_for("the note tells of the new Job", PATIENCE, async || {
        let new = scene.api::<Job>().get_opt("x").await?.and_then(|job| job.metadata.uid);
        ensure!(new.is_some() && new != old && Some(noted().await) == new);
        Ok(())
    })
    .await;
    // Deleted, seen to be gone or told by the watch, made, and only then what depends on it.
    let requests = scene.requests(start).await;
    let writes: Vec<_> = requests
        .iter()
        .filter(|request| request.is_write() && request.object.subresource.is_empty() && request.code < 400)
        .map(|request| format!("{} {}", request.verb, request.resource()))
        .filter(|write| !write.contains("errands") && !write.contains("events"))
        .collect();
    assert_eq!(writes, ["delete jobs", "patch jobs", "patch configmaps"], "{requests}");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn without_the_key_nothing_is_deleted_and_the_remedy_is_told() {
    let scene = Scene::alone("recreate-without").await;
    scene.install::<Parcel>().await;
    let running = scene.start(plain::app());
    scene.create(&plain::parcel("p", &[job("x", "one")])).await;
    let _ready: Parcel = scene.ready("p").await;
    let (before, start) = (uid::<Job>(&scene).await, scene.mark().await);
    fill(&scene, "p", &[job("x", "two")]).await;
    let message = refused(&scene, "p", "Immutable").await;
    for part in ["spec.template: field is immutable", "`replace = \"recreate\"`"] {
        assert!(message.contains(part), "{message}");
    }
    assert_eq!(scene.deletions(start).await, Vec::<String>::new());
    assert_eq!(uid::<Job>(&scene).await, before);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn what_is_wrong_besides_deletes_nothing() {
    let scene = Scene::alone("recreate-wrong").await;
    scene.install::<Parcel>().await;
    let running = scene.start(recreating::app());
    scene.create(&plain::parcel("p", &[job("x", "one")])).await;
    let _ready: Parcel = scene.ready("p").await;
    let (before, start) = (uid::<Job>(&scene).await, scene.mark().await);
    let mut wrong = job("x", "two");
    wrong["spec"]["parallelism"] = json!(-1);
    fill(&scene, "p", &[wrong]).await;
    let message = refused(&scene, "p", "Invalid").await;
    assert!(message.contains("spec.parallelism"), "{message}");
    assert_eq!(scene.deletions(start).await, Vec::<String>::new());
    assert_eq!(uid::<Job>(&scene).await, before);
    // What is wrong besides is corrected: now it is made again.
    replaced::<Job>(
        &scene,
        job("x", "one"),
        job("x", "two"),
        "/spec/template/spec/containers/0/image",
    )
    .await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn what_was_made_of_exactly_this_is_not_deleted_for_it() {
    let scene = Scene::alone("recreate-same").await;
    scene.install::<Parcel>().await;
    let running = scene.start(recreating::app());
    let mut map = config_map("x", json!({ "a": "1" }));
    map["immutable"] = json!(true);
    scene.create(&plain::parcel("p", std::slice::from_ref(&map))).await;
    let _ready: Parcel = scene.ready("p").await;
    running.stop().await;
    // As if something had changed it while it was made: with our mark and hash, and another value.
    let made: ConfigMap = get(&scene, "x").await;
    scene.delete::<ConfigMap>("x").await;
    map["data"]["a"] = json!("changed");
    let mut changed = typed(&map);
    changed.metadata.labels = made.metadata.labels;
    changed.metadata.annotations = made.metadata.annotations;
    let before = scene.create(&changed).await;

    let start = scene.mark().await;
    let running = scene.start(recreating::app());
    let message = refused(&scene, "p", "Immutable").await;
    assert!(message.contains("made of exactly this"), "{message}");
    tokio::time::sleep(Duration::from_hours(1)).await;
    assert_eq!(scene.deletions(start).await, Vec::<String>::new());
    assert_eq!(get::<ConfigMap>(&scene, "x").await, before);
    running.stop().await;
}

/// Wants something else at each pass.
#[operator(
    group = "policies.test",
    version = "v1",
    kind = "Whim",
    namespaced,
    resources(Fickle)
)]
pub(crate) struct WhimSpec {}

#[resource(replace = "recreate")]
pub(crate) struct Fickle(AtomicUsize);

impl Manifest for Fickle {
    type Operator = Whim;
    type Object = ConfigMap;

    async fn desired(&self, _object: &Whim, _cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        let pass = self.0.fetch_add(1, Ordering::SeqCst).to_string();
        let mut map = config_map("x", json!({ "pass": pass }));
        map["immutable"] = json!(true);
        Ok(typed(&map).into())
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_to_be_made_again_and_again_is_deleted_less_and_less_often() {
    let scene = Scene::alone("recreate-whim").await;
    scene.install::<Whim>().await;
    let resources = || async {
        Ok(WhimResources {
            fickle: Fickle(AtomicUsize::default()),
        })
    };
    let settings = RunSettings {
        namespaces: vec![scene.namespace.clone()],
        resync: Duration::from_millis(300),
        ..RunSettings::default()
    };
    let running = scene.start_with(App::new("whims").operator(move |_env| resources()), settings);
    scene.create(&Whim::new("w", WhimSpec {})).await;
    let start = scene.mark().await;
    tokio::time::sleep(Duration::from_mins(2)).await;
    // After 1, 2, 4, … 64 s: seven, or eight with the first, and not one for each pass.
    let deletions = scene.deletions(start).await.len();
    assert!((4..=8).contains(&deletions), "{deletions} deletions");
    running.stop().await;
}

crate::servers::on_both! {
    what_cannot_be_changed_is_made_again,
    what_depends_on_it_waits_until_it_is_there_again,
}
