//! The command `release`: everything of an operator's is given up, and nothing is deleted.

mod bounds;
mod estate;
mod running;
mod trouble;

use std::{collections::BTreeMap, fs, path::PathBuf};

use operatorkit::{
    k8s_openapi::api::{apps::v1::Deployment, core::v1::ConfigMap, core::v1::Service},
    kube::{
        Api, ResourceExt as _,
        api::{ApiResource, DeleteParams, DynamicObject, PostParams},
        core::GroupVersionKind,
    },
    serde_json::{Value, from_value, json, to_value},
};
use operatorkit_testing::{Cluster, PATIENCE, audit::Entry, eventually, eventually_gone, example_binary};

use crate::{
    scene::{Object, Scene, condition},
    webapps::{WebApps, ready},
};

/// What a run of the command came to.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    /// What was released, sorted: objects are dealt with at the same time.
    pub(crate) lines: Vec<String>,
    pub(crate) errors: String,
}

/// `<example> release`, as the scene's user and in the scene's namespace, with these arguments more.
pub(crate) async fn release(scene: &Scene, example: &str, args: &[&str]) -> Said {
    let program = example_binary(example).expect("the example");
    let mut command = scene.cluster.command(program, &scene.user);
    command.args(["release", "--namespace", &scene.namespace]).args(args);
    let ran = tokio::task::spawn_blocking(move || command.output()).await;
    let output = ran.expect("it ran").expect("it starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let mut lines: Vec<_> = text(output.stdout).lines().map(str::to_owned).collect();
    lines.sort();
    Said {
        code: output.status.code(),
        lines,
        errors: text(output.stderr),
    }
}

/// What of an object is ours: names in its metadata, and what is stored in its status.
pub(crate) fn ours(object: &impl operatorkit::serde::Serialize) -> Vec<String> {
    let object = to_value(object).expect("JSON");
    let metadata = object["metadata"].to_string();
    let stored = object["status"]["operatorkit"].to_string();
    let names = ["\"operatorkit.dev/", "\"f:operatorkit.dev/"];
    let mut found: Vec<_> = names
        .into_iter()
        .flat_map(|name| metadata.match_indices(name))
        .collect();
    found.sort_unstable();
    let mut found: Vec<_> = found
        .into_iter()
        .map(|(at, _)| metadata[at..].chars().take(50).collect())
        .collect();
    found.extend((stored != "null").then_some(stored));
    found
}

/// The children of a `WebApp` or the like, by kind and name.
async fn children(scene: &Scene) -> BTreeMap<String, Value> {
    let mut all = BTreeMap::new();
    let mut add = |kind: &str, name: String, object: Value| all.insert(format!("{kind}/{name}"), object);
    for (name, map) in scene.children::<ConfigMap>("").await {
        add("ConfigMap", name, to_value(map).expect("JSON"));
    }
    for (name, service) in scene.children::<Service>("").await {
        add("Service", name, to_value(service).expect("JSON"));
    }
    for (name, deployment) in scene.children::<Deployment>("").await {
        add("Deployment", name, to_value(deployment).expect("JSON"));
    }
    // The real server puts one into each namespace.
    all.remove("ConfigMap/kube-root-ca.crt");
    all
}

fn uids(children: &BTreeMap<String, Value>) -> Vec<&Value> {
    children.values().map(|child| &child["metadata"]["uid"]).collect()
}

/// `WebApp`s that are ready, and an operator that has stopped.
pub(crate) async fn made(cluster: &'static Cluster, name: &'static str, objects: &[&str]) -> WebApps {
    let webapps = WebApps::on(cluster, name).await;
    let mut running = webapps.run(&[]);
    for object in objects {
        webapps.create(object).await;
    }
    for object in objects {
        let _ready = webapps.ready(object).await;
    }
    running.terminate();
    let _ended = running.wait(PATIENCE).await;
    webapps
}

async fn everything_is_given_up_and_nothing_is_deleted(cluster: &'static Cluster) {
    let webapps = made(cluster, "release", &["x"]).await;
    let scene = &webapps.scene;
    let before = children(scene).await;
    let object = webapps.api.get("x").await.expect("it is there");
    assert!(!ours(&object).is_empty() && before.values().all(|child| !ours(child).is_empty()));

    let start = scene.mark().await;
    let said = release(scene, "webapp", &["--dry-run"]).await;
    let ns = &scene.namespace;
    let all = |what: &str| {
        [
            format!("ConfigMap {ns}/x-settings {what}"),
            format!("Deployment.apps {ns}/x {what}"),
            format!("Service {ns}/x {what}"),
            format!("WebApp.demo.operatorkit.dev {ns}/x {what}"),
        ]
    };
    assert_eq!((said.code, said.errors.as_str()), (Some(0), ""));
    assert_eq!(said.lines, all("would be released"));
    let writes = scene.requests(start).await.writes();
    assert!(writes.is_empty(), "{writes}");

    let start = scene.mark().await;
    let said = release(scene, "webapp", &[]).await;
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(said.lines, all("released"));
    assert!(said.errors.contains("scale its Deployment to zero"), "{said:?}");
    let writes = scene.requests(start).await.writes();
    assert_eq!(writes.by_verb(), [("patch", 4)].into(), "one for each: {writes}");
    assert_eq!(
        writes.iter().last().map(Entry::resource).as_deref(),
        Some("webapps"),
        "{writes}"
    );

    let after = children(scene).await;
    assert_eq!(uids(&after), uids(&before), "they stay");
    for child in after.values() {
        assert_eq!(ours(child), [""; 0], "{child}");
    }
    let object = webapps.api.get("x").await.expect("it stays");
    assert_eq!(ours(&object), [""; 0], "{object:?}");
    assert!(
        object.finalizers().is_empty() && object.data["status"]["conditions"].is_array(),
        "{object:?}"
    );

    let start = scene.mark().await;
    let said = release(scene, "webapp", &[]).await;
    assert_eq!(
        (said.code, said.lines),
        (Some(0), vec!["nothing to release".to_owned()])
    );
    let writes = scene.requests(start).await.writes();
    assert!(writes.is_empty(), "{writes}");

    // It goes by itself now, and alone.
    webapps.delete("x").await;
    eventually_gone(&webapps.api, "x", PATIENCE).await;
    assert_eq!(uids(&children(scene).await), uids(&before));
}

/// The example `buckets` with a bucket that is ready, and stopped.
struct Buckets {
    scene: Scene,
    api: Api<DynamicObject>,
    folder: PathBuf,
}

impl Buckets {
    async fn made(cluster: &'static Cluster, name: &'static str) -> Self {
        let scene = Scene::on(cluster, name).await;
        let program = example_binary("buckets").expect("the example");
        scene.install_printed(&program).await;
        let kind = ApiResource::from_gvk(&GroupVersionKind::gvk("demo.operatorkit.dev", "v1", "Bucket"));
        let api = Api::namespaced_with(scene.client.clone(), &scene.namespace, &kind);
        let folder = cluster.folder().join(&scene.namespace);
        let mut command = cluster.command(program, &scene.user);
        command.args([
            "run",
            "--metrics-address=0",
            "--health-address=0",
            "--namespace",
            &scene.namespace,
        ]);
        command.env("BUCKETS_DIR", &folder);
        let mut running = cluster.spawn(&command).expect("it starts");
        let mut bucket = DynamicObject::new("x", &kind);
        bucket.data = json!({ "spec": { "quota": 1 } });
        api.create(&PostParams::default(), &bucket).await.expect("created");
        let _ready = ready(&api, "x").await;
        running.terminate();
        let _ended = running.wait(PATIENCE).await;
        Self { scene, api, folder }
    }

    /// What is at the provider.
    fn things(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.folder).expect("the provider is there");
        let names = entries.map(|entry| {
            entry
                .expect("the provider is there")
                .file_name()
                .into_string()
                .expect("UTF-8")
        });
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }

    async fn object(&self) -> Value {
        to_value(self.api.get("x").await.expect("it is there")).expect("JSON")
    }
}

