//! Several namespaces, one of them without rights: the others are handled, and it is taken in as soon as it can be.

use std::sync::{Arc, Mutex};

use operatorkit::{
    RunSettings,
    k8s_openapi::api::core::v1::ConfigMap,
    kube::{
        Api,
        api::{DeleteParams, PatchParams, PostParams},
    },
    prelude::*,
    serde_json::{Value, json},
};
use operatorkit_testing::{PATIENCE, eventually, eventually_gone};

use crate::{
    logs::Logs,
    scene::{Running, Scene, condition, config_map, grant_in},
};

#[operator(
    group = "namespaces.test",
    version = "v1",
    kind = "Nomad",
    namespaced,
    resources(Tent, Farewell)
)]
pub(crate) struct NomadSpec {}

#[resource(delete_order = 1)]
pub(crate) struct Tent;

impl Manifest for Tent {
    type Operator = Nomad;
    type Object = ConfigMap;
    async fn desired(&self, _nomad: &Nomad, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(config_map(cx.name(), json!({}))?.into())
    }
}

/// Notes whether the tent was gone by the time of the farewell.
#[resource(delete_order = 2)]
pub(crate) struct Farewell(Arc<Mutex<Vec<bool>>>);

impl Step for Farewell {
    type Operator = Nomad;
    type Output = ();
    async fn ensure_created(&self, _nomad: &Nomad, _cx: &Cx<Self>) -> Result<Flow<()>> {
        Ok(().into())
    }
    async fn ensure_deleted(&self, cx: &DeleteCx<Self>) -> Result<Flow<()>> {
        let tents: Api<ConfigMap> = Api::namespaced(cx.client(), cx.namespace().unwrap_or_default());
        let gone = tents.get_opt(cx.name()).await?.is_none();
        self.0.lock().expect("no panic").push(gone);
        Ok(().into())
    }
}

/// A server, an operator's user without rights, and a second namespace.
struct Two {
    scene: Scene,
    other: String,
    farewells: Arc<Mutex<Vec<bool>>>,
}

impl Two {
    async fn new(name: &'static str) -> Self {
        let mut scene = Scene::alone(name).await;
        scene.user = scene.cluster.new_stranger();
        scene.install::<Nomad>().await;
        let other = scene.cluster.namespace("other").await;
        Self {
            scene,
            other,
            farewells: Arc::default(),
        }
    }

    fn start(&self) -> Running {
        let farewells = self.farewells.clone();
        let app = App::new("nomads").operator(|_env| async {
            Ok(NomadResources {
                tent: Tent,
                farewell: Farewell(farewells),
            })
        });
        let settings = RunSettings {
            namespaces: vec![self.scene.namespace.clone(), self.other.clone()],
            ..RunSettings::default()
        };
        self.scene.start_with(app, settings)
    }

    async fn grant(&self, namespace: &str, nomads: bool) {
        let kind = if nomads { "nomads" } else { "none" };
        let rules = json!([
            { "apiGroups": ["namespaces.test"], "resources": [kind, format!("{kind}/status")], "verbs": ["*"] },
            { "apiGroups": ["events.k8s.io"], "resources": ["events"], "verbs": ["*"] },
            { "apiGroups": [""], "resources": ["configmaps"], "verbs": ["*"] },
        ]);
        grant_in(&self.scene, namespace, &rules).await;
    }

    fn others<K: crate::scene::Object>(&self) -> Api<K> {
        Api::namespaced(self.scene.client.clone(), &self.other)
    }

    /// Makes an object in the other namespace.
    async fn create_there(&self) {
        let nomad = Nomad::new("y", NomadSpec {});
        self.others()
            .create(&PostParams::default(), &nomad)
            .await
            .expect("created");
    }

    async fn ready_there(&self) {
        let _ready: Nomad = eventually(&self.others(), "y", "is ready", PATIENCE, is_ready).await;
    }
}

fn is_ready(nomad: &Nomad) -> bool {
    let nomad: Value = operatorkit::serde_json::to_value(nomad).expect("JSON");
    condition(&nomad, "Ready")["status"] == "True"
}

