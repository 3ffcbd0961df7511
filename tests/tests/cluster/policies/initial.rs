//! `initial(..)`: fields that are sent when a child is made, and then belong to whoever sets them.

use std::time::Duration;

use operatorkit::{
    RunSettings,
    anyhow::ensure,
    k8s_openapi::api::{apps::v1::Deployment, core::v1::ConfigMap},
    kube::{
        ResourceExt as _,
        api::{Patch, PatchParams},
    },
    serde_json::{Value, json, to_value},
};
use operatorkit_testing::{Cluster, PATIENCE, audit::Entry, eventually, wait_for};

use super::{Parcel, config_map, deployment, fill, get, plain, refused, typed, version};
use crate::{
    before,
    scene::{Running, Scene},
};

version!(first: initial("/spec/replicas"));
version!(adopting: adopt, initial("/data/theirs"));
version!(inside: initial("/spec/selector/matchLabels/app"));
version!(recreating: initial("/spec/replicas"), replace = "recreate");

const MANAGER: &str = "operatorkit.dev/parcels.policies.test";

fn web(image: &str, replicas: u32) -> Value {
    deployment("web", "web", image, Some(replicas))
}

/// Runs the operator, and waits for the Deployment that it makes with three replicas.
async fn made(scene: &Scene) -> Running {
    scene.install::<Parcel>().await;
    let running = scene.start(first::app());
    scene.create(&plain::parcel("x", &[web("one", 3)])).await;
    let _ready: Parcel = scene.ready("x").await;
    assert_eq!(replicas(scene).await, Some(3));
    running
}

async fn replicas(scene: &Scene) -> Option<i32> {
    get::<Deployment>(scene, "web").await.spec.replicas
}

/// Changes the image, and waits until the Deployment has it.
async fn change(scene: &Scene, content: Value) {
    let image = content["spec"]["template"]["spec"]["containers"][0]["image"].clone();
    fill(scene, "x", &[content]).await;
    eventually(&scene.api::<Deployment>(), "web", "has the new image", PATIENCE, |it| {
        let it = to_value(it).expect("JSON");
        it["spec"]["template"]["spec"]["containers"][0]["image"] == image
    })
    .await;
    let _ready: Parcel = scene.ready("x").await;
}

/// Who owns `spec.replicas`.
async fn owners(scene: &Scene) -> Vec<String> {
    let web = to_value(get::<Deployment>(scene, "web").await).expect("JSON");
    let entries = web["metadata"]["managedFields"].as_array().expect("entries").clone();
    let owning = entries
        .iter()
        .filter(|entry| entry["fieldsV1"]["f:spec"].get("f:replicas").is_some());
    owning
        .map(|entry| entry["manager"].as_str().expect("a name").to_owned())
        .collect()
}

async fn a_field_stays_where_nobody_sets_it(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "initial").await;
    let running = made(&scene).await;
    assert_eq!(owners(&scene).await, Vec::<String>::new(), "it is nobody's");
    let made: Deployment = get(&scene, "web").await;
    assert!(!made.annotations().contains_key("operatorkit.dev/initial"), "{made:?}");
    // Not sent any more, and not taken away either: the default would be 1.
    change(&scene, web("two", 3)).await;
    assert_eq!(replicas(&scene).await, Some(3));
    // A later wish means nothing.
    change(&scene, web("three", 5)).await;
    assert_eq!(replicas(&scene).await, Some(3));
    running.stop().await;
}

async fn a_value_of_somebody_else_survives(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "initial-others").await;
    let running = made(&scene).await;
    // As an autoscaler does it.
    let scale = json!({ "spec": { "replicas": 2 } });
    let params = PatchParams {
        field_manager: Some("hpa".into()),
        ..PatchParams::default()
    };
    scene
        .api::<Deployment>()
        .patch_scale("web", &params, &Patch::Merge(scale))
        .await
        .unwrap();
    change(&scene, web("two", 3)).await;
    assert_eq!(replicas(&scene).await, Some(2));
    // Whether the API server notes who scaled depends on whether the field was somebody's before; it is not us.
    assert!(!owners(&scene).await.contains(&MANAGER.to_owned()));
    // As a person with `kubectl apply --server-side`, without force: there is no conflict with us.
    let mut fresh = web("one", 3);
    fresh["metadata"]["name"] = json!("web-2");
    fill(&scene, "x", &[web("two", 3), fresh]).await;
    eventually(
        &scene.api::<Deployment>(),
        "web-2",
        "is nobody's any more",
        PATIENCE,
        |it| !it.annotations().contains_key("operatorkit.dev/initial"),
    )
    .await;
    let apply = json!({ "apiVersion": "apps/v1", "kind": "Deployment", "spec": { "replicas": 7 } });
    let applied = scene
        .api::<Deployment>()
        .patch("web-2", &PatchParams::apply("person"), &Patch::Apply(apply))
        .await
        .expect("no conflict");
    assert_eq!(applied.spec.replicas, Some(7));
    running.stop().await;
}

