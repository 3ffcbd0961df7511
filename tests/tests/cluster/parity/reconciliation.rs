//! *reconciliation*: other people's finalizers are left alone, and do not make us delete twice.

use std::sync::Arc;

use operatorkit::{prelude::*, serde_json::json};
use operatorkit_testing::{Cluster, PATIENCE, eventually, eventually_gone};

use super::{resyncs, scripted};
use crate::{flow::script::Script, scene::Scene, servers::on_both};

#[operator(
    group = "reconcile.parity.test",
    version = "v1",
    kind = "Held",
    namespaced,
    resources(Only)
)]
pub(crate) struct HeldSpec {}

#[resource]
pub(crate) struct Only(Arc<Script>);

scripted!(Only of Held, "only");

const OURS: &str = "operatorkit.dev/helds.reconcile.parity.test";
const OTHER: &str = "example.com/other";

on_both!(anothers_finalizer_stays_and_our_deletion_runs_once);

async fn anothers_finalizer_stays_and_our_deletion_runs_once(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "parity-reconcile").await;
    scene.install::<Held>().await;
    let script = Script::new();
    let only = Only(script.clone());
    let running = scene.start_resyncing(App::new("held").operator(|_env| async { Ok(HeldResources { only }) }));
    let mut held = Held::new("x", HeldSpec {});
    held.metadata.finalizers = Some(vec![OTHER.to_owned()]);
    scene.create(&held).await;
    scene.create(&Held::new("y", HeldSpec {})).await;
    let ready: Held = scene.ready("x").await;
    assert_eq!(ready.metadata.finalizers, Some(vec![OTHER.to_owned(), OURS.to_owned()]));

    scene.delete::<Held>("x").await;
    let _let_go = eventually(&scene.api::<Held>(), "x", "is held by the other only", PATIENCE, |it| {
        it.metadata.finalizers == Some(vec![OTHER.to_owned()])
    })
    .await;
    resyncs(&script, "y create only", 3).await;
    assert_eq!(script.count("x delete only"), 1);
    let _free: Held = scene.patch("x", json!({ "metadata": { "finalizers": null } })).await;
    eventually_gone(&scene.api::<Held>(), "x", PATIENCE).await;
    assert_eq!(script.count("x delete only"), 1);
    running.stop().await;
}
