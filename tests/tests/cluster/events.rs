//! Events that resources publish: both types, in both directions, as the API server takes them, and of no consequence for a pass.

use std::time::Duration;

use operatorkit::{
    Direction, SinglePasses,
    prelude::*,
    serde_json::{Value, json},
};
use operatorkit_testing::{
    Cluster,
    apiserver::fault::{Effect, Fault, Matching},
};

use crate::{scene::Scene, servers::on_both};

#[operator(group = "events.test", version = "v1", kind = "Bell", namespaced, resources(Ring))]
pub(crate) struct BellSpec {
    reason: String,
    note: String,
}

/// Says what its object wants it to say.
#[resource]
pub(crate) struct Ring;

impl Step for Ring {
    type Operator = Bell;
    type Output = ();
    async fn ensure_created(&self, bell: &Bell, cx: &Cx<Self>) -> Result<Flow<()>> {
        cx.events().normal(&bell.spec.reason, &*bell.spec.note);
        cx.events().warning("Loud", "it can be heard far away");
        Ok(().into())
    }
    async fn ensure_deleted(&self, cx: &DeleteCx<Self>) -> Result<Flow<()>> {
        cx.events().normal("Silenced", "for now");
        cx.events().warning("Missed", "somebody will miss it");
        Ok(().into())
    }
}

async fn bell(scene: &Scene, name: &str, reason: &str, note: &str) -> SinglePasses<Bell> {
    scene.install::<Bell>().await;
    let (reason, note) = (reason.to_owned(), note.to_owned());
    scene.create(&Bell::new(name, BellSpec { reason, note })).await;
    let client = scene.cluster.client(&scene.user);
    SinglePasses::new(BellResources { ring: Ring }, client, &scene.resyncing()).expect("it can run")
}

/// Type, reason and note of the Events about an object.
async fn said(scene: &Scene, name: &str) -> Vec<[Value; 3]> {
    let events = scene.events(name).await;
    let mut said: Vec<_> = events
        .iter()
        .map(|event| ["type", "reason", "note"].map(|field| event[field].clone()))
        .collect();
    said.sort_by_key(|event| event[1].to_string());
    said
}

on_both!(
    both_types_in_both_directions,
    texts_of_any_length_are_cut_to_what_is_accepted
);

async fn both_types_in_both_directions(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "events-ways").await;
    let mut passes = bell(&scene, "x", "Rings", "ding").await;
    let rung = passes.run(&*scene.namespace, "x").await.expect("a pass");
    assert!(rung.done, "{rung:?}");
    scene.delete::<Bell>("x").await;
    let silenced = passes.run(&*scene.namespace, "x").await.expect("a pass");
    assert_eq!((silenced.direction, silenced.done), (Direction::Backwards, true));
    passes.stop().await;
    let expected = [
        ["Warning", "Loud", "it can be heard far away"],
        ["Warning", "Missed", "somebody will miss it"],
        ["Normal", "Rings", "ding"],
        ["Normal", "Silenced", "for now"],
    ];
    assert_eq!(
        said(&scene, "x").await,
        expected.map(|event| event.map(|text| json!(text)))
    );
}

async fn texts_of_any_length_are_cut_to_what_is_accepted(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "events-long").await;
    let name = "n".repeat(253);
    // A character of two bytes: limits are in bytes.
    let mut passes = bell(&scene, &name, &"R".repeat(500), &"é".repeat(3000)).await;
    let rung = passes.run(&*scene.namespace, &name).await.expect("a pass");
    assert!(rung.done, "{rung:?}");
    passes.stop().await;
    let said = said(&scene, &name).await;
    let [[_, loud, _], [type_, reason, note]] = said.as_slice() else {
        panic!("two Events: {said:#?}")
    };
    assert_eq!(
        (loud, type_, reason),
        (&json!("Loud"), &json!("Normal"), &json!("R".repeat(128)))
    );
    let note = note.as_str().expect("a text");
    assert!(
        (1000..=1024).contains(&note.len()) && note.ends_with('…'),
        "{}",
        note.len()
    );
}

/// Repeats within a quarter of a minute are told together.
const LATER: Duration = Duration::from_secs(16);

#[tokio::test(start_paused = true)]
async fn repeats_are_one_event_with_a_count() {
    let scene = Scene::alone("events-series").await;
    let mut passes = bell(&scene, "x", "Rings", "ding").await;
    let _first = passes.run(&*scene.namespace, "x").await.expect("a pass");
    for _ in 0..3 {
        tokio::time::sleep(LATER).await;
        let again = passes.again().await;
        assert!(again.done, "{again:?}");
    }
    passes.stop().await;
    let events = scene.events("x").await;
    let counts: Vec<_> = events
        .iter()
        .map(|event| (&event["type"], &event["series"]["count"]))
        .collect();
    let four = json!(4);
    assert_eq!(counts.len(), 2, "{events:#?}");
    assert!(counts.iter().all(|(_, count)| **count == four), "{counts:?}");
}

#[tokio::test(start_paused = true)]
async fn a_pass_does_not_fail_or_wait_for_an_event_that_cannot_be_written() {
    for (name, effect) in [
        ("events-refused", Effect::internal_error()),
        (
            "events-denied",
            Effect::webhook_denied("no.events.test", "quiet, please"),
        ),
        ("events-hang", Effect::Hang),
    ] {
        let scene = Scene::alone(name).await;
        let faults = scene.cluster.faults().expect("the embedded server");
        let writes = Matching::writes().when(|request| request.attributes.resource == "events");
        let fault = faults.add(Fault::new(writes, effect));
        let mut passes = bell(&scene, "x", "Rings", "ding").await;
        let began = tokio::time::Instant::now();
        let rung = passes.run(&*scene.namespace, "x").await.expect("a pass");
        assert!(rung.done, "{name}: {rung:?}");
        scene.delete::<Bell>("x").await;
        let silenced = passes.run(&*scene.namespace, "x").await.expect("a pass");
        assert!(silenced.done, "{name}: {silenced:?}");
        assert!(
            began.elapsed() < Duration::from_secs(1),
            "{name}: {:?}",
            began.elapsed()
        );
        passes.stop().await;
        assert!(faults.met(fault) > 0, "{name}");
        assert_eq!(scene.events("x").await, Vec::<Value>::new());
    }
}
