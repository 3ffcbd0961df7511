//! *finalizer*: it stays as long as a deletion fails.

use std::sync::Arc;

use operatorkit::prelude::*;
use operatorkit_testing::{Cluster, PATIENCE, eventually_gone};

use super::scripted;
use crate::{
    flow::script::{Answer, Failing, Script},
    scene::Scene,
    servers::on_both,
};

#[operator(
    group = "finalizer.parity.test",
    version = "v1",
    kind = "Sticky",
    namespaced,
    resources(Only)
)]
pub(crate) struct StickySpec {}

#[resource]
pub(crate) struct Only(Arc<Script>);

scripted!(Only of Sticky, "only");

on_both!(it_is_there_before_anything_works_and_stays_until_the_deletion_does);

async fn it_is_there_before_anything_works_and_stays_until_the_deletion_does(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "parity-finalizer").await;
    scene.install::<Sticky>().await;
    let script = Script::new();
    for call in ["x create only", "x delete only"] {
        script.on(call, Answer::Fail(Failing::default()));
    }
    let only = Only(script.clone());
    let running = scene.start_resyncing(App::new("sticky").operator(|_env| async { Ok(StickyResources { only }) }));
    scene.create(&Sticky::new("x", StickySpec {})).await;
    script.called("x create only", 1).await;
    let ours = Some(vec!["operatorkit.dev/stickies.finalizer.parity.test".to_owned()]);
    let meta = scene.api::<Sticky>().get("x").await.expect("it exists").metadata;
    assert_eq!((&meta.finalizers, meta.deletion_timestamp), (&ours, None));

    scene.delete::<Sticky>("x").await;
    script.called("x delete only", 2).await;
    let meta = scene
        .api::<Sticky>()
        .get("x")
        .await
        .expect("it is still there")
        .metadata;
    assert_eq!(meta.finalizers, ours);
    assert!(meta.deletion_timestamp.is_some());
    script.heal();
    eventually_gone(&scene.api::<Sticky>(), "x", PATIENCE).await;
    running.stop().await;
}
