//! Desired objects that cannot be: refused by us, or by the API server.

use operatorkit::{
    k8s_openapi::api::{apps::v1::Deployment, core::v1::ConfigMap},
    kube::Api,
    prelude::*,
    serde_json::{Value, json, to_value},
};
use operatorkit_testing::PATIENCE;

use super::{Troubled, app, mended, shown, spec, well};
use crate::scene::{Scene, condition, config_map};

fn map(meta: &Value) -> Value {
    json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": meta })
}

fn deployment(selector: &str, spec: &Value) -> Value {
    let labels = json!({ "app": selector, "all": "both" });
    let template =
        json!({ "metadata": { "labels": labels }, "spec": { "containers": [{ "name": "a", "image": "a" }] } });
    let mut object =
        json!({ "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "web" }, "spec": spec });
    object["spec"]["replicas"] = 0.into();
    object["spec"]["selector"] = json!({ "matchLabels": { "app": selector } });
    object["spec"]["template"] = template;
    object
}

#[tokio::test(start_paused = true)]
async fn what_must_not_be_desired_is_said_and_nothing_is_written() {
    let scene = Scene::alone("undesirable").await;
    scene.install::<Troubled>().await;
    let running = scene.start(app());
    let namespace = json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": "no" } });
    let rows = [
        ("nameless", vec![map(&json!({}))], "has no name"),
        (
            "elsewhere",
            vec![map(&json!({ "name": "e", "namespace": "default" }))],
            "namespaces = any",
        ),
        ("scope", vec![namespace], "cluster-scoped"),
        (
            "twice",
            vec![map(&json!({ "name": "t" })), map(&json!({ "name": "t" }))],
            "wanted twice",
        ),
        ("two", vec![map(&json!({ "name": "two-good" }))], "wanted twice"),
        (
            "kindless",
            vec![json!({ "metadata": { "name": "k" } })],
            "neither apiVersion nor kind",
        ),
    ];
    for (name, objects, _) in &rows {
        scene.create(&Troubled::new(name, spec(objects))).await;
    }
    for (name, _, text) in &rows {
        if *name == "two" {
            continue;
        }
        let message = shown(&scene, name, "InvalidDesired").await;
        assert!(message.starts_with("given: ") && message.contains(text), "{message}");
    }
    // Which of two resources comes second is not said.
    let two: Troubled = scene.condition("two", "Ready", "False", "InvalidDesired").await;
    let message = condition(&to_value(two).expect("JSON"), "Ready")["message"].to_string();
    assert!(message.contains("`good`") && message.contains("`given`"), "{message}");
    let written = scene.children::<ConfigMap>("operatorkit.dev/resource=given").await;
    assert!(written.is_empty(), "{written:?}");
    for (name, ..) in &rows {
        mended(&scene, name).await;
    }
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn what_the_api_server_refuses_is_said_in_its_words() {
    let scene = Scene::alone("refused").await;
    scene.install::<Troubled>().await;
    let running = scene.start(app());
    let rows = [
        ("name", map(&json!({ "name": "Not_A_Name" })), "Invalid", "RFC 1123"),
        (
            "label",
            map(&json!({ "name": "l", "labels": { "a": "not a label" } })),
            "Invalid",
            "a valid label must",
        ),
        (
            "typo",
            deployment("typo", &json!({ "replica": 1 })),
            "NotInSchema",
            ".spec.replica: field not declared in schema",
        ),
    ];
    for (name, object, ..) in &rows {
        scene
            .create(&Troubled::new(
                name,
                spec(&[object.clone(), map(&json!({ "name": format!("{name}-beside") }))]),
            ))
            .await;
    }
    for (name, _, reason, text) in &rows {
        let message = shown(&scene, name, reason).await;
        assert!(message.contains(text), "{message}");
        // The one beside it in the same resource had its try.
        assert!(
            scene
                .children::<ConfigMap>("")
                .await
                .contains_key(&format!("{name}-beside"))
        );
        mended(&scene, name).await;
    }
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_immutable_field_is_said_and_the_child_stays() {
    let scene = Scene::alone("immutable").await;
    scene.install::<Troubled>().await;
    let running = scene.start(app());
    scene
        .create(&Troubled::new("x", spec(&[deployment("one", &json!({}))])))
        .await;
    well(&scene, "x").await;
    let before: Deployment = scene.api().get("web").await.expect("it is there");
    let objects = spec(&[deployment("two", &json!({}))]).objects;
    let _changed: Troubled = scene.patch("x", json!({ "spec": { "objects": objects } })).await;
    let object: Troubled = scene.condition("x", "Ready", "False", "Immutable").await;
    let message = condition(&to_value(object).expect("JSON"), "Ready")["message"].to_string();
    assert!(
        message.contains("spec.selector") && message.contains("replace = "),
        "{message}"
    );
    let after: Deployment = scene.api().get("web").await.expect("it is there");
    assert_eq!(after.metadata.uid, before.metadata.uid);
    let objects = spec(&[deployment("one", &json!({}))]).objects;
    let _back: Troubled = scene.patch("x", json!({ "spec": { "objects": objects } })).await;
    well(&scene, "x").await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn tries_become_rare() {
    let scene = Scene::alone("backoff").await;
    scene.install::<Troubled>().await;
    scene
        .create(&config_map("foreign", json!({})).expect("a ConfigMap"))
        .await;
    let running = scene.start(app());
    let start = scene.mark().await;
    scene
        .create(&Troubled::new(
            "hopeless",
            spec(&[map(&json!({ "name": "h", "labels": { "a": "not a label" } }))]),
        ))
        .await;
    scene
        .create(&Troubled::new("collides", spec(&[map(&json!({ "name": "foreign" }))])))
        .await;
    let message = shown(&scene, "collides", "NameCollision").await;
    assert!(message.contains("foreign") && message.contains("not ours"), "{message}");

    let tries = |requests: &operatorkit_testing::audit::Requests, name: &str| {
        let of = |request: &&operatorkit_testing::audit::Entry| request.verb == "patch" && request.object.name == name;
        requests
            .iter()
            .filter(of)
            .map(|request| request.received)
            .collect::<Vec<_>>()
    };
    let collisions = operatorkit_testing::wait_for("the fifth try", PATIENCE, async || {
        let collisions = tries(&scene.requests(start).await, "foreign");
        operatorkit::anyhow::ensure!(collisions.len() >= 5, "{collisions:?}");
        Ok(collisions)
    })
    .await;
    // 0.5, 1, 2 and 4 s, less a fifth at most; an event may have brought one try more.
    let took = collisions[4].duration_since(collisions[0]);
    assert!(took.as_secs_f32() > 0.8 * 3.5, "five tries within {took:#}");
    // What the server calls invalid stays so until somebody changes something.
    let hopeless = tries(&scene.requests(start).await, "h");
    assert!((1..=2).contains(&hopeless.len()), "{hopeless:?}");

    // Neither has forgotten anything.
    scene.delete::<ConfigMap>("foreign").await;
    well(&scene, "collides").await;
    mended(&scene, "hopeless").await;
    running.stop().await;
}

/// Makes its child in another namespace.
#[operator(group = "trouble.test", version = "v1", kind = "Roaming", namespaced, resources(Far))]
pub(crate) struct RoamingSpec {
    to: String,
}

#[resource(namespaces = any)]
pub(crate) struct Far;

impl Manifest for Far {
    type Operator = Roaming;
    type Object = ConfigMap;
    async fn desired(&self, object: &Roaming, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        let mut map = config_map(cx.name(), json!({}))?;
        map.metadata.namespace = Some(object.spec.to.clone());
        Ok(map.into())
    }
}

#[tokio::test(start_paused = true)]
async fn a_namespace_that_goes_takes_nothing_new() {
    let scene = Scene::alone("going").await;
    scene.install::<Roaming>().await;
    let going = scene.cluster.namespace("gone").await;
    let maps: Api<ConfigMap> = Api::namespaced(scene.client.clone(), &going);
    let mut held = config_map("held", json!({})).expect("a ConfigMap");
    held.metadata.finalizers = Some(vec!["trouble.test/hold".into()]);
    maps.create(&operatorkit::kube::api::PostParams::default(), &held)
        .await
        .expect("created");
    scene.delete_namespace(&going).await;

    let running = scene.start(App::new("roaming").operator(|_env| async { Ok(RoamingResources { far: Far }) }));
    scene
        .create(&Roaming::new("x", RoamingSpec { to: going.clone() }))
        .await;
    let object: Roaming = scene.condition("x", "Ready", "False", "NamespaceTerminating").await;
    let message = condition(&to_value(object).expect("JSON"), "Ready")["message"].to_string();
    assert!(message.contains("being terminated"), "{message}");
    let _moved: Roaming = scene.patch("x", json!({ "spec": { "to": scene.namespace } })).await;
    let _ready: Roaming = scene.ready("x").await;
    let free = operatorkit::kube::api::Patch::Merge(json!({ "metadata": { "finalizers": null } }));
    maps.patch("held", &operatorkit::kube::api::PatchParams::default(), &free)
        .await
        .expect("patched");
    running.stop().await;
}