async fn a_child_that_was_made_before_keeps_what_it_has(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "initial-upgrade").await;
    scene.install::<Parcel>().await;
    let running = scene.start(plain::app());
    scene.create(&plain::parcel("x", &[web("one", 3)])).await;
    let _ready: Parcel = scene.ready("x").await;
    assert_eq!(owners(&scene).await, [MANAGER]);
    running.stop().await;

    let running = scene.start(first::app());
    wait_for("the field is nobody's", PATIENCE, async || {
        ensure!(owners(&scene).await.is_empty());
        Ok(())
    })
    .await;
    change(&scene, web("two", 5)).await;
    assert_eq!(replicas(&scene).await, Some(3));
    running.stop().await;

    // Without the key it counts again.
    let running = scene.start(plain::app());
    change(&scene, web("three", 5)).await;
    assert_eq!(replicas(&scene).await, Some(5));
    running.stop().await;
}

async fn a_crash_after_the_creation_does_no_harm(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "initial-crash").await;
    scene.install::<Parcel>().await;
    // Between the creation and the patch that gives the field up, nothing leaves any more.
    let client = before::client(scene.cluster.config(&scene.user), |request| {
        let is_json_patch = request
            .headers()
            .get(http::header::CONTENT_TYPE)
            .is_some_and(|type_| type_ == "application/json-patch+json");
        let stuck = is_json_patch && request.uri().path().ends_with("/deployments/web");
        Box::pin(async move {
            if stuck {
                std::future::pending::<()>().await;
            }
        })
    });
    let running = scene.start_on(client, first::app());
    scene.create(&plain::parcel("x", &[web("one", 3)])).await;
    eventually(&scene.api::<Deployment>(), "web", "is made", PATIENCE, |_| true).await;
    drop(running);
    assert_eq!(owners(&scene).await, [MANAGER]);

    let running = scene.start(first::app());
    let _ready: Parcel = scene.ready("x").await;
    assert_eq!(owners(&scene).await, Vec::<String>::new());
    change(&scene, web("two", 5)).await;
    assert_eq!(replicas(&scene).await, Some(3));
    running.stop().await;
}

async fn a_part_of_what_is_replaced_as_a_whole_is_refused(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "initial-atomic").await;
    scene.install::<Parcel>().await;
    let running = scene.start(inside::app());
    scene.create(&plain::parcel("x", &[web("one", 3)])).await;
    let message = refused(&scene, "x", "InvalidDesired").await;
    assert!(message.contains("is replaced as a whole"), "{message}");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn it_costs_one_request_at_creation_and_none_later() {
    let scene = Scene::alone("initial-costs").await;
    scene.install::<Parcel>().await;
    let settings = RunSettings {
        namespaces: vec![scene.namespace.clone()],
        resync: Duration::from_secs(30),
        ..RunSettings::default()
    };
    let start = scene.mark().await;
    let running = scene.start_with(first::app(), settings);
    scene.create(&plain::parcel("x", &[web("one", 3)])).await;
    let _ready: Parcel = scene.ready("x").await;
    let about_child = |request: &Entry| request.resource() == "deployments" && !request.object.name.is_empty();
    let created = scene.requests(start).await.filter(about_child);
    assert_eq!(created.by_verb(), [("patch", 2)].into(), "{created}");

    let start = scene.mark().await;
    let scale = json!({ "spec": { "replicas": 0 } });
    let _scaled: Deployment = scene.patch("web", scale).await;
    tokio::time::sleep(Duration::from_mins(10)).await;
    let idle = scene.requests(start).await.filter(about_child);
    assert!(
        idle.is_empty(),
        "neither somebody else's value nor a resync costs anything:\n{idle}"
    );

    let start = scene.mark().await;
    change(&scene, web("two", 3)).await;
    let changed = scene.requests(start).await.filter(about_child);
    assert_eq!(changed.by_verb(), [("patch", 1)].into(), "{changed}");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn what_is_adopted_keeps_its_value_and_what_is_made_again_gets_the_wanted_one() {
    let scene = Scene::alone("initial-with-others").await;
    scene.install::<Parcel>().await;
    let theirs = typed(&config_map("settings", json!({ "theirs": "stays" })));
    scene.create(&theirs).await;
    let running = scene.start(adopting::app());
    let wanted = config_map("settings", json!({ "ours": "a", "theirs": "never sent" }));
    scene.create(&plain::parcel("x", &[wanted])).await;
    let _ready: Parcel = scene.ready("x").await;
    let map: ConfigMap = get(&scene, "settings").await;
    assert_eq!(json!(map.data), json!({ "ours": "a", "theirs": "stays" }));
    running.stop().await;

    let running = scene.start(recreating::app());
    fill(&scene, "x", &[web("one", 3)]).await;
    let _ready: Parcel = scene.ready("x").await;
    let _scaled: Deployment = scene.patch("web", json!({ "spec": { "replicas": 2 } })).await;
    fill(&scene, "x", &[deployment("web", "other", "one", Some(3))]).await;
    eventually(&scene.api::<Deployment>(), "web", "is made again", PATIENCE, |it| {
        it.spec
            .selector
            .match_labels
            .as_ref()
            .is_some_and(|labels| labels["app"] == "other")
    })
    .await;
    let _ready: Parcel = scene.ready("x").await;
    assert_eq!(replicas(&scene).await, Some(3));
    assert_eq!(owners(&scene).await, Vec::<String>::new());
    running.stop().await;
}

crate::servers::on_both! {
    a_field_stays_where_nobody_sets_it,
    a_value_of_somebody_else_survives,
    a_child_that_was_made_before_keeps_what_it_has,
    a_crash_after_the_creation_does_no_harm,
    a_part_of_what_is_replaced_as_a_whole_is_refused,
}
