//! Deletion when something is in its way: what holds a child, what `desired` can no longer read, other policies.

mod lasting;
mod meanwhile;
mod pods;
mod undecodable;

use std::time::Duration;

use operatorkit::{
    anyhow::{Context as _, bail},
    k8s_openapi::api::core::v1::{ConfigMap, Secret},
    kube::{Api, api::DeleteParams},
    prelude::*,
    serde_json::{Value, from_value, json, to_value},
};
use operatorkit_testing::{Cluster, PATIENCE, eventually_gone, wait_for};

use crate::scene::{Running, Scene, condition, config_map, line};

/// Two independent branches: `top` stands on `base`, `side-top` on `side`.
#[operator(
    group = "deletion.test",
    version = "v1",
    kind = "Tree",
    namespaced,
    resources(Base, Top, Side, SideTop)
)]
#[derive(Default)]
pub(crate) struct TreeSpec {
    /// The Secret that `side` reads.
    secret: Option<String>,
    /// Whether `side-top` can be computed.
    broken: Option<bool>,
}

#[resource(order = 1, delete_after(Top))]
pub(crate) struct Base;

#[resource(order = 2)]
pub(crate) struct Top;

#[resource(order = 1, delete_after(SideTop))]
pub(crate) struct Side;

#[resource(order = 1)]
pub(crate) struct SideTop;

impl Manifest for Base {
    type Operator = Tree;
    type Object = ConfigMap;
    async fn desired(&self, _tree: &Tree, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(config_map(&cx.child_name("base"), json!({}))?.into())
    }
}

impl Manifest for Top {
    type Operator = Tree;
    type Object = ConfigMap;
    async fn desired(&self, _tree: &Tree, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(config_map(&cx.child_name("top"), json!({}))?.into())
    }
}

impl Manifest for Side {
    type Operator = Tree;
    type Object = ConfigMap;
    async fn desired(&self, tree: &Tree, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        if let Some(name) = &tree.spec.secret {
            let secrets = Api::<Secret>::namespaced(cx.client(), cx.namespace().context("a namespace")?);
            secrets.get(name).await.context("read the Secret")?;
        }
        Ok(config_map(&cx.child_name("side"), json!({}))?.into())
    }
}

impl Manifest for SideTop {
    type Operator = Tree;
    type Object = ConfigMap;
    async fn desired(&self, tree: &Tree, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        if tree.spec.broken == Some(true) {
            bail!("it cannot be computed");
        }
        Ok(config_map(&cx.child_name("side-top"), json!({}))?.into())
    }
}

/// Each test has a namespace of its own, which its operator is limited to.
async fn trees(scene: &Scene) -> Running {
    scene.install::<Tree>().await;
    scene.start(App::new("trees").operator(|_env| async {
        Ok(TreeResources {
            base: Base,
            top: Top,
            side: Side,
            side_top: SideTop,
        })
    }))
}

/// Each child is deleted once, and what stands on another one before it.
#[track_caller]
fn assert_order(deletions: &[String], object: &str) {
    let at = |suffix: &str| {
        let name = format!("configmaps/{object}-{suffix}");
        let found: Vec<_> = (0..deletions.len()).filter(|&at| deletions[at] == name).collect();
        assert_eq!(found.len(), 1, "one DELETE of {name}: {deletions:?}");
        found[0]
    };
    assert!(at("top") < at("base") && at("side-top") < at("side"), "{deletions:?}");
}

async fn a_held_child_blocks_what_waits_for_it_and_nothing_else(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "held").await;
    let running = trees(&scene).await;
    scene.create(&Tree::new("x", TreeSpec::default())).await;
    let _ready: Tree = scene.ready("x").await;
    let hold = json!({ "metadata": { "finalizers": ["test.dev/hold"] } });
    let _held: ConfigMap = scene.patch("x-top", hold).await;

    let start = scene.mark().await;
    scene.delete::<Tree>("x").await;
    let blocked: Tree = scene.condition("x", "Deleting", "True", "Terminating").await;
    let blocked = to_value(&blocked).unwrap();
    let message = condition(&blocked, "Deleting")["message"].clone();
    assert_eq!(
        message,
        format!(
            "top: ConfigMap {}/x-top is being deleted, held by test.dev/hold",
            scene.namespace
        )
    );
    assert_eq!(condition(&blocked, "Ready")["status"], "False");
    let (top, base) = (line(&blocked, "top"), line(&blocked, "base"));
    assert_eq!(
        (&top["phase"], &top["reason"]),
        (&json!("Deleting"), &json!("Terminating"))
    );
    assert!(top["message"].as_str().unwrap().contains("test.dev/hold"), "{top}");
    assert_eq!(
        (&base["phase"], &base["waitingOn"]),
        (&json!("Pending"), &json!(["top"]))
    );
    for gone in ["side", "side-top"] {
        assert_eq!(
            line(&blocked, gone)["phase"],
            "Deleted",
            "the other branch goes on: {blocked}"
        );
        eventually_gone(&scene.api::<ConfigMap>(), &format!("x-{gone}"), PATIENCE).await;
    }
    let base = scene.api::<ConfigMap>().get("x-base").await.unwrap();
    assert_eq!(base.metadata.deletion_timestamp, None);
    wait_for("a Warning Event says what blocks", PATIENCE, async || {
        let events = scene.events("x").await;
        let is = |event: &&Value| event["reason"] == "DeletionBlocked" && event["type"] == "Warning";
        let event = events.iter().find(is).with_context(|| json!(events).to_string())?;
        operatorkit::anyhow::ensure!(event["note"] == message, "{event}");
        Ok(())
    })
    .await;
    // Most deletions are over within two seconds: only what lasts is shown.
    let requests = scene.cluster.audit().since(start).await.in_namespace(&scene.namespace);
    let asked = requests
        .iter()
        .find(|request| request.verb == "delete" && request.object.resource == "trees");
    let shown = requests.iter().find(|request| request.resource() == "trees/status");
    let shown_after = shown.unwrap().received.duration_since(asked.unwrap().received);
    assert!(
        Duration::try_from(shown_after).unwrap() >= Duration::from_secs(2),
        "{shown_after}"
    );

    let release = json!({ "metadata": { "finalizers": null } });
    let _released: ConfigMap = scene.patch("x-top", release).await;
    eventually_gone(&scene.api::<Tree>(), "x", PATIENCE).await;
    assert_order(&scene.deletions(start).await, "x");
    running.stop().await;
}

