//! Providers without tags: an interrupted creation waits for a person's decision.

use std::sync::Arc;

use operatorkit::{
    kube::api::{Patch, PatchParams},
    prelude::*,
    serde_json::{Value, json, to_value},
};
use operatorkit_testing::{PATIENCE, eventually, eventually_gone};

use super::{
    cloud::{Cloud, Fault, ThingId},
    slot,
    wish::{Wish, in_cloud},
};
use crate::scene::{Running, Scene, condition, line};

#[operator(
    group = "external.test",
    version = "v1",
    kind = "Contract",
    namespaced,
    resources(Deal)
)]
pub(crate) struct ContractSpec {
    size: u32,
}

#[resource(order = 1, recover = "manual")]
pub(crate) struct Deal(Arc<Cloud>);
in_cloud!(Deal, Contract, Contract, "deal");

impl Wish for Contract {
    fn size(&self) -> u32 {
        self.spec.size
    }
}

fn start(scene: &Scene, cloud: &Arc<Cloud>) -> Running {
    let cloud = cloud.clone();
    scene.start(App::new("contracts").operator(|_env| async { Ok(ContractResources { deal: Deal(cloud) }) }))
}

/// An object whose creation was interrupted.
async fn interrupted(name: &'static str, fault: Fault) -> (Scene, Arc<Cloud>) {
    let scene = Scene::alone(name).await;
    scene.install::<Contract>().await;
    let cloud = Cloud::new();
    crash(&scene, &cloud, fault, async || {
        scene.create(&Contract::new("x", ContractSpec { size: 1 })).await;
    })
    .await;
    (scene, cloud)
}

/// The operator ends in the next `create`, which `cause` brings about.
async fn crash(scene: &Scene, cloud: &Arc<Cloud>, fault: Fault, cause: impl AsyncFnOnce()) {
    cloud.fault("create deal", fault);
    let running = start(scene, cloud);
    cause().await;
    cloud.called("create deal", cloud.count("create deal").max(1)).await;
    drop(running);
    cloud.heal();
}

async fn decide(scene: &Scene, decision: &str) {
    let patch = json!({ "status": { "operatorkit": { "state": { "deal": { "decision": decision } } } } });
    let patched = scene
        .api::<Contract>()
        .patch_status("x", &PatchParams::default(), &Patch::Merge(patch))
        .await;
    patched.expect("the status is written");
}

#[tokio::test(start_paused = true)]
async fn it_is_shown_and_made_once_when_a_person_says_so() {
    let (scene, cloud) = interrupted("decision-create", Fault::Hangs).await;
    let running = start(&scene, &cloud);
    let shown: Contract = scene.condition("x", "Ready", "False", "DecisionNeeded").await;
    let shown = to_value(shown).expect("JSON");
    let message = condition(&shown, "Ready")["message"]
        .as_str()
        .expect("a text")
        .to_owned();
    assert!(
        message.contains("`decision: create`") && message.contains("`decision: abandon`"),
        "{message}"
    );
    let line = line(&shown, "deal");
    assert_eq!(
        (&line["phase"], &line["reason"]),
        (&json!("Waiting"), &json!("DecisionNeeded"))
    );

    // A word that is no decision is none.
    decide(&scene, "perhaps").await;
    scene.patch::<Contract>("x", json!({ "spec": { "size": 2 } })).await;
    let still: Contract = eventually(&scene.api(), "x", "had another pass", PATIENCE, |object: &Contract| {
        let status = to_value(object).expect("JSON")["status"].clone();
        status["observedGeneration"] == 2
    })
    .await;
    assert_eq!(
        condition(&to_value(&still).expect("JSON"), "Ready")["reason"],
        "DecisionNeeded"
    );
    assert_eq!(cloud.calls(), ["create deal"]);

    decide(&scene, "create").await;
    let ready: Contract = scene.ready("x").await;
    assert_eq!(cloud.calls(), ["create deal", "create deal"]);
    assert_eq!(
        (&slot(&ready, "deal")["decision"], &slot(&ready, "deal")["state"]["id"]),
        (&Value::Null, &json!("deal-0"))
    );
    running.stop().await;
    assert!(scene.has_event("Decided").await);
}

#[tokio::test(start_paused = true)]
async fn a_decision_takes_effect_once() {
    let (scene, cloud) = interrupted("decision-once", Fault::Hangs).await;
    // The next creation, which the decision allows, is interrupted, too.
    cloud.fault("create deal", Fault::Hangs);
    decide(&scene, "create").await;
    let running = start(&scene, &cloud);
    cloud.called("create deal", 2).await;
    drop(running);
    cloud.heal();
    let running = start(&scene, &cloud);
    let _again: Contract = scene.condition("x", "Ready", "False", "DecisionNeeded").await;
    assert_eq!(cloud.count("create deal"), 2);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_deletion_waits_for_the_decision_and_leaves_what_is_abandoned() {
    let (scene, cloud) = interrupted("decision-abandon", Fault::HangsAfter).await;
    let running = start(&scene, &cloud);
    scene.delete::<Contract>("x").await;
    let held: Contract = scene.condition("x", "Deleting", "True", "DecisionNeeded").await;
    assert_eq!(super::finalizers(&held), ["operatorkit.dev/contracts.external.test"]);
    decide(&scene, "abandon").await;
    eventually_gone(&scene.api::<Contract>(), "x", PATIENCE).await;
    assert_eq!(cloud.things().len(), 1, "it is left to the person");
    assert_eq!(cloud.calls(), ["create deal"]);
    running.stop().await;
    assert!(scene.has_event("Decided").await && scene.has_event("DeletionBlocked").await);
}

#[tokio::test(start_paused = true)]
async fn a_deletion_makes_nothing_when_the_decision_is_that_nothing_was_made() {
    let (scene, cloud) = interrupted("decision-none", Fault::Hangs).await;
    scene.delete::<Contract>("x").await;
    decide(&scene, "create").await;
    let running = start(&scene, &cloud);
    eventually_gone(&scene.api::<Contract>(), "x", PATIENCE).await;
    assert_eq!(cloud.calls(), ["create deal"]);
    running.stop().await;
}
