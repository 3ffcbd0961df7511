//! The user's binary, as the README shows it.

mod dev;
mod stop;

use operatorkit::{
    k8s_openapi::api::core::v1::ConfigMap,
    kube::ResourceExt as _,
    prelude::*,
    serde_json::{self, Value, json},
};
use operatorkit_testing::{Cluster, PATIENCE, audit::Entry, eventually, eventually_gone};

use crate::{
    kubectl::Kubectl,
    scene::{Scene, config_map},
    webapps::{WebApps, create, ready, webapp, webapps},
};

async fn the_readmes_path(cluster: &'static Cluster) {
    let webapps = WebApps::on(cluster, "readme").await;
    let scene = &webapps.scene;
    let Some(kubectl) = Kubectl::new(cluster, &scene.namespace) else {
        return;
    };
    let mut running = webapps.run(&[]);
    running.wait_for_log("running", PATIENCE).await;
    let _said = kubectl.say(&["apply", "-f", "-"], &webapp("x").to_string()).await;
    let _ready = webapps.ready("x").await;

    let table = kubectl.say(&["get", "webapps"], "").await;
    let rows: Vec<Vec<_>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["NAME", "READY", "IMAGE", "AGE"], "{table}");
    assert_eq!(rows[1][..3], ["x", "True", "web:1"], "{table}");

    let start = scene.mark().await;
    let _said = kubectl.say(&["delete", "webapp", "x", "--timeout=60s"], "").await;
    let requests = scene.requests(start).await;
    let order: Vec<_> = requests
        .iter()
        .filter(|request| request.verb == "delete")
        .map(Entry::resource)
        .collect();
    assert_eq!(order, ["services", "deployments", "configmaps"], "{requests}");
    for pair in order.windows(2) {
        let absent = requests
            .iter()
            .position(|it| it.verb == "get" && it.resource() == pair[0] && it.code == 404);
        let next = requests
            .iter()
            .position(|it| it.verb == "delete" && it.resource() == pair[1]);
        assert!(absent.is_some() && absent < next, "{requests}");
    }

    running.terminate();
    let status = running.wait(PATIENCE).await;
    assert_eq!(status.code(), Some(0), "{}", running.log());
}

#[tokio::test]
async fn only_the_named_namespaces_are_operated() {
    let in_first = WebApps::new("named").await;
    let scene = &in_first.scene;
    let (second, other) = (
        scene.cluster.namespace("named").await,
        scene.cluster.namespace("other").await,
    );
    let (in_second, in_other) = (webapps(scene, &second), webapps(scene, &other));
    create(&in_other, "x").await;
    let start = scene.mark().await;
    let mut running = in_first.run(&["--namespace", &second]);
    in_first.create("x").await;
    create(&in_second, "x").await;
    let _ready = (in_first.ready("x").await, ready(&in_second, "x").await);
    create(&in_other, "y").await;
    in_first.create("y").await;
    let _ready = in_first.ready("y").await;

    for name in ["x", "y"] {
        let other = in_other.get(name).await.expect("it is there");
        assert!(
            other.finalizers().is_empty() && !other.data["status"].is_object(),
            "{other:?}"
        );
    }
    let requests = scene.cluster.audit().since(start).await.by_user(&scene.user);
    let about = |request: &Entry| request.object.namespace.clone();
    let elsewhere =
        requests.filter(|it| !it.object.resource.is_empty() && ![&scene.namespace, &second].contains(&&about(it)));
    assert!(elsewhere.is_empty(), "watches, too, are limited:\n{elsewhere}");
    running.kill();
}

#[tokio::test]
async fn json_logs_have_the_keys_of_gos_operatorkit() {
    let webapps = WebApps::new("json").await;
    let foreign = config_map("x-settings", json!({})).expect("a ConfigMap");
    webapps.scene.create(&foreign).await;
    let mut running = webapps.run(&["--log-format", "json", "--log-level", "trace"]);
    webapps.create("x").await;
    running.wait_for_log("not ours", PATIENCE).await;
    webapps.delete("x").await;
    eventually_gone(&webapps.api, "x", PATIENCE).await;
    running.terminate();
    let _status = running.wait(PATIENCE).await;

    let log = running.log();
    let lines: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|err| panic!("{err}: {line}")))
        .collect();
    for line in &lines {
        for key in ["time", "level", "function"] {
            assert!(line[key].is_string(), "no {key}: {line}");
        }
    }
    let of_pass = lines
        .iter()
        .filter(|line| line["object"] == "x" && line["controller"].is_string());
    for line in of_pass.clone() {
        for key in ["event", "loop", "version", "namespace"] {
            assert!(line[key].is_string(), "no {key}: {line}");
        }
    }
    let events: std::collections::BTreeSet<_> = of_pass.clone().filter_map(|line| line["event"].as_str()).collect();
    assert_eq!(events.into_iter().collect::<Vec<_>>(), ["delete", "update"]);
    let error = of_pass
        .clone()
        .find(|line| line["level"] == "error")
        .expect("what went wrong");
    assert!(error["message"].to_string().contains("not ours"), "{error}");
    assert!(
        of_pass.clone().any(|line| line["resource"] == "settings"),
        "lines of a resource name it:\n{log}"
    );
}

/// One of two kinds that one process operates; its child's name is its own.
#[operator(group = "app.test", version = "v1", kind = "Left", namespaced, resources(LeftMap))]
pub(crate) struct LeftSpec {}

/// The other one.
#[operator(group = "app.test", version = "v1", kind = "Right", namespaced, resources(RightMap))]
pub(crate) struct RightSpec {}

#[resource]
pub(crate) struct LeftMap;

#[resource]
pub(crate) struct RightMap;

impl Manifest for LeftMap {
    type Operator = Left;
    type Object = ConfigMap;
    async fn desired(&self, _object: &Left, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(config_map(&cx.child_name("left"), json!({}))?.into())
    }
}

impl Manifest for RightMap {
    type Operator = Right;
    type Object = ConfigMap;
    async fn desired(&self, _object: &Right, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(config_map(&cx.child_name("right"), json!({}))?.into())
    }
}

#[tokio::test]
async fn one_process_runs_several_operators() {
    let scene = Scene::new("several").await;
    scene.install::<Left>().await;
    scene.install::<Right>().await;
    let app = App::new("both")
        .operator(|_env| async { Ok(LeftResources { left_map: LeftMap }) })
        .operator(|_env| async { Ok(RightResources { right_map: RightMap }) });
    let running = scene.start(app);
    scene.create(&Left::new("x", LeftSpec {})).await;
    scene.create(&Right::new("x", RightSpec {})).await;
    let _ready: Left = scene.ready("x").await;
    let _ready: Right = scene.ready("x").await;
    let maps: Vec<_> = scene.children::<ConfigMap>("").await.into_keys().collect();
    assert_eq!(maps, ["x-left", "x-right"]);

    // Each takes only what is its own.
    scene.delete::<Left>("x").await;
    eventually_gone(&scene.api::<Left>(), "x", PATIENCE).await;
    let maps: Vec<_> = scene.children::<ConfigMap>("").await.into_keys().collect();
    assert_eq!(maps, ["x-right"]);
    scene.delete::<ConfigMap>("x-right").await;
    let _again = eventually(&scene.api::<ConfigMap>(), "x-right", "is made again", PATIENCE, |_| {
        true
    })
    .await;
    running.stop().await;
}

crate::servers::on_both!(the_readmes_path);