async fn deletion_needs_nothing_that_desired_needed(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "inputs").await;
    let running = trees(&scene).await;
    let secret: Secret = from_value(json!({ "metadata": { "name": "password" } })).unwrap();
    scene.create(&secret).await;
    let spec = TreeSpec {
        secret: Some("password".into()),
        broken: None,
    };
    scene.create(&Tree::new("x", spec)).await;
    let _ready: Tree = scene.ready("x").await;

    scene.delete::<Secret>("password").await;
    let _broken: Tree = scene.patch("x", json!({ "spec": { "broken": true } })).await;
    let failing: Tree = scene.condition("x", "Ready", "False", "Failed").await;
    let failing = to_value(&failing).unwrap();
    for failed in ["side", "side-top"] {
        assert_eq!(line(&failing, failed)["phase"], "Failed", "{failing}");
    }

    let start = scene.mark().await;
    scene.delete::<Tree>("x").await;
    eventually_gone(&scene.api::<Tree>(), "x", PATIENCE).await;
    assert_order(&scene.deletions(start).await, "x");
    running.stop().await;
}

async fn a_foreground_cascade_keeps_the_order(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "foreground").await;
    let running = trees(&scene).await;
    scene.create(&Tree::new("x", TreeSpec::default())).await;
    let _ready: Tree = scene.ready("x").await;

    let start = scene.mark().await;
    let deleted = scene.api::<Tree>().delete("x", &DeleteParams::foreground()).await;
    deleted.expect("deleted");
    // The garbage collector takes its finalizer off once it knows the kind, for which it looks twice a minute.
    eventually_gone(&scene.api::<Tree>(), "x", 3 * PATIENCE).await;
    assert_order(&scene.deletions(start).await, "x");
    let others = scene.cluster.audit().since(start).await.in_namespace(&scene.namespace);
    let others = others.filter(|request| {
        request.verb == "delete" && request.object.resource == "configmaps" && request.user != scene.user
    });
    assert!(
        others.is_empty(),
        "the garbage collector has nothing to do with it:\n{others}"
    );
    running.stop().await;
}

async fn deletion_right_after_creation_leaves_nothing(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "at-once").await;
    let running = trees(&scene).await;
    let start = scene.mark().await;
    for round in 0..6_usize {
        let name = format!("x{round}");
        scene.create(&Tree::new(&name, TreeSpec::default())).await;
        // At once, and after each of the first writes.
        if let Some(writes) = round.checked_sub(1) {
            let written = scene.cluster.audit();
            wait_for("some writes", PATIENCE, async || {
                let done = written.since(start).await.by_user(&scene.user).writes();
                let done = done.filter(|request| request.object.name.starts_with(&name));
                operatorkit::anyhow::ensure!(done.len() >= writes, "{done}");
                Ok(())
            })
            .await;
        }
        scene.delete::<Tree>(&name).await;
    }
    for round in 0..6 {
        eventually_gone(&scene.api::<Tree>(), &format!("x{round}"), PATIENCE).await;
    }
    // An object that went although it has got our finalizer meanwhile is undone after that.
    wait_for("nothing is left of them", PATIENCE, async || {
        let left = scene.children::<ConfigMap>("operatorkit.dev/owner-uid").await;
        let left: Vec<_> = left.keys().collect();
        let asked = scene.cluster.audit().since(start).await.in_namespace(&scene.namespace);
        operatorkit::anyhow::ensure!(left.is_empty(), "{left:?}:\n{}", asked.writes());
        Ok(())
    })
    .await;
    // Nor comes anything more: no pass is under way when a later object is ready and the operator has ended.
    scene.create(&Tree::new("last", TreeSpec::default())).await;
    let _ready: Tree = scene.ready("last").await;
    running.stop().await;
    let left = scene.children::<ConfigMap>("operatorkit.dev/owner-uid").await;
    let left: Vec<_> = left.keys().filter(|name| !name.starts_with("last-")).collect();
    assert!(left.is_empty(), "{left:?}");
}

crate::servers::on_both! {
    a_held_child_blocks_what_waits_for_it_and_nothing_else,
    deletion_needs_nothing_that_desired_needed,
    a_foreground_cascade_keeps_the_order,
    deletion_right_after_creation_leaves_nothing,
}
