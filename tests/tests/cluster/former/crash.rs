//! A crash at any write while what an earlier name left is taken over, or undone.

use std::{sync::Arc, time::Duration};

use operatorkit::{App, k8s_openapi::api::core::v1::ConfigMap};
use operatorkit_testing::{
    PATIENCE,
    apiserver::fault::{Effect, Fault, Matching},
    audit::Mark,
    eventually_gone,
};
use tokio::time::{sleep, timeout};

use super::{Heir, Old, after, before, make, provider::Provider};
use crate::{scene::Scene, servers::embedded};

/// `x`, as the version with the old name left it.
async fn made() -> (Scene, Arc<Provider>, Old) {
    let (scene, provider) = super::made(embedded(), "former-crash").await;
    let old = Old::of(&scene).await;
    (scene, provider, old)
}

/// The writes of the operator since a mark, Events apart.
async fn writes(scene: &Scene, since: Mark) -> usize {
    let writes = scene.requests(since).await.writes();
    writes.filter(|it| it.object.resource != "events").len()
}

/// Runs the operator until so many of its writes were carried out, and ends it at the next one, which is not.
async fn crash_at(scene: &Scene, app: App, write: usize) {
    let faults = scene.cluster.faults().expect("the embedded server");
    let ours = Matching::writes().user(&scene.user).namespace(&scene.namespace);
    let ours = ours.when(|request| request.attributes.resource != "events");
    let fault = faults.add(
        Fault::new(ours, Effect::Hang)
            .after(write.try_into().expect("few"))
            .once(),
    );
    let running = scene.start(app);
    let reached = async {
        while faults.met(fault) == 0 {
            sleep(Duration::from_millis(2)).await;
        }
    };
    timeout(PATIENCE, reached).await.expect("it is reached");
    drop(running);
    faults.remove(fault);
}

#[tokio::test]
async fn a_crash_at_each_write_of_the_succession_is_taken_up() {
    let (scene, provider, old) = made().await;
    let start = scene.mark().await;
    let running = scene.start(after::app(&provider));
    old.assert_taken_over(&scene, &provider).await;
    running.stop().await;
    let count = writes(&scene, start).await;
    // The object's, the claims on the child, and the child's.
    assert!(count >= 3, "{count}");
    for write in 0..count {
        let (scene, provider, old) = made().await;
        crash_at(&scene, after::app(&provider), write).await;
        let running = scene.start(after::app(&provider));
        old.assert_taken_over(&scene, &provider).await;
        running.stop().await;
    }
}

#[tokio::test]
async fn a_crash_at_each_write_of_a_deletion_that_the_old_name_left_is_taken_up() {
    let (scene, provider, _) = made().await;
    scene.delete::<Heir>("x").await;
    let start = scene.mark().await;
    let running = scene.start(after::app(&provider));
    eventually_gone(&scene.api::<Heir>(), "x", PATIENCE).await;
    running.stop().await;
    let count = writes(&scene, start).await;
    // The child, the slot, and the finalizer.
    assert!(count >= 3, "{count}");
    for write in 0..count {
        let (scene, provider, _) = made().await;
        scene.delete::<Heir>("x").await;
        crash_at(&scene, after::app(&provider), write).await;
        let running = scene.start(after::app(&provider));
        eventually_gone(&scene.api::<Heir>(), "x", PATIENCE).await;
        running.stop().await;
        assert_eq!(provider.journal(), ["create before", "delete before"], "{write}");
        assert!(
            scene.children::<ConfigMap>("operatorkit.dev/operator").await.is_empty(),
            "{write}"
        );
    }
}

#[tokio::test]
async fn a_crash_of_the_old_version_while_it_made_the_object_is_taken_up() {
    let scene = Scene::new("former-crash").await;
    let provider = Arc::default();
    let start = scene.mark().await;
    make(&scene, before::app(&provider)).await;
    let count = writes(&scene, start).await;
    for write in 0..count {
        let scene = Scene::new("former-crash").await;
        let provider = Arc::<Provider>::default();
        scene.create(&Heir::new("x", super::HeirSpec {})).await;
        crash_at(&scene, before::app(&provider), write).await;
        let running = scene.start(after::app(&provider));
        let ready: Heir = scene.ready("x").await;
        assert_eq!(provider.journal().len(), 1, "{write}: made once, by one of the two");
        running.stop().await;
        super::assert_no_trace(&ready);
        let children = scene.children::<ConfigMap>("operatorkit.dev/operator").await;
        let names: Vec<_> = children.keys().collect();
        assert_eq!(names, ["x-data"], "{write}");
        children.values().for_each(super::assert_no_trace);
    }
}
