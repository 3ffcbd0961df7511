//! Single passes from a test: nothing runs before one is asked for, and each says what it came to.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    time::Duration,
};

use operatorkit::{
    Direction, Outcome, RunSettings, SinglePasses, anyhow::anyhow, k8s_openapi::api::core::v1::ConfigMap, kube::Api,
    prelude::*, serde_json::json,
};
use operatorkit_testing::Cluster;

use crate::{
    scene::{Scene, condition, config_map},
    servers::on_both,
};

#[operator(
    group = "single.test",
    version = "v1",
    kind = "Lamp",
    namespaced,
    resources(Base, Bulb, Shade)
)]
pub(crate) struct LampSpec {
    colour: String,
}

#[resource(order = 1, delete_order = 2)]
pub(crate) struct Base;

impl Manifest for Base {
    type Operator = Lamp;
    type Object = ConfigMap;
    async fn desired(&self, lamp: &Lamp, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(config_map(cx.name(), json!({ "colour": lamp.spec.colour }))?.into())
    }
}

/// Waits for the switch.
#[resource(order = 2, delete_order = 1)]
pub(crate) struct Bulb(Arc<AtomicBool>);

impl Step for Bulb {
    type Operator = Lamp;
    type Output = ();
    async fn ensure_created(&self, _lamp: &Lamp, _cx: &Cx<Self>) -> Result<Flow<()>> {
        Ok(if self.0.load(SeqCst) {
            Flow::Ready(())
        } else {
            Flow::wait_for(Duration::from_secs(7), "it is dark")
        })
    }
    async fn ensure_deleted(&self, _cx: &DeleteCx<Self>) -> Result<Flow<()>> {
        if self.0.load(SeqCst) {
            return Err(anyhow!("it is hot").reason("Hot"));
        }
        Ok(().into())
    }
}

#[resource(order = 3, delete_order = 1)]
pub(crate) struct Shade;

impl Step for Shade {
    type Operator = Lamp;
    type Output = ();
    async fn ensure_created(&self, _lamp: &Lamp, _cx: &Cx<Self>) -> Result<Flow<()>> {
        Ok(().into())
    }
}

/// A lamp `x`, its switch, and passes over it.
async fn lamp(scene: &Scene) -> (Arc<AtomicBool>, SinglePasses<Lamp>) {
    scene.install::<Lamp>().await;
    let colour = "red".into();
    scene.create(&Lamp::new("x", LampSpec { colour })).await;
    let switch = Arc::<AtomicBool>::default();
    let resources = LampResources {
        base: Base,
        bulb: Bulb(switch.clone()),
        shade: Shade,
    };
    let settings = RunSettings {
        namespaces: vec![scene.namespace.clone()],
        ..RunSettings::default()
    };
    let client = scene.cluster.client(&scene.user);
    (
        switch,
        SinglePasses::new(resources, client, &settings).expect("it can run"),
    )
}

fn phases(outcome: &Outcome) -> [&str; 3] {
    ["base", "bulb", "shade"].map(|name| outcome.phase(name).unwrap_or_default())
}

on_both!(
    a_pass_goes_the_way_of_the_object_and_says_how_each_resource_is,
    a_pass_sees_what_has_just_changed
);