async fn what_is_outside_of_kubernetes_stays_and_is_told(cluster: &'static Cluster) {
    let buckets = Buckets::made(cluster, "release-outside").await;
    let scene = &buckets.scene;
    let (things, before) = (buckets.things(), buckets.object().await);
    let state = &before["status"]["operatorkit"]["state"];
    let said = release(scene, "buckets", &[]).await;
    assert_eq!(said.code, Some(0), "{said:?}");
    for resource in ["store", "policy"] {
        let id = &state[resource]["state"];
        assert!(id["id"].is_string(), "{before}");
        let line = format!(
            "Bucket.demo.operatorkit.dev {}/x: `{resource}` leaves {id} (token ok-",
            scene.namespace
        );
        assert!(said.lines.iter().any(|it| it.starts_with(&line)), "{line}: {said:?}");
    }
    assert_eq!(buckets.things(), things, "nothing is done there");
    let after = buckets.object().await;
    assert_eq!(ours(&after), [""; 0], "{after}");
    assert_eq!(
        after["status"]["path"], before["status"]["path"],
        "what the user shows stays"
    );

    buckets
        .api
        .delete("x", &DeleteParams::default())
        .await
        .expect("deleted");
    eventually_gone(&buckets.api, "x", PATIENCE).await;
    assert_eq!(buckets.things(), things);
}

