//! Crashes and errors in the middle of `create`, in both directions; and what was lost.

use operatorkit::serde_json::{Value, json};

use super::{FINALIZER, Machine, app, cloud::Fault, finalizers, machine, scene, slot};

/// The operator ends while `create net` hangs, before or after the thing was made.
async fn crash(name: &'static str, fault: Fault) -> (crate::scene::Scene, std::sync::Arc<super::Cloud>) {
    let (scene, cloud) = scene(name).await;
    let running = scene.start(app(&cloud));
    cloud.fault("create net", fault);
    scene.create(&machine("x")).await;
    cloud.called("create net", 1).await;
    drop(running);
    cloud.heal();
    let left = scene.machine().await;
    assert_eq!(slot(&left, "net"), json!({ "uid": left.metadata.uid }), "an intent");
    (scene, cloud)
}

#[tokio::test(start_paused = true)]
async fn what_was_made_before_a_crash_is_found_and_not_made_twice() {
    let (scene, cloud) = crash("external-found", Fault::HangsAfter).await;
    let running = scene.start(app(&cloud));
    let ready: Machine = scene.ready("x").await;
    assert_eq!(cloud.calls(), ["create net", "find net", "create disk"]);
    assert_eq!(slot(&ready, "net")["state"]["id"], "net-0");
    let tokens = cloud.tokens();
    assert_eq!(tokens[0], tokens[1], "the token is stable");
    assert_ne!(tokens[1], tokens[2], "another resource has another one");
    assert_eq!(cloud.things()["net-0"].tag, tokens[0]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn what_was_not_made_before_a_crash_is_made_after_find_said_so() {
    let (scene, cloud) = crash("external-not-found", Fault::Hangs).await;
    let running = scene.start(app(&cloud));
    let _ready: Machine = scene.ready("x").await;
    assert_eq!(cloud.calls(), ["create net", "find net", "create net", "create disk"]);
    let tokens = cloud.tokens();
    assert!(tokens[..3].iter().all(|token| *token == tokens[0]), "{tokens:?}");
    assert_eq!(cloud.things().len(), 2);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn what_was_made_before_a_crash_is_found_and_deleted() {
    let (scene, cloud) = crash("external-found-gone", Fault::HangsAfter).await;
    scene.delete::<Machine>("x").await;
    let running = scene.start(app(&cloud));
    scene.gone().await;
    assert_eq!(cloud.calls(), ["create net", "find net", "delete net"]);
    assert!(cloud.things().is_empty());
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn nothing_is_made_or_deleted_for_an_intent_without_a_thing() {
    let (scene, cloud) = crash("external-nothing", Fault::Hangs).await;
    scene.delete::<Machine>("x").await;
    let running = scene.start(app(&cloud));
    scene.gone().await;
    assert_eq!(cloud.calls(), ["create net", "find net"]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_failed_find_deletes_nothing_and_lets_nothing_go() {
    let (scene, cloud) = crash("external-find", Fault::HangsAfter).await;
    cloud.fault("find net", Fault::Fails);
    scene.delete::<Machine>("x").await;
    let running = scene.start(app(&cloud));
    let held: Machine = scene.condition("x", "Deleting", "True", "Failed").await;
    assert_eq!(finalizers(&held), [FINALIZER]);
    assert_eq!(cloud.things().len(), 1);
    cloud.heal();
    scene.gone().await;
    assert!(cloud.things().is_empty());
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_error_or_a_panic_in_create_keeps_the_intent_and_the_next_pass_finds() {
    for (name, fault, reason) in [
        ("external-error", Fault::FailsAfter, "Failed"),
        ("external-panic", Fault::Panics, "Panicked"),
    ] {
        let (scene, cloud) = scene(name).await;
        let running = scene.start(app(&cloud));
        cloud.fault("create net", fault);
        // The second pass stops at `find`, so that the state after the first is seen.
        cloud.fault("find net", Fault::Hangs);
        scene.create(&machine("x")).await;
        let failed: Machine = scene.condition("x", "Ready", "False", reason).await;
        assert_eq!(slot(&failed, "net")["state"], Value::Null);
        cloud.called("find net", 1).await;
        drop(running);
        cloud.heal();
        let running = scene.start(app(&cloud));
        let _ready: Machine = scene.ready("x").await;
        let made = usize::from(fault == Fault::Panics);
        assert_eq!(cloud.count("create net"), 1 + made, "{:?}", cloud.calls());
        assert_eq!(cloud.things().len(), 2);
        running.stop().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_lost_inventory_leaks_nothing() {
    let (scene, cloud) = scene("external-lost").await;
    let running = scene.start(app(&cloud));
    scene.create(&machine("x")).await;
    let _ready: Machine = scene.ready("x").await;
    running.stop().await;
    scene
        .patch::<Machine>("x", json!({ "metadata": { "annotations": null } }))
        .await;
    assert_eq!(scene.machine().await.metadata.annotations, None);
    scene.delete::<Machine>("x").await;

    let running = scene.start(app(&cloud));
    scene.gone().await;
    assert!(cloud.things().is_empty(), "{:?}", cloud.things());
    let notes = scene
        .api::<operatorkit::k8s_openapi::api::core::v1::ConfigMap>()
        .get_opt("x")
        .await
        .expect("an answer");
    assert_eq!(notes, None);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_object_with_nothing_but_the_finalizer_goes() {
    let (scene, cloud) = scene("external-bare").await;
    let mut bare = machine("x");
    bare.metadata.finalizers = Some(vec![FINALIZER.into()]);
    scene.create(&bare).await;
    scene.delete::<Machine>("x").await;
    let running = scene.start(app(&cloud));
    scene.gone().await;
    assert_eq!(cloud.calls(), Vec::<String>::new());
    running.stop().await;
}
