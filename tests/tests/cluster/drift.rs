//! What others do to children is put right: while the operator runs, and when it was done while the operator or its watch
//! was down.

mod lost;

use operatorkit::{
    k8s_openapi::api::{apps::v1::Deployment, core::v1::ConfigMap},
    kube::{Client, api::ListParams},
    prelude::*,
    serde_json::{Value, from_value, json, to_value},
};
use operatorkit_testing::{Cluster, PATIENCE, eventually, eventually_gone, wait_for};

use crate::{
    cut::{Passing, Switch},
    scene::{Scene, condition, config_map},
    servers::on_both,
};

/// Four ConfigMaps, for four sorts of damage, and a Deployment, whose defaults are not ours.
#[operator(
    group = "drift.test",
    version = "v1",
    kind = "Drifting",
    namespaced,
    resources(Maps, Web)
)]
pub(crate) struct DriftingSpec {}

#[resource(order = 1, delete_order = 2)]
pub(crate) struct Maps;

impl Manifest for Maps {
    type Operator = Drifting;
    type Object = ConfigMap;
    async fn desired(&self, _object: &Drifting, _cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        let maps = MAPS.map(|name| config_map(name, json!({ "text": "ours" })));
        Ok(maps.into_iter().collect::<Result<Vec<_>>>()?.into())
    }
}

#[resource(order = 2, delete_order = 1)]
pub(crate) struct Web;

impl Manifest for Web {
    type Operator = Drifting;
    type Object = Deployment;
    async fn desired(&self, _object: &Drifting, cx: &Cx<Self>) -> Result<Desired<Deployment>> {
        let labels = json!({ "app": cx.name() });
        let template = json!({
            "metadata": { "labels": labels },
            "spec": { "containers": [{ "name": "web", "image": "web" }] },
        });
        let spec = json!({ "replicas": 0, "selector": { "matchLabels": labels }, "template": template });
        Ok(from_value::<Deployment>(json!({ "metadata": { "name": cx.name() }, "spec": spec }))?.into())
    }
}

const MAPS: [&str; 4] = ["edited", "deleted", "unlabelled", "disowned"];
const OWNER: &str = "operatorkit.dev/owner-uid";
const LABELS: [&str; 3] = ["operatorkit.dev/operator", "operatorkit.dev/resource", OWNER];

fn app() -> App {
    App::new("drifting").operator(|_env| async { Ok(DriftingResources { maps: Maps, web: Web }) })
}

/// A scene with a ready object, and the operator that made it so.
async fn made(name: &'static str) -> Scene {
    made_in(Scene::alone(name).await).await
}

async fn made_in(scene: Scene) -> Scene {
    scene.install::<Drifting>().await;
    scene.create(&Drifting::new("x", DriftingSpec {})).await;
    scene
}

fn without(labels: &[&str]) -> Value {
    let labels: operatorkit::serde_json::Map<_, _> = labels.iter().map(|&key| (key.to_owned(), Value::Null)).collect();
    json!({ "metadata": { "labels": labels } })
}

/// Does to each child what its name says.
async fn damage(scene: &Scene) {
    let _edited: ConfigMap = scene.patch("edited", json!({ "data": { "text": "theirs" } })).await;
    scene.delete::<ConfigMap>("deleted").await;
    let _unlabelled: ConfigMap = scene.patch("unlabelled", without(&LABELS)).await;
    let _disowned: ConfigMap = scene.patch("disowned", without(&[OWNER])).await;
    let container = json!([{ "name": "web", "image": "theirs" }]);
    let spec = json!({ "replicas": 2, "template": { "spec": { "containers": container } } });
    let _web: Deployment = scene.patch("x", json!({ "spec": spec })).await;
}

