//! The finalizer patch: what a pass makes of the list that it finds.

use std::sync::Arc;

use operatorkit::{Direction, SinglePasses, prelude::*};

use super::scripted;
use crate::{flow::script::Script, scene::Scene};

#[operator(
    group = "patch.parity.test",
    version = "v1",
    kind = "Patched",
    namespaced,
    resources(Only)
)]
pub(crate) struct PatchedSpec {}

#[resource]
pub(crate) struct Only(Arc<Script>);

scripted!(Only of Patched, "only");

const OURS: &str = "operatorkit.dev/patcheds.patch.parity.test";
const OTHERS: [&str; 2] = ["example.com/one", "example.com/two"];

async fn start(name: &'static str, finalizers: &[&str]) -> (Scene, SinglePasses<Patched>) {
    let scene = Scene::alone(name).await;
    scene.install::<Patched>().await;
    let client = scene.cluster.client(&scene.user);
    let only = Only(Script::new());
    let passes = SinglePasses::new(PatchedResources { only }, client, &scene.resyncing()).expect("it can run");
    let mut patched = Patched::new("x", PatchedSpec {});
    patched.metadata.finalizers = Some(finalizers.iter().map(|&name| name.to_owned()).collect());
    scene.create(&patched).await;
    (scene, passes)
}

async fn finalizers(scene: &Scene) -> Vec<String> {
    let patched = scene.api::<Patched>().get("x").await.expect("it exists");
    patched.metadata.finalizers.unwrap_or_default()
}

#[tokio::test(start_paused = true)]
async fn where_none_is_set_ours_is_the_only_one() {
    let (scene, mut passes) = start("patch-none", &[]).await;
    let _outcome = passes.run(&*scene.namespace, "x").await.expect("a pass");
    assert_eq!(finalizers(&scene).await, [OURS]);
}

#[tokio::test(start_paused = true)]
async fn where_ours_is_set_it_is_not_set_again() {
    let (scene, mut passes) = start("patch-set", &[OURS]).await;
    for _ in 0..2 {
        let _outcome = passes.run(&*scene.namespace, "x").await.expect("a pass");
        assert_eq!(finalizers(&scene).await, [OURS]);
    }
    let mark = scene.mark().await;
    let _outcome = passes.run(&*scene.namespace, "x").await.expect("a pass");
    assert!(scene.requests(mark).await.verb("patch").is_empty());
}

#[tokio::test(start_paused = true)]
async fn others_stay_in_their_order_and_ours_goes_behind_them() {
    let (scene, mut passes) = start("patch-others", &OTHERS).await;
    let _outcome = passes.run(&*scene.namespace, "x").await.expect("a pass");
    assert_eq!(finalizers(&scene).await, [OTHERS[0], OTHERS[1], OURS]);
    scene.delete::<Patched>("x").await;
    let outcome = passes.run(&*scene.namespace, "x").await.expect("a pass");
    assert!(outcome.done, "{outcome:?}");
    assert_eq!(finalizers(&scene).await, OTHERS);
}

#[tokio::test(start_paused = true)]
async fn an_object_that_is_being_deleted_gets_none_and_no_pass() {
    let (scene, mut passes) = start("patch-deleted", &OTHERS).await;
    scene.delete::<Patched>("x").await;
    let outcome = passes.run(&*scene.namespace, "x").await.expect("a pass");
    assert_eq!(outcome.direction, Direction::Nowhere);
    assert_eq!(finalizers(&scene).await, OTHERS);
}
