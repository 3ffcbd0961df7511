//! Children whose kind is known only at run time.

use operatorkit::{
    k8s_openapi::api::core::v1::{ConfigMap, Secret},
    kube::{Api, CustomResource, core::DynamicObject},
    prelude::*,
    schemars::JsonSchema,
    serde::{Deserialize, Serialize},
    serde_json::{from_value, json, to_value},
};
use operatorkit_testing::{PATIENCE, eventually, eventually_gone};

use crate::scene::{Running, Scene, condition, line};

/// One child of whichever kind the spec names.
#[operator(
    group = "scopes.test",
    version = "v1",
    kind = "Anything",
    namespaced,
    resources(Child)
)]
pub(crate) struct AnythingSpec {
    api_version: String,
    child: String,
}

#[resource]
pub(crate) struct Child;

impl Manifest for Child {
    type Operator = Anything;
    type Object = DynamicObject;
    async fn desired(&self, object: &Anything, cx: &Cx<Self>) -> Result<Desired<DynamicObject>> {
        let AnythingSpec { api_version, child } = &object.spec;
        let metadata = json!({ "name": cx.child_name("some") });
        let mut wanted = json!({ "apiVersion": api_version, "kind": child, "metadata": metadata });
        if child == "Gadget" {
            wanted["spec"] = json!({ "size": 1 });
        }
        let object: DynamicObject = from_value(wanted)?;
        Ok(object.into())
    }
}

/// A kind of somebody else.
#[derive(Clone, Debug, CustomResource, Serialize, Deserialize, JsonSchema)]
#[serde(crate = "operatorkit::serde")]
#[schemars(crate = "operatorkit::schemars")]
#[kube(group = "gadgets.scopes.test", version = "v1", kind = "Gadget", namespaced)]
#[kube(crates(
    kube_core = "operatorkit::kube::core",
    k8s_openapi = "operatorkit::k8s_openapi",
    schemars = "operatorkit::schemars",
    serde = "operatorkit::serde",
    serde_json = "operatorkit::serde_json"
))]
pub(crate) struct GadgetSpec {
    size: Option<u32>,
}

async fn change(scene: &Scene, api_version: &str, child: &str) {
    scene
        .patch::<Anything>("x", json!({ "spec": { "api_version": api_version, "child": child } }))
        .await;
}

fn inventory(object: &Anything) -> &str {
    let inventory = object
        .annotations()
        .get("operatorkit.dev/inventory.anythings.scopes.test");
    inventory.map_or("", String::as_str)
}

fn start(scene: &Scene) -> Running {
    scene.start(App::new("anything").operator(|_env| async { Ok(AnythingResources { child: Child }) }))
}

/// Runs the operator and makes an object.
async fn run(scene: &Scene, api_version: &str, child: &str) -> Running {
    scene.install::<Anything>().await;
    let running = start(scene);
    let spec = AnythingSpec {
        api_version: api_version.into(),
        child: child.into(),
    };
    scene.create(&Anything::new("x", spec)).await;
    running
}

#[tokio::test(start_paused = true)]
async fn the_inventory_knows_a_dynamic_kind_before_its_first_child_and_forgets_it_after_the_last() {
    let scene = Scene::alone("scopes-dynamic").await;
    let start = scene.mark().await;
    let running = run(&scene, "v1", "ConfigMap").await;
    let ready: Anything = scene.ready("x").await;
    assert!(inventory(&ready).contains("ConfigMap"), "{}", inventory(&ready));
    let writes = scene.requests(start).await.writes();
    let writes = writes.filter(|request| request.object.subresource.is_empty());
    let writes: Vec<_> = writes.iter().map(operatorkit_testing::audit::Entry::resource).collect();
    // Finalizer, then the kind, and only then the child.
    assert_eq!(writes, ["anythings", "anythings", "configmaps"]);

    change(&scene, "v1", "Secret").await;
    eventually_gone(&scene.api::<ConfigMap>(), "x-some", PATIENCE).await;
    let _ready: Anything = scene.ready("x").await;
    let changed = eventually(
        &scene.api::<Anything>(),
        "x",
        "has forgotten the kind",
        PATIENCE,
        |object| !inventory(object).contains("ConfigMap"),
    )
    .await;
    assert!(inventory(&changed).contains("Secret"), "{}", inventory(&changed));

    scene.delete::<Anything>("x").await;
    eventually_gone(&scene.api::<Anything>(), "x", PATIENCE).await;
    assert_eq!(scene.api::<Secret>().get_opt("x-some").await.expect("an answer"), None);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_kind_that_is_installed_later_is_picked_up() {
    let scene = Scene::alone("scopes-later").await;
    let running = run(&scene, "gadgets.scopes.test/v1", "Gadget").await;
    let waits: Anything = scene.condition("x", "Ready", "False", "KindNotServed").await;
    let waits = to_value(waits).expect("JSON");
    let message = condition(&waits, "Ready")["message"]
        .as_str()
        .expect("a text")
        .to_owned();
    for part in [
        "Gadget",
        "gadgets.scopes.test/v1",
        "install its CustomResourceDefinition",
    ] {
        assert!(message.contains(part), "{message}");
    }
    assert_eq!(line(&waits, "child")["phase"], "Failed");

    scene.install::<Gadget>().await;
    let _ready: Anything = scene.ready("x").await;
    let gadgets: Api<Gadget> = scene.api();
    gadgets.get("x-some").await.expect("it was made");
    // And from now on it is watched: a child that somebody deletes comes back.
    scene.delete::<Gadget>("x-some").await;
    eventually(&gadgets, "x-some", "is back", PATIENCE, |_| true).await;

    scene.delete::<Anything>("x").await;
    eventually_gone(&scene.api::<Anything>(), "x", PATIENCE).await;
    assert!(gadgets.get_opt("x-some").await.expect("an answer").is_none());
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn the_kinds_of_stored_children_are_known_after_a_restart() {
    let scene = Scene::alone("scopes-restart").await;
    let running = run(&scene, "v1", "Secret").await;
    let _ready: Anything = scene.ready("x").await;
    running.stop().await;
    scene.delete::<Anything>("x").await;
    let running = start(&scene);
    eventually_gone(&scene.api::<Anything>(), "x", PATIENCE).await;
    assert_eq!(scene.api::<Secret>().get_opt("x-some").await.expect("an answer"), None);
    running.stop().await;
}
