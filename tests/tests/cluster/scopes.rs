//! Which children there may be: how many, of which kind, and where.

mod dynamic;
mod elsewhere;
mod tenants;

use std::collections::BTreeSet;

use operatorkit::{
    k8s_openapi::api::core::v1::ConfigMap,
    kube::api::ListParams,
    prelude::*,
    serde_json::{json, to_value},
};
use operatorkit_testing::{Cluster, PATIENCE, eventually_gone, wait_for};

use crate::scene::{Scene, config_map, line};

/// A child for each name, ready as its data says.
#[operator(group = "scopes.test", version = "v1", kind = "Fan", namespaced, resources(Blades))]
pub(crate) struct FanSpec {
    blades: Vec<String>,
    state: String,
}

#[resource]
pub(crate) struct Blades;

impl Manifest for Blades {
    type Operator = Fan;
    type Object = ConfigMap;
    async fn desired(&self, fan: &Fan, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        let blade = |blade: &String| config_map(&cx.child_name(blade), json!({ "state": fan.spec.state }));
        Ok(fan.spec.blades.iter().map(blade).collect::<Result<Vec<_>>>()?.into())
    }
    fn readiness(&self, child: &ConfigMap) -> Option<Readiness> {
        Some(match child.data.as_ref()?.get("state")?.as_str() {
            "turning" => Readiness::Ready,
            "stuck" => Readiness::failed("Stuck", "something is in the way"),
            _ => Readiness::pending("Starting", "it does not turn yet"),
        })
    }
}

fn fan(name: &str, blades: &[&str]) -> Fan {
    let blades = blades.iter().map(|&blade| blade.to_owned()).collect();
    Fan::new(
        name,
        FanSpec {
            blades,
            state: "turning".into(),
        },
    )
}

fn app() -> App {
    App::new("fans").operator(|_env| async { Ok(FanResources { blades: Blades }) })
}

impl Scene {
    /// Waits until the operator's ConfigMaps are exactly these.
    async fn has_config_maps(&self, names: &[&str]) {
        let wanted: BTreeSet<_> = names.iter().map(|&name| name.to_owned()).collect();
        wait_for(&format!("the children are {names:?}"), PATIENCE, async || {
            let ours = ListParams::default().labels("operatorkit.dev/operator");
            let found = self.api::<ConfigMap>().list(&ours).await?;
            let found: BTreeSet<_> = found.iter().map(operatorkit::kube::ResourceExt::name_any).collect();
            operatorkit::anyhow::ensure!(found == wanted, "{found:?}");
            Ok(())
        })
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn none_one_and_many_children_and_back() {
    let scene = Scene::alone("scopes-many").await;
    scene.install::<Fan>().await;
    let running = scene.start(app());
    scene.create(&fan("x", &[])).await;
    let _ready: Fan = scene.ready("x").await;
    scene.has_config_maps(&[]).await;
    let wishes: [&[&str]; 5] = [&["a"], &["a", "b", "c", "d"], &["c", "e"], &[], &["a", "b"]];
    for blades in wishes {
        scene.patch::<Fan>("x", json!({ "spec": { "blades": blades } })).await;
        let names: Vec<_> = blades.iter().map(|blade| format!("x-{blade}")).collect();
        scene
            .has_config_maps(&names.iter().map(String::as_str).collect::<Vec<_>>())
            .await;
        let _ready: Fan = scene.ready("x").await;
    }
    scene.delete::<Fan>("x").await;
    eventually_gone(&scene.api::<Fan>(), "x", PATIENCE).await;
    scene.has_config_maps(&[]).await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn two_children_of_one_name_are_refused_in_words() {
    let scene = Scene::alone("scopes-twice").await;
    scene.install::<Fan>().await;
    let running = scene.start(app());
    scene.create(&fan("x", &["a", "a"])).await;
    let refused: Fan = scene.condition("x", "Ready", "False", "InvalidDesired").await;
    let refused = to_value(refused).expect("JSON");
    let message = line(&refused, "blades")["message"].as_str().expect("a text").to_owned();
    assert!(message.contains("give each child a name of its own"), "{message}");
    scene.has_config_maps(&[]).await;
    running.stop().await;
}

async fn a_resource_judges_the_readiness_of_its_children(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "scopes-readiness").await;
    scene.install::<Fan>().await;
    let running = scene.start(app());
    scene.create(&fan("x", &["a"])).await;
    let _ready: Fan = scene.ready("x").await;
    for (state, reason, phase) in [("slow", "Starting", "Waiting"), ("stuck", "Stuck", "Failed")] {
        scene.patch::<Fan>("x", json!({ "spec": { "state": state } })).await;
        let judged: Fan = scene.condition("x", "Ready", "False", reason).await;
        assert_eq!(line(&to_value(judged).expect("JSON"), "blades")["phase"], phase);
    }
    scene.patch::<Fan>("x", json!({ "spec": { "state": "turning" } })).await;
    let _ready: Fan = scene.ready("x").await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_object_with_the_longest_name_lives_like_any_other() {
    let scene = Scene::alone("scopes-long").await;
    scene.install::<Fan>().await;
    let running = scene.start(app());
    let name = "n".repeat(253);
    scene.create(&fan(&name, &["a", "b"])).await;
    let _ready: Fan = scene.ready(&name).await;
    let children = scene
        .api::<ConfigMap>()
        .list(&ListParams::default().labels("operatorkit.dev/operator"))
        .await;
    let names: BTreeSet<_> = children
        .expect("a list")
        .iter()
        .map(operatorkit::kube::ResourceExt::name_any)
        .collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names.iter().all(|name| name.len() == 63), "{names:?}");

    scene.patch::<Fan>(&name, json!({ "spec": { "state": "stuck" } })).await;
    let _failed: Fan = scene.condition(&name, "Ready", "False", "Stuck").await;
    scene.delete::<Fan>(&name).await;
    eventually_gone(&scene.api::<Fan>(), &name, PATIENCE).await;
    scene.has_config_maps(&[]).await;
    running.stop().await;
    assert!(
        !scene.events(&name).await.is_empty(),
        "also Events about it can be written"
    );
}

crate::servers::on_both! {
    a_resource_judges_the_readiness_of_its_children,
}
