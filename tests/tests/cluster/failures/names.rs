//! S-37: an object whose name is too long for a label value.

use operatorkit::{
    k8s_openapi::api::core::v1::ConfigMap,
    kube::ResourceExt as _,
    prelude::*,
    serde_json::{json, to_value},
};
use operatorkit_testing::{Cluster, PATIENCE, eventually, eventually_gone};

use crate::scene::{Scene, config_map};

#[operator(
    group = "names.failures.test",
    version = "v1",
    kind = "Ribbon",
    namespaced,
    resources(Knot)
)]
pub(crate) struct RibbonSpec {
    color: String,
}

#[resource]
pub(crate) struct Knot;

impl Manifest for Knot {
    type Operator = Ribbon;
    type Object = ConfigMap;
    async fn desired(&self, ribbon: &Ribbon, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(config_map(&cx.child_name("knot"), json!({ "color": ribbon.spec.color }))?.into())
    }
}

async fn create(scene: &Scene, name: &str) {
    let spec = RibbonSpec { color: "red".into() };
    scene.create(&Ribbon::new(name, spec)).await;
}

async fn the_longest_name_with_dots_and_digits_lives_and_goes(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "failures-names").await;
    scene.install::<Ribbon>().await;
    let app = App::new("ribbons").operator(|_env| async { Ok(RibbonResources { knot: Knot }) });
    let running = scene.start(app);
    // 253 characters.
    let long = format!("{}abc", "12345.789.".repeat(25));
    create(&scene, &long).await;
    create(&scene, "short").await;
    let _ready: Ribbon = scene.ready(&long).await;
    let _ready: Ribbon = scene.ready("short").await;

    let object: Ribbon = scene.api().get(&long).await.expect("it exists");
    let uid = object.uid().expect("a UID");
    let children = scene.children::<ConfigMap>("operatorkit.dev/operator").await;
    assert_eq!(children.len(), 2, "{children:?}");
    let owned = |child: &&ConfigMap| child.labels().get("operatorkit.dev/owner-uid") == Some(&uid);
    let child = children.values().find(owned).expect("a child of the long name");
    for (key, value) in child.labels() {
        assert!(value.len() <= 63, "{key}: {value}");
    }

    // It is changed like any other, and its child with it.
    let name = child.name_any();
    let _changed: Ribbon = scene.patch(&long, json!({ "spec": { "color": "blue" } })).await;
    let _child = eventually(&scene.api::<ConfigMap>(), &name, "is blue", PATIENCE, |child| {
        to_value(child).expect("JSON")["data"]["color"] == "blue"
    })
    .await;

    scene.delete::<Ribbon>(&long).await;
    eventually_gone(&scene.api::<Ribbon>(), &long, PATIENCE).await;
    eventually_gone(&scene.api::<ConfigMap>(), &name, PATIENCE).await;
    let _ready: Ribbon = scene.ready("short").await;
    running.stop().await;
}

crate::servers::on_both!(the_longest_name_with_dots_and_digits_lives_and_goes);
