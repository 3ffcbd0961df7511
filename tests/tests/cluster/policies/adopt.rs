//! `adopt`: what exists without an owner is taken over, and nothing else.

use std::sync::atomic::{AtomicUsize, Ordering};

use operatorkit::{
    k8s_openapi::api::core::v1::ConfigMap,
    kube::{
        Api, ResourceExt as _,
        api::{Patch, PatchParams},
    },
    serde_json::{Value, from_str, json},
};
use operatorkit_testing::{Cluster, PATIENCE, eventually, eventually_gone};

use super::{Parcel, assert_event, config_map, fill, get, plain, refused, typed, version};
use crate::{before, scene::Scene};

version!(adopting: adopt);

/// An object of somebody who has not marked it.
async fn existing(scene: &Scene, name: &str) -> ConfigMap {
    let mut map = typed(&config_map(name, json!({ "ours": "old", "theirs": "stays" })));
    map.labels_mut().insert("by".into(), "hand".into());
    scene.create(&map).await
}

async fn what_is_nobodys_is_taken_over(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "adopt").await;
    scene.install::<Parcel>().await;
    let before = existing(&scene, "settings").await;
    let running = scene.start(adopting::app());
    let content = [config_map("settings", json!({ "ours": "new" }))];
    scene.create(&plain::parcel("x", &content)).await;
    let owner: Parcel = scene.ready("x").await;

    let after: ConfigMap = get(&scene, "settings").await;
    assert_eq!(after.uid(), before.uid(), "it is the same object");
    let data = json!({ "ours": "new", "theirs": "stays" });
    assert_eq!(json!(after.data), data, "what others own stays");
    assert_eq!(after.labels()["by"], "hand");
    let mark: Value = from_str(&after.annotations()["operatorkit.dev/mark"]).unwrap();
    assert_eq!(mark["uid"], json!(owner.uid()));
    assert_event(&scene, "x", "Normal", "Adopted", "settings existed without an owner").await;

    // It is a child like any other now.
    scene.delete::<Parcel>("x").await;
    eventually_gone(&scene.api::<Parcel>(), "x", PATIENCE).await;
    eventually_gone(&scene.api::<ConfigMap>(), "settings", PATIENCE).await;
    running.stop().await;
}

async fn of_two_operators_that_try_at_once_one_wins(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "adopt-race").await;
    scene.install::<Parcel>().await;
    existing(&scene, "settings").await;
    // Between our look and our write, somebody else's mark comes on. The first write finds out that the name is taken.
    let (maps, writes) = (scene.api::<ConfigMap>(), AtomicUsize::new(0));
    let client = before::client(scene.cluster.config(&scene.user), move |request| {
        let is_write =
            request.method() == http::Method::PATCH && request.uri().path().ends_with("/configmaps/settings");
        let rival = (is_write && writes.fetch_add(1, Ordering::SeqCst) == 1).then(|| maps.clone());
        Box::pin(async move {
            if let Some(maps) = rival {
                take(&maps).await;
            }
        })
    });
    let running = scene.start_on(client, adopting::app());
    scene
        .create(&plain::parcel("x", &[config_map("settings", json!({ "ours": "new" }))]))
        .await;
    let message = refused(&scene, "x", "NameCollision").await;
    assert!(message.contains("it belongs to the operator `rival`"), "{message}");
    let after: ConfigMap = get(&scene, "settings").await;
    assert_eq!(after.data.unwrap()["ours"], "old", "nothing was written to it");
    running.stop().await;
}

/// Marks the ConfigMap as a child of another operator.
async fn take(maps: &Api<ConfigMap>) {
    let this = json!({ "kind": "ConfigMap", "namespace": maps.namespace(), "name": "settings" });
    let owner = json!({ "kind": "Rival", "name": "r" });
    let mark = json!({ "operator": "rival", "resource": "r", "owner": owner, "uid": "1", "self": this });
    let patch = json!({ "metadata": { "annotations": { "operatorkit.dev/mark": mark.to_string() } } });
    maps.patch("settings", &PatchParams::default(), &Patch::Merge(patch))
        .await
        .expect("patched");
}