/// Waits until every child is as it should be; far sooner than a resync would come.
async fn mended(scene: &Scene) {
    for name in MAPS {
        let _mended = eventually(&scene.api::<ConfigMap>(), name, "is as it was", PATIENCE, |map| {
            let labels = map.metadata.labels.clone().unwrap_or_default();
            map.data.as_ref().is_some_and(|data| data["text"] == "ours")
                && LABELS.iter().all(|key| labels.contains_key(*key))
        })
        .await;
    }
    let _mended = eventually(&scene.api::<Deployment>(), "x", "is as it was", PATIENCE, |web| {
        let web = to_value(web).expect("JSON");
        web["spec"]["replicas"] == 0 && web["spec"]["template"]["spec"]["containers"][0]["image"] == "web"
    })
    .await;
}

on_both!(drift_is_put_right_at_once);

async fn drift_is_put_right_at_once(cluster: &'static Cluster) {
    let scene = made_in(Scene::on(cluster, "drift-live").await).await;
    let running = scene.start(app());
    let _ready: Drifting = scene.ready("x").await;
    damage(&scene).await;
    mended(&scene).await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn drift_from_while_the_operator_was_down_is_put_right() {
    let scene = made("drift-down").await;
    let running = scene.start(app());
    let _ready: Drifting = scene.ready("x").await;
    running.stop().await;
    damage(&scene).await;
    let running = scene.start(app());
    mended(&scene).await;
    running.stop().await;
}

/// An operator whose connection can be cut, and a ready object.
async fn switchable(scene: &Scene) -> (crate::scene::Running, Switch) {
    let (client, switch): (Client, _) = Switch::new(scene.cluster.config(&scene.user));
    let running = scene.start_on(client, app());
    let _ready: Drifting = scene.ready("x").await;
    (running, switch)
}

#[tokio::test]
async fn drift_from_while_the_watch_was_down_is_put_right() {
    // Its client goes through a port, which needs a clock that goes.
    let scene = made_in(Scene::new("drift-watch").await).await;
    let (running, switch) = switchable(&scene).await;
    switch.turn(Passing::NoWatches);
    damage(&scene).await;
    // The watch goes on where it broke off.
    switch.turn(Passing::Everything);
    mended(&scene).await;

    switch.turn(Passing::NoWatches);
    damage(&scene).await;
    // No event of what happened meanwhile is to be had any more: a new list is all there is.
    switch.turn(Passing::OnlyLists);
    mended(&scene).await;
    switch.turn(Passing::Everything);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_released_child_is_left_alone() {
    let scene = made("drift-released").await;
    let running = scene.start(app());
    let _ready: Drifting = scene.ready("x").await;
    let mut release = without(&LABELS);
    release["metadata"]["annotations"] = json!({ "operatorkit.dev/mark": null, "operatorkit.dev/hash": null });
    release["data"] = json!({ "text": "theirs" });
    let released: ConfigMap = scene.patch("unlabelled", release).await;

    let object: Drifting = scene.condition("x", "Ready", "False", "NameCollision").await;
    let message = condition(&to_value(&object).expect("JSON"), "Ready")["message"].to_string();
    assert!(
        message.contains("unlabelled") && message.contains("not ours"),
        "{message}"
    );
    wait_for("an Event says that it was released", PATIENCE, async || {
        let events = scene.events("x").await;
        let said = events
            .iter()
            .any(|event| event["reason"] == "Released" && event["note"].to_string().contains("unlabelled"));
        operatorkit::anyhow::ensure!(said, "{events:#?}");
        Ok(())
    })
    .await;

    // It stays somebody else's when the object goes, and after a restart.
    running.stop().await;
    let running = scene.start(app());
    scene.delete::<Drifting>("x").await;
    eventually_gone(&scene.api::<Drifting>(), "x", PATIENCE).await;
    let left: Vec<_> = scene
        .api::<ConfigMap>()
        .list(&ListParams::default())
        .await
        .expect("a list")
        .items;
    assert_eq!(left.len(), 1, "{left:#?}");
    assert_eq!(
        left[0].metadata.resource_version, released.metadata.resource_version,
        "nobody wrote to it"
    );
    running.stop().await;
}