async fn a_pass_goes_the_way_of_the_object_and_says_how_each_resource_is(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "single-ways").await;
    let (switch, mut passes) = lamp(&scene).await;
    let x = || async { scene.api::<Lamp>().get("x").await.expect("it exists") };
    assert_eq!(
        x().await.metadata.finalizers,
        None,
        "nothing runs before it is asked for"
    );

    let first = passes.run(&*scene.namespace, "x").await.expect("a pass");
    assert_eq!(first.direction, Direction::Forwards);
    assert_eq!(phases(&first), ["Ready", "Waiting", "Pending"]);
    assert_eq!(first.resource("bulb").expect("a line").message, "it is dark");
    assert_eq!(first.resource("shade").expect("a line").waiting_on, ["bulb"]);
    assert_eq!(
        (first.done, &*first.reason, &*first.message),
        (false, "Waiting", "bulb: it is dark")
    );
    assert_eq!(first.next, Some(Duration::from_secs(7)));
    let shown = operatorkit::serde_json::to_value(x().await).expect("JSON");
    assert_eq!(condition(&shown, "Ready")["message"], "bulb: it is dark");

    switch.store(true, SeqCst);
    let second = passes.run(&*scene.namespace, "x").await.expect("a pass");
    assert_eq!((second.done, &*second.message), (true, ""));
    assert_eq!(phases(&second), ["Ready"; 3]);

    scene.delete::<Lamp>("x").await;
    let held = passes.run(&*scene.namespace, "x").await.expect("a pass");
    assert_eq!((held.direction, &*held.reason), (Direction::Backwards, "Hot"));
    assert_eq!(phases(&held), ["Pending", "Failed", "Deleted"]);
    switch.store(false, SeqCst);
    // A Service or a Pod would take its time; a ConfigMap is gone with its DELETE.
    let gone = passes.run(&*scene.namespace, "x").await.expect("a pass");
    assert_eq!(
        (gone.direction, gone.done, gone.next),
        (Direction::Backwards, true, None)
    );
    assert_eq!(phases(&gone), ["Deleted"; 3]);
    assert!(scene.api::<Lamp>().get_opt("x").await.expect("an answer").is_none());

    let nothing = passes.run(&*scene.namespace, "x").await.expect("a pass");
    assert_eq!(nothing, Outcome::default());
    passes.stop().await;
    let events = scene.events("x").await;
    assert!(events.iter().any(|event| event["reason"] == "Hot"), "{events:#?}");
}

async fn a_pass_sees_what_has_just_changed(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "single-drift").await;
    let (switch, mut passes) = lamp(&scene).await;
    switch.store(true, SeqCst);
    let maps: Api<ConfigMap> = scene.api();
    let colour = || async { maps.get("x").await.expect("it exists").data.expect("data")["colour"].clone() };
    for round in 0..5 {
        let outcome = passes.run(&*scene.namespace, "x").await.expect("a pass");
        assert!(outcome.done, "{round}: {outcome:?}");
        assert_eq!(colour().await, "red", "{round}");
        if round % 2 == 0 {
            let patch = json!({ "data": { "colour": "blue" } });
            let _drifted: ConfigMap = scene.patch("x", patch).await;
        } else {
            scene.delete::<ConfigMap>("x").await;
        }
    }
    // And the object itself.
    let patch = json!({ "spec": { "colour": "green" } });
    let _painted: Lamp = scene.patch("x", patch).await;
    let outcome = passes.run(&*scene.namespace, "x").await.expect("a pass");
    assert!(outcome.done, "{outcome:?}");
    assert_eq!(colour().await, "green");
}

#[tokio::test(start_paused = true)]
async fn one_more_pass_that_changes_nothing_sends_nothing() {
    let scene = Scene::alone("single-again").await;
    let (switch, mut passes) = lamp(&scene).await;
    switch.store(true, SeqCst);
    let first = passes.run(&*scene.namespace, "x").await.expect("a pass");
    let mark = scene.mark().await;
    assert_eq!(passes.again().await.resources, first.resources);
    let sent = scene.requests(mark).await;
    assert!(sent.is_empty(), "{sent}");
}

#[tokio::test(start_paused = true)]
async fn a_paused_object_is_told_from_one_that_waits() {
    let scene = Scene::alone("single-paused").await;
    let (_switch, mut passes) = lamp(&scene).await;
    let pause = json!({ "metadata": { "annotations": { "operatorkit.dev/paused": "true" } } });
    let _paused: Lamp = scene.patch("x", pause).await;
    let outcome = passes.run(&*scene.namespace, "x").await.expect("a pass");
    assert_eq!((outcome.direction, &*outcome.reason), (Direction::Paused, "Paused"));
    assert_eq!((outcome.resources.len(), outcome.next, outcome.done), (0, None, false));
    let x: Lamp = scene.api().get("x").await.expect("it exists");
    assert_eq!(x.metadata.finalizers, None);
}