#[tokio::test(start_paused = true)]
async fn what_has_an_owner_or_goes_is_left_alone() {
    let scene = Scene::alone("adopt-foreign").await;
    scene.install::<Parcel>().await;
    let mut foreign = Vec::new();
    let boss = scene.create(&typed(&config_map("boss", json!({})))).await;
    let controller =
        json!([{ "apiVersion": "v1", "kind": "ConfigMap", "name": "boss", "uid": boss.uid(), "controller": true }]);
    for (name, meta) in [
        ("controlled", json!({ "ownerReferences": controller })),
        (
            "marked",
            json!({ "annotations": { "operatorkit.dev/mark": "of a version that we cannot read" } }),
        ),
        ("going", json!({ "finalizers": ["a.example/stay"] })),
    ] {
        let mut map = config_map(name, json!({}));
        map["metadata"]
            .as_object_mut()
            .unwrap()
            .extend(meta.as_object().unwrap().clone());
        scene.create(&typed(&map)).await;
        if name == "going" {
            scene.delete::<ConfigMap>(name).await;
        }
        foreign.push(get::<ConfigMap>(&scene, name).await);
    }
    let running = scene.start(adopting::app());
    for map in &foreign {
        let name = map.name_any();
        scene
            .create(&plain::parcel(&name, &[config_map(&name, json!({ "a": "b" }))]))
            .await;
        let message = refused(&scene, &name, "NameCollision").await;
        assert!(message.contains(&name), "{message}");
        assert_eq!(get::<ConfigMap>(&scene, &name).await, *map);
    }
    // With the object's deletion nothing becomes of them either.
    scene.delete::<Parcel>("controlled").await;
    eventually_gone(&scene.api::<Parcel>(), "controlled", PATIENCE).await;
    assert_eq!(get::<ConfigMap>(&scene, "controlled").await, foreign[0]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn what_the_object_itself_controls_is_adopted() {
    let scene = Scene::alone("adopt-own").await;
    scene.install::<Parcel>().await;
    let owner = scene
        .create(&plain::parcel("x", &[config_map("settings", json!({ "a": "b" }))]))
        .await;
    // As an operator without marks would have made it.
    let mut map = config_map("settings", json!({ "a": "old" }));
    map["metadata"]["ownerReferences"] = json!([{
        "apiVersion": "policies.test/v1", "kind": "Parcel", "name": "x", "uid": owner.uid(), "controller": true,
    }]);
    let before = scene.create(&typed(&map)).await;
    let running = scene.start(adopting::app());
    let _ready: Parcel = scene.ready("x").await;
    let after: ConfigMap = get(&scene, "settings").await;
    assert_eq!((after.uid(), after.data.unwrap()["a"].as_str()), (before.uid(), "b"));
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_changed_is_not_adopted_and_not_deleted() {
    let scene = Scene::alone("adopt-immutable").await;
    scene.install::<Parcel>().await;
    let mut map = config_map("settings", json!({ "a": "old" }));
    map["immutable"] = json!(true);
    let before = scene.create(&typed(&map)).await;
    let start = scene.mark().await;
    let running = scene.start(both::app());
    map["data"]["a"] = json!("new");
    scene.create(&plain::parcel("x", &[map.clone()])).await;
    let message = refused(&scene, "x", "Immutable").await;
    assert!(message.contains("cannot be adopted"), "{message}");
    assert_eq!(get::<ConfigMap>(&scene, "settings").await, before);
    assert_eq!(scene.deletions(start).await, Vec::<String>::new());
    // What it has there can be had.
    map["data"]["a"] = json!("old");
    fill(&scene, "x", &[map]).await;
    let _ready: Parcel = scene.ready("x").await;
    assert_eq!(get::<ConfigMap>(&scene, "settings").await.uid(), before.uid());
    running.stop().await;
}

version!(both: adopt, replace = "recreate");

#[tokio::test(start_paused = true)]
async fn what_an_operator_with_the_key_lost_is_adopted_again_and_left_out_it_is_deleted() {
    let scene = Scene::alone("adopt-again").await;
    scene.install::<Parcel>().await;
    let running = scene.start(adopting::app());
    scene
        .create(&plain::parcel("x", &[config_map("settings", json!({ "a": "b" }))]))
        .await;
    let _ready: Parcel = scene.ready("x").await;
    let before: ConfigMap = get(&scene, "settings").await;
    let gone = json!({ "metadata": {
        "annotations": { "operatorkit.dev/mark": null },
        "labels": { "operatorkit.dev/operator": null, "operatorkit.dev/owner-uid": null },
    } });
    let _released: ConfigMap = scene.patch("settings", gone).await;
    let marked = |map: &ConfigMap| map.annotations().contains_key("operatorkit.dev/mark");
    let after = eventually(
        &scene.api::<ConfigMap>(),
        "settings",
        "is marked again",
        PATIENCE,
        marked,
    )
    .await;
    assert_eq!(after.uid(), before.uid());
    fill(&scene, "x", &[]).await;
    eventually_gone(&scene.api::<ConfigMap>(), "settings", PATIENCE).await;
    running.stop().await;
}

crate::servers::on_both! {
    what_is_nobodys_is_taken_over,
    of_two_operators_that_try_at_once_one_wins,
}
