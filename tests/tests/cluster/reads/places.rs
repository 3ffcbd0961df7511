//! Other namespaces, cluster-scoped kinds, and kinds that appear later.

use operatorkit::{
    RunSettings,
    k8s_openapi::api::core::v1::{Namespace, Secret},
    kube::{
        Api,
        api::{Patch, PatchParams, PostParams},
    },
    serde_json::json,
};

use super::{Later, LaterSpec, Passes, Reader, ReaderSpec, app, quiet, secret, started};
use crate::scene::Scene;

#[tokio::test(start_paused = true)]
async fn a_secret_of_another_namespace_is_read_and_followed() {
    let (scene, passes, running) = started("reads-elsewhere").await;
    let elsewhere = scene.cluster.namespace("platform").await;
    let secrets: Api<Secret> = Api::namespaced(scene.client.clone(), &elsewhere);
    // The same name in both.
    scene.create(&secret("key", "here")).await;
    let there = format!("{elsewhere}/key");
    scene.reads("x", &["key", &there]).await;
    passes.sees("x", &format!("key=here {there}-")).await;
    secrets
        .create(&PostParams::default(), &secret("key", "there"))
        .await
        .expect("created");
    passes.sees("x", "key=here key=there").await;
    scene.change("key", "1").await;
    passes.sees("x", "key=1 key=there").await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_operator_of_all_namespaces_has_one_watch_of_a_kind_and_ends_it_when_nobody_reads() {
    let scene = Scene::alone("reads-everywhere").await;
    scene.install::<Reader>().await;
    let elsewhere = scene.cluster.namespace("platform").await;
    let passes = Passes::default();
    let start = scene.mark().await;
    let running = scene.start_with(app(&passes), RunSettings::default());
    scene.create(&secret("key", "1")).await;
    scene.reads("x", &["key", &format!("{elsewhere}/key")]).await;
    scene.reads("y", &["key"]).await;
    passes.sees("x", &format!("key=1 {elsewhere}/key-")).await;
    passes.sees("y", "key=1").await;
    quiet().await;
    let secrets = scene
        .cluster
        .audit()
        .since(start)
        .await
        .by_user(&scene.user)
        .of("secrets");
    let lists = secrets.clone().verb("list");
    assert_eq!(lists.len(), 1, "one watch for all: {secrets}");
    scene.delete::<Reader>("x").await;
    scene.delete::<Reader>("y").await;
    for name in ["x", "y"] {
        operatorkit_testing::eventually_gone(&scene.api::<Reader>(), name, operatorkit_testing::PATIENCE).await;
    }
    quiet().await;
    let start = scene.mark().await;
    // A watch is opened anew every five minutes, as long as there is one.
    for _ in 0..10 {
        quiet().await;
    }
    let secrets = scene
        .cluster
        .audit()
        .since(start)
        .await
        .by_user(&scene.user)
        .of("secrets");
    assert!(secrets.is_empty(), "{secrets}");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_cluster_scoped_object_is_read_and_followed() {
    let (scene, passes, running) = started("reads-cluster").await;
    let spec = ReaderSpec {
        region: Some(scene.namespace.clone()),
        ..ReaderSpec::default()
    };
    scene.reader("x", spec).await;
    passes.sees("x", "region ").await;
    let namespaces: Api<Namespace> = Api::all(scene.client.clone());
    let region = json!({ "metadata": { "labels": { "region": "north" } } });
    let _labelled = namespaces
        .patch(&scene.namespace, &PatchParams::default(), &Patch::Merge(region))
        .await
        .expect("patched");
    passes.sees("x", "region north").await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_kind_that_is_not_served_has_no_objects_until_it_is() {
    let (scene, passes, running) = started("reads-later").await;
    let spec = ReaderSpec {
        later: Some("thing".into()),
        ..ReaderSpec::default()
    };
    scene.reader("x", spec).await;
    passes.sees("x", "thing-").await;
    let _ready: Reader = scene.ready("x").await;
    scene.install::<Later>().await;
    scene
        .create(&Later::new("thing", LaterSpec { text: "hello".into() }))
        .await;
    passes.sees("x", "hello").await;
    let _changed: Later = scene.patch("thing", json!({ "spec": { "text": "again" } })).await;
    passes.sees("x", "again").await;
    running.stop().await;
}
