//! `optional`: a kind that may not be installed holds nothing up, and is picked up when it comes.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use operatorkit::{
    anyhow::ensure,
    k8s_openapi::{
        api::core::v1::ConfigMap, apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
    },
    kube::{Api, CustomResource, CustomResourceExt, api::DeleteParams, core::DynamicObject},
    prelude::*,
    schemars::JsonSchema,
    serde::{Deserialize, Serialize},
    serde_json::{from_value, json},
};
use operatorkit_testing::{Cluster, PATIENCE, eventually, eventually_gone, wait_for};

use crate::scene::{Scene, config_map};

/// Kinds of somebody else.
macro_rules! foreign {
    ($spec:ident, $kind:literal, $group:literal) => {
        #[derive(Clone, Debug, CustomResource, Serialize, Deserialize, JsonSchema)]
        #[serde(crate = "operatorkit::serde")]
        #[schemars(crate = "operatorkit::schemars")]
        #[kube(group = $group, version = "v1", kind = $kind, namespaced)]
        #[kube(crates(
            kube_core = "operatorkit::kube::core",
            k8s_openapi = "operatorkit::k8s_openapi",
            schemars = "operatorkit::schemars",
            serde = "operatorkit::serde",
            serde_json = "operatorkit::serde_json"
        ))]
        pub(crate) struct $spec {
            size: Option<u32>,
        }
    };
}
foreign!(MonitorSpec, "Monitor", "monitors.optional.test");
foreign!(AlarmSpec, "Alarm", "alarms.optional.test");

#[operator(
    group = "optional.test",
    version = "v1",
    kind = "Service",
    namespaced,
    resources(Watching, Ringing, Settings, Report)
)]
pub(crate) struct ServiceSpec {
    settings: bool,
}

#[resource(order = 1, optional)]
pub(crate) struct Watching;

impl Manifest for Watching {
    type Operator = Service;
    type Object = Monitor;
    async fn desired(&self, _object: &Service, cx: &Cx<Self>) -> Result<Desired<Monitor>> {
        Ok(Monitor::new(cx.name(), MonitorSpec { size: None }).into())
    }
}

/// Its kind is known at run time only.
#[resource(order = 1, optional)]
pub(crate) struct Ringing;

impl Manifest for Ringing {
    type Operator = Service;
    type Object = DynamicObject;
    async fn desired(&self, _object: &Service, cx: &Cx<Self>) -> Result<Desired<DynamicObject>> {
        let alarm = json!({ "apiVersion": "alarms.optional.test/v1", "kind": "Alarm", "metadata": { "name": cx.name() }, "spec": {} });
        let map = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "beside" } });
        Ok(vec![from_value::<DynamicObject>(alarm)?, from_value(map)?].into())
    }
}

#[resource(order = 1)]
pub(crate) struct Settings;

impl Manifest for Settings {
    type Operator = Service;
    type Object = ConfigMap;
    async fn desired(&self, object: &Service, _cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        let settings = config_map("settings", json!({}))?;
        Ok(object.spec.settings.then_some(settings).into())
    }
}

/// Counts passes, and remembers how many children it read.
#[derive(Default)]
pub(crate) struct Seen {
    passes: AtomicUsize,
    children: Mutex<(usize, usize)>,
}

#[resource(order = 2, after(Watching, Ringing))]
pub(crate) struct Report(Arc<Seen>);

impl Step for Report {
    type Operator = Service;
    type Output = ();
    async fn ensure_created(&self, _object: &Service, cx: &Cx<Self>) -> Result<Flow<()>> {
        let children = (
            cx.after::<Watching>().output()?.len(),
            cx.after::<Ringing>().output()?.len(),
        );
        *self.0.children.lock().unwrap_or_else(PoisonError::into_inner) = children;
        self.0.passes.fetch_add(1, Ordering::Relaxed);
        Ok(().into())
    }
}

async fn read(seen: &Seen, children: (usize, usize)) {
    wait_for(&format!("{children:?} children are read"), PATIENCE, async || {
        let read = *seen.children.lock().unwrap_or_else(PoisonError::into_inner);
        ensure!(read == children && seen.passes.load(Ordering::Relaxed) > 0, "{read:?}");
        Ok(())
    })
    .await;
}

async fn uninstall<K: CustomResourceExt>(scene: &Scene) {
    let crds: Api<CustomResourceDefinition> = Api::all(scene.client.clone());
    let _answer = crds.delete(K::crd_name(), &DeleteParams::default()).await.unwrap();
    eventually_gone(&crds, K::crd_name(), PATIENCE).await;
}

async fn a_kind_comes_and_goes_and_comes_again(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "optional").await;
    scene.install::<Service>().await;
    let seen = Arc::<Seen>::default();
    let report = Report(seen.clone());
    let app = App::new("optional").operator(|_env| async {
        Ok(ServiceResources {
            watching: Watching,
            ringing: Ringing,
            settings: Settings,
            report,
        })
    });
    let running = scene.start(app);
    scene.create(&Service::new("x", ServiceSpec { settings: true })).await;
    let _ready: Service = scene.ready("x").await;
    read(&seen, (0, 1)).await;

    // Prune goes on.
    let _settings = scene.api::<ConfigMap>().get("settings").await.expect("it was made");
    let _changed: Service = scene.patch("x", json!({ "spec": { "settings": false } })).await;
    eventually_gone(&scene.api::<ConfigMap>(), "settings", PATIENCE).await;
    let _ready: Service = scene.ready("x").await;

    for _ in 0..2 {
        scene.install::<Monitor>().await;
        let _made = eventually(&scene.api::<Monitor>(), "x", "is there", PATIENCE, |_| true).await;
        read(&seen, (1, 1)).await;
        uninstall::<Monitor>(&scene).await;
        // Nothing tells of it but the next pass.
        wait_for("no children are read", PATIENCE, async || {
            let touch = seen.passes.load(Ordering::Relaxed).to_string();
            let _touched: Service = scene
                .patch("x", json!({ "metadata": { "annotations": { "touch": touch } } }))
                .await;
            ensure!(*seen.children.lock().unwrap_or_else(PoisonError::into_inner) == (0, 1));
            Ok(())
        })
        .await;
        let _ready: Service = scene.ready("x").await;
    }

    scene.install::<Alarm>().await;
    read(&seen, (0, 2)).await;
    let _made = scene.api::<Alarm>().get("x").await.expect("it was made");
    scene.delete::<Service>("x").await;
    eventually_gone(&scene.api::<Service>(), "x", PATIENCE).await;
    eventually_gone(&scene.api::<Alarm>(), "x", PATIENCE).await;
    running.stop().await;
    uninstall::<Alarm>(&scene).await;
}

crate::servers::on_both!(a_kind_comes_and_goes_and_comes_again);