#[tokio::test(start_paused = true)]
async fn a_namespace_without_rights_does_not_hold_up_the_others() {
    let two = Two::new("namespaces").await;
    let (scene, own) = (&two.scene, &two.scene.namespace);
    let logs = Logs::capture();
    two.grant(own, true).await;
    two.create_there().await;
    let running = two.start();
    scene.create(&Nomad::new("x", NomadSpec {})).await;
    let _ready: Nomad = scene.ready("x").await;
    let remedy = "grant `list` on `nomads.namespaces.test`";
    let _line = logs.wait_for(&["WARN", &two.other, remedy], PATIENCE).await;
    let _line = logs
        .wait_for(&["WARN", &two.other, "are not handled until"], PATIENCE)
        .await;
    let there: Nomad = two.others().get("y").await.expect("it exists");
    assert_eq!(there.metadata.finalizers, None);
    // What is taken in later is handled like the others, in both directions.
    two.grant(&two.other, true).await;
    two.ready_there().await;
    let _line = logs.wait_for(&["INFO", &two.other, "are handled now"], PATIENCE).await;
    let nomads = two.others::<Nomad>();
    nomads.delete("y", &DeleteParams::default()).await.expect("deleted");
    eventually_gone(&nomads, "y", PATIENCE).await;
    scene.delete::<Nomad>("x").await;
    eventually_gone(&scene.api::<Nomad>(), "x", PATIENCE).await;
    assert_eq!(*two.farewells.lock().expect("no panic"), [true, true]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn children_in_a_namespace_that_is_not_seen_yet_are_no_orphans() {
    let two = Two::new("namespaces-unseen").await;
    for namespace in [&two.scene.namespace, &two.other] {
        two.grant(namespace, true).await;
    }
    two.create_there().await;
    let running = two.start();
    two.ready_there().await;
    running.stop().await;

    // It may look at the children there, and not at their objects.
    two.grant(&two.other, false).await;
    let logs = Logs::capture();
    let running = two.start();
    two.scene.create(&Nomad::new("x", NomadSpec {})).await;
    let _ready: Nomad = two.scene.ready("x").await;
    tokio::time::sleep(std::time::Duration::from_secs(30)).await;
    let nomads = two.others::<Nomad>();
    nomads.delete("y", &DeleteParams::default()).await.expect("deleted");
    two.grant(&two.other, true).await;
    eventually_gone(&nomads, "y", PATIENCE).await;
    // The child was known, and went first.
    assert_eq!(*two.farewells.lock().expect("no panic"), [true]);
    assert!(
        !logs.text().contains("the object that this child belongs to is gone"),
        "{}",
        logs.text()
    );
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn children_whose_object_went_while_its_namespace_was_not_seen_are_reported_then() {
    let two = Two::new("namespaces-orphans").await;
    for namespace in [&two.scene.namespace, &two.other] {
        two.grant(namespace, true).await;
    }
    two.create_there().await;
    let running = two.start();
    two.ready_there().await;
    running.stop().await;
    // Somebody takes the finalizer off and deletes the object: its child is left.
    let nomads = two.others::<Nomad>();
    let released = operatorkit::kube::api::Patch::Merge(json!({ "metadata": { "finalizers": null } }));
    let _released = nomads
        .patch("y", &PatchParams::default(), &released)
        .await
        .expect("patched");
    nomads.delete("y", &DeleteParams::default()).await.expect("deleted");

    two.grant(&two.other, false).await;
    let logs = Logs::capture();
    let running = two.start();
    two.scene.create(&Nomad::new("x", NomadSpec {})).await;
    let _ready: Nomad = two.scene.ready("x").await;
    tokio::time::sleep(std::time::Duration::from_secs(30)).await;
    let gone = "the object that this child belongs to is gone";
    assert!(!logs.text().contains(gone));
    two.grant(&two.other, true).await;
    let _line = logs.wait_for(&["WARN", gone], PATIENCE).await;
    running.stop().await;
}