/// One whose deletion nobody carried out any more.
async fn an_object_that_is_being_deleted_goes_without_its_children(cluster: &'static Cluster) {
    let webapps = made(cluster, "release-deleted", &["x"]).await;
    let scene = &webapps.scene;
    let before = children(scene).await;
    webapps.delete("x").await;
    assert!(
        webapps
            .api
            .get("x")
            .await
            .expect("it is held")
            .metadata
            .deletion_timestamp
            .is_some()
    );
    let said = release(scene, "webapp", &[]).await;
    assert_eq!(said.code, Some(0), "{said:?}");
    let goes = format!(
        "WebApp.demo.operatorkit.dev {}/x released, which is being deleted: it goes without its children",
        scene.namespace
    );
    assert!(said.lines.contains(&goes), "{said:?}");
    eventually_gone(&webapps.api, "x", PATIENCE).await;
    let after = children(scene).await;
    assert_eq!(uids(&after), uids(&before));
    assert!(after.values().all(|child| ours(child).is_empty()), "{after:?}");
}

async fn an_operator_that_comes_back_takes_nothing_back(cluster: &'static Cluster) {
    let webapps = made(cluster, "release-back", &["x"]).await;
    let scene = &webapps.scene;
    let said = release(scene, "webapp", &[]).await;
    assert_eq!(said.code, Some(0), "{said:?}");
    let before = children(scene).await;
    let mut running = webapps.run(&[]);
    let shown = eventually(&webapps.api, "x", "is refused its children", PATIENCE, |object| {
        let object = to_value(object).expect("JSON");
        condition(&object, "Ready")["reason"] == "NameCollision"
    })
    .await;
    assert_eq!(shown.finalizers(), ["operatorkit.dev/webapps.demo.operatorkit.dev"]);
    running.terminate();
    let _ended = running.wait(PATIENCE).await;
    // The workloads' controllers may write to them, nobody else.
    let specs = |all: &BTreeMap<String, Value>| {
        let parts = all
            .values()
            .map(|it| (it["metadata"]["uid"].clone(), it["spec"].clone(), it["data"].clone()));
        parts.collect::<Vec<_>>()
    };
    let after = children(scene).await;
    assert_eq!(specs(&after), specs(&before));
    assert!(after.values().all(|child| ours(child).is_empty()), "{after:?}");
    let said = release(scene, "webapp", &[]).await;
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(
        said.lines,
        [format!("WebApp.demo.operatorkit.dev {}/x released", scene.namespace)]
    );
}

/// Creates what a test has as JSON.
async fn create<K: Object>(scene: &Scene, object: Value) -> K {
    scene.create(&from_value::<K>(object).expect("an object")).await
}

crate::servers::on_both! {
    everything_is_given_up_and_nothing_is_deleted,
    what_is_outside_of_kubernetes_stays_and_is_told,
    an_object_that_is_being_deleted_goes_without_its_children,
    an_operator_that_comes_back_takes_nothing_back,
}
