//! *error*: an error holds up what comes after it, for its own object only.

use std::sync::Arc;

use operatorkit::{prelude::*, serde_json::to_value};
use operatorkit_testing::Cluster;

use super::{resyncs, scripted};
use crate::{
    flow::script::{Answer, Failing, Script},
    scene::{Scene, condition, line},
    servers::on_both,
};

#[operator(
    group = "error.parity.test",
    version = "v1",
    kind = "Faulty",
    namespaced,
    resources(First, Second)
)]
pub(crate) struct FaultySpec {}

#[resource(order = 1)]
pub(crate) struct First(Arc<Script>);

#[resource(order = 2)]
pub(crate) struct Second(Arc<Script>);

scripted!(First of Faulty, "first");
scripted!(Second of Faulty, "second");

on_both!(an_error_stops_what_follows_for_its_object_only);

async fn an_error_stops_what_follows_for_its_object_only(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "parity-error").await;
    scene.install::<Faulty>().await;
    let script = Script::new();
    script.on("a create first", Answer::Fail(Failing::default()));
    let (first, second) = (First(script.clone()), Second(script.clone()));
    let app = App::new("faulty").operator(|_env| async { Ok(FaultyResources { first, second }) });
    let running = scene.start_resyncing(app);
    for name in ["a", "b"] {
        scene.create(&Faulty::new(name, FaultySpec {})).await;
    }
    let _ready: Faulty = scene.ready("b").await;
    script.called("a create first", 2).await;
    resyncs(&script, "b create second", 2).await;
    assert_eq!(script.count("a create second"), 0);
    let failed: Faulty = scene.condition("a", "Ready", "False", "Failed").await;
    let failed = to_value(failed).expect("JSON");
    assert_eq!(line(&failed, "second")["phase"], "Pending");
    let ready = to_value(scene.api::<Faulty>().get("b").await.expect("it exists")).expect("JSON");
    assert_eq!(condition(&ready, "Ready")["status"], "True");
    running.stop().await;
}
