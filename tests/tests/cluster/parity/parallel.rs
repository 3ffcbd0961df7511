//! *parallel*: three operators hold one object, and each lets go of it by itself.

use std::sync::Arc;

use operatorkit::{anyhow::ensure, prelude::*};
use operatorkit_testing::{Cluster, PATIENCE, eventually, eventually_gone, wait_for};

use super::scripted;
use crate::{
    flow::script::{Answer, Failing, Script},
    scene::Scene,
    servers::on_both,
};

/// Never fails.
#[operator(
    group = "parallel.parity.test",
    version = "v1",
    kind = "Shared",
    namespaced,
    name = "a.parallel.parity.test",
    resources(A)
)]
pub(crate) struct SharedSpec {}

/// Fails its first deletion.
#[operator(for = Shared, name = "b.parallel.parity.test", selector = all, resources(B))]
pub(crate) struct Second;

/// Fails always.
#[operator(for = Shared, name = "c.parallel.parity.test", selector = all, resources(C))]
pub(crate) struct Third;

#[resource]
pub(crate) struct A(Arc<Script>);

#[resource]
pub(crate) struct B(Arc<Script>);

#[resource]
pub(crate) struct C(Arc<Script>);

scripted!(A of Shared, "a");
scripted!(B of Second, "b");
scripted!(C of Third, "c");

on_both!(each_lets_go_by_itself_and_runs_no_more);

async fn each_lets_go_by_itself_and_runs_no_more(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "parity-parallel").await;
    scene.install::<Shared>().await;
    let script = Script::new();
    script.on("x delete b", Answer::FailOnce);
    script.on("x delete c", Answer::Fail(Failing::default()));
    let (a, b, c) = (A(script.clone()), B(script.clone()), C(script.clone()));
    let app = App::new("parallel")
        .operator(|_env| async { Ok(SharedResources { a }) })
        .operator(|_env| async { Ok(SecondResources { b }) })
        .operator(|_env| async { Ok(ThirdResources { c }) });
    let running = scene.start_resyncing(app);
    scene.create(&Shared::new("x", SharedSpec {})).await;
    let finalizers = |object: &Shared| {
        let mut finalizers = object.metadata.finalizers.clone().unwrap_or_default();
        finalizers.sort();
        finalizers.join(" ")
    };
    let [a, b, c] = ["a", "b", "c"].map(|name| format!("operatorkit.dev/{name}.parallel.parity.test"));
    let all = format!("{a} {b} {c}");
    let api = scene.api::<Shared>();
    let _held = eventually(&api, "x", "is held by all three", PATIENCE, |it| finalizers(it) == all).await;

    scene.delete::<Shared>("x").await;
    let _held = eventually(&api, "x", "is held by the third only", PATIENCE, |it| {
        finalizers(it) == c
    })
    .await;
    wait_for("the third tries on", PATIENCE, async || {
        ensure!(script.count("x delete c") > 3, "{:?}", script.calls());
        Ok(())
    })
    .await;
    let deletions = || ["x delete a", "x delete b"].map(|call| script.count(call));
    assert_eq!(deletions(), [1, 2]);
    script.heal();
    eventually_gone(&api, "x", PATIENCE).await;
    assert_eq!(deletions(), [1, 2], "what holds the object is no affair of the others");
    running.stop().await;
}
