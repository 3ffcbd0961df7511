//! *control flow*: resyncs go on, and a failing deletion is repeated.

use std::sync::Arc;

use operatorkit::prelude::*;
use operatorkit_testing::{Cluster, PATIENCE, eventually_gone};

use super::{resyncs, scripted};
use crate::{
    flow::script::{Answer, Failing, Script},
    scene::Scene,
    servers::on_both,
};

#[operator(
    group = "control.parity.test",
    version = "v1",
    kind = "Loop",
    namespaced,
    resources(Only)
)]
pub(crate) struct LoopSpec {}

#[resource]
pub(crate) struct Only(Arc<Script>);

scripted!(Only of Loop, "only");

on_both!(passes_come_again_and_a_deletion_that_fails_is_tried_until_it_works);

async fn passes_come_again_and_a_deletion_that_fails_is_tried_until_it_works(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "parity-control").await;
    scene.install::<Loop>().await;
    let script = Script::new();
    let only = Only(script.clone());
    let running = scene.start_resyncing(App::new("loops").operator(|_env| async { Ok(LoopResources { only }) }));
    scene.create(&Loop::new("x", LoopSpec {})).await;
    let _ready: Loop = scene.ready("x").await;
    resyncs(&script, "x create only", 2).await;
    assert_eq!(script.count("x delete only"), 0);

    for call in ["x create only", "x delete only"] {
        script.on(call, Answer::Fail(Failing::default()));
    }
    scene.delete::<Loop>("x").await;
    script.called("x delete only", 3).await;
    let held = scene.api::<Loop>().get("x").await.expect("it is still there");
    let ours = vec!["operatorkit.dev/loops.control.parity.test".to_owned()];
    assert_eq!(held.metadata.finalizers, Some(ours));
    script.heal();
    eventually_gone(&scene.api::<Loop>(), "x", PATIENCE).await;
    running.stop().await;
}
