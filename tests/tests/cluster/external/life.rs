//! A life without accidents: what is stored when, what is called when, and answers that are not `Ready`.

use operatorkit::{
    anyhow::ensure,
    k8s_openapi::api::core::v1::ConfigMap,
    kube::api::{Patch, PatchParams},
    serde_json::{Value, json},
};
use operatorkit_testing::{PATIENCE, eventually, eventually_gone, wait_for};

use super::{FINALIZER, Machine, app, cloud::Fault, machine, scene, slot};
use crate::scene::{condition, line};

#[tokio::test(start_paused = true)]
async fn the_intent_comes_before_create_and_the_state_before_a_dependent() {
    let (scene, cloud) = scene("external-order").await;
    let running = scene.start(app(&cloud));
    let made = scene.create(&machine("x")).await;
    let ready: Machine = scene.ready("x").await;

    let uid = made.metadata.uid.expect("a UID");
    let seen: Vec<_> = cloud
        .seen()
        .iter()
        .map(|object| object["status"]["operatorkit"]["state"].clone())
        .collect();
    let net = json!({ "uid": uid, "state": { "id": "net-0", "padding": null } });
    let intent = json!({ "uid": uid });
    assert_eq!(seen, [json!({ "net": intent }), json!({ "net": net, "disk": intent })]);
    assert!(
        cloud
            .seen()
            .iter()
            .all(|object| object["metadata"]["finalizers"] == json!([FINALIZER]))
    );
    assert_eq!(slot(&ready, "disk")["state"]["id"], "disk-1");
    assert_eq!(cloud.calls(), ["create net", "create disk"]);

    scene.delete::<Machine>("x").await;
    scene.gone().await;
    assert_eq!(
        cloud.calls()[2..],
        ["delete disk", "delete net"],
        "nothing else is asked"
    );
    assert!(cloud.things().is_empty());
    running.stop().await;
}

/// A DELETE removes it that has read it before it had a finalizer. What was stored last is what its things are deleted by.
#[tokio::test(start_paused = true)]
async fn the_things_of_an_object_that_went_with_our_finalizer_go_in_order() {
    let (scene, cloud) = scene("external-vanished").await;
    let running = scene.start(app(&cloud));
    let made = scene.create(&machine("x")).await;
    let _ready: Machine = scene.ready("x").await;
    scene.delete_as_read(&made).await;
    wait_for("its things are gone", PATIENCE, async || {
        ensure!(cloud.things().is_empty(), "{:?}", cloud.things());
        Ok(())
    })
    .await;
    eventually_gone(&scene.api::<ConfigMap>(), "x", PATIENCE).await;
    assert_eq!(
        cloud.calls()[2..],
        ["find disk", "delete disk", "find net", "delete net"]
    );
    running.stop().await;
}

/// A State that no version of the operator will read for it any more: its provider finds the thing by the token.
#[tokio::test(start_paused = true)]
async fn a_thing_of_an_object_that_went_is_found_if_its_state_does_not_decode() {
    let (scene, cloud) = scene("external-unread").await;
    let running = scene.start(app(&cloud));
    let made = scene.create(&machine("x")).await;
    let _ready: Machine = scene.ready("x").await;
    let edited = json!({ "status": { "operatorkit": { "state": { "disk": { "state": { "id": 5 } } } } } });
    let _edited = scene
        .api::<Machine>()
        .patch_status("x", &PatchParams::default(), &Patch::Merge(edited))
        .await
        .expect("a patch");
    scene.delete_as_read(&made).await;
    wait_for("its things are gone", PATIENCE, async || {
        ensure!(cloud.things().is_empty(), "{:?}", cloud.things());
        Ok(())
    })
    .await;
    eventually_gone(&scene.api::<ConfigMap>(), "x", PATIENCE).await;
    running.stop().await;
}

/// The same kind, to which the stored objects do not decode.
mod later {
    use std::sync::Arc;

    use operatorkit::prelude::*;

    use super::super::{
        cloud::{Cloud, ThingId},
        wish::{Wish, in_cloud},
    };

    #[operator(
        group = "external.test",
        version = "v1",
        kind = "Machine",
        namespaced,
        resources(Net, Disk)
    )]
    pub(crate) struct MachineSpec {
        pub(crate) another: String,
    }
    #[resource(order = 1, delete_order = 3)]
    pub(crate) struct Net(pub(crate) Arc<Cloud>);
    in_cloud!(Net, Machine, Machine, "net");
    #[resource(order = 2, delete_order = 1, after(Net))]
    pub(crate) struct Disk(pub(crate) Arc<Cloud>);
    in_cloud!(Disk, Machine, Machine, "disk");

    impl Wish for Machine {
        fn size(&self) -> u32 {
            u32::try_from(self.spec.another.len()).expect("small")
        }
    }
}

#[tokio::test(start_paused = true)]
async fn deletion_needs_the_state_and_no_object_that_decodes() {
    let (scene, cloud) = scene("external-decode").await;
    let running = scene.start(app(&cloud));
    scene.create(&machine("x")).await;
    let _ready: Machine = scene.ready("x").await;
    running.stop().await;

    let provider = cloud.clone();
    let later = operatorkit::App::new("external").operator(|_env| async {
        Ok(later::MachineResources {
            net: later::Net(provider.clone()),
            disk: later::Disk(provider),
        })
    });
    let running = scene.start(later);
    scene.condition::<Machine>("x", "Ready", "False", "Undecodable").await;
    assert_eq!(cloud.things().len(), 2);
    scene.delete::<Machine>("x").await;
    scene.gone().await;
    assert_eq!(cloud.calls()[2..], ["delete disk", "delete net"]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn what_differs_is_updated_and_what_is_absent_is_made_again() {
    let (scene, cloud) = scene("external-drift").await;
    let running = scene.start(app(&cloud));
    scene.create(&machine("x")).await;
    let _ready: Machine = scene.ready("x").await;
    assert_eq!(cloud.count("update net"), 0);

    scene.patch::<Machine>("x", json!({ "spec": { "size": 2 } })).await;
    let _ready: Machine = scene.ready("x").await;
    assert_eq!(cloud.calls()[2..], ["update net", "update disk"]);
    assert!(cloud.things().values().all(|thing| thing.size == 2));

    cloud.lose("net-0");
    // Any pass observes; this one is brought about by an annotation.
    scene
        .patch::<Machine>("x", json!({ "metadata": { "annotations": { "test/pass": "1" } } }))
        .await;
    let made = eventually(
        &scene.api::<Machine>(),
        "x",
        "has another network",
        PATIENCE,
        |object| slot(object, "net")["state"]["id"] == "net-2",
    )
    .await;
    assert_eq!(slot(&made, "disk")["state"]["id"], "disk-1");
    let seen = cloud.seen().pop().expect("three creates")["status"]["operatorkit"]["state"]["net"].clone();
    assert_eq!(seen["state"], Value::Null, "an intent again, before `create`");
    assert_eq!(cloud.calls()[4..], ["create net"]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn what_is_not_wanted_is_deleted_in_order_and_made_anew_when_wanted_again() {
    let (scene, cloud) = scene("external-wanted").await;
    let running = scene.start(app(&cloud));
    scene.create(&machine("x")).await;
    let _ready: Machine = scene.ready("x").await;

    scene
        .patch::<Machine>("x", json!({ "spec": { "wanted": false } }))
        .await;
    let ready: Machine = scene.ready("x").await;
    assert_eq!(cloud.calls()[2..], ["delete disk", "delete net"]);
    assert_eq!((slot(&ready, "net"), slot(&ready, "disk")), (Value::Null, Value::Null));

    scene.patch::<Machine>("x", json!({ "spec": { "wanted": true } })).await;
    let ready: Machine = scene.ready("x").await;
    assert_eq!(cloud.calls()[4..], ["create net", "create disk"]);
    assert_eq!(slot(&ready, "net")["state"]["id"], "net-2");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_delete_that_waits_keeps_the_finalizer_and_what_comes_after_it() {
    let (scene, cloud) = scene("external-wait").await;
    let running = scene.start(app(&cloud));
    scene.create(&machine("x")).await;
    let _ready: Machine = scene.ready("x").await;

    cloud.fault("delete disk", Fault::Waits);
    scene.delete::<Machine>("x").await;
    let held: Machine = scene.condition("x", "Deleting", "True", "Waiting").await;
    let held = operatorkit::serde_json::to_value(held).expect("JSON");
    assert_eq!(
        condition(&held, "Deleting")["message"],
        "disk: the provider takes its time"
    );
    assert_eq!(line(&held, "disk")["phase"], "Deleting");
    for (resource, waits_for) in [("notes", "disk"), ("net", "notes")] {
        assert_eq!(line(&held, resource)["phase"], "Pending");
        assert_eq!(line(&held, resource)["waitingOn"], json!([waits_for]));
    }
    assert!(
        cloud.count("delete disk") > 2 && cloud.count("delete net") == 0,
        "{:?}",
        cloud.calls()
    );
    cloud.heal();
    scene.gone().await;
    assert!(cloud.things().is_empty());
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_delete_that_skips_gives_up_the_state_with_an_event() {
    let (scene, cloud) = scene("external-skip").await;
    let running = scene.start(app(&cloud));
    scene.create(&machine("x")).await;
    let _ready: Machine = scene.ready("x").await;

    cloud.fault("delete disk", Fault::Skips);
    scene.delete::<Machine>("x").await;
    scene.gone().await;
    assert_eq!(cloud.calls()[2..], ["delete disk", "delete net"]);
    assert_eq!(cloud.things().into_keys().collect::<Vec<_>>(), ["disk-1"]);
    running.stop().await;
    assert!(scene.has_event("StateGivenUp").await);
}

#[tokio::test(start_paused = true)]
async fn a_state_that_is_too_large_is_refused_in_words() {
    let (scene, cloud) = scene("external-large").await;
    let running = scene.start(app(&cloud));
    cloud.pad(5000);
    scene.create(&machine("x")).await;
    let refused: Machine = scene.condition("x", "Ready", "False", "StateTooLarge").await;
    let refused = operatorkit::serde_json::to_value(refused).expect("JSON");
    let message = condition(&refused, "Ready")["message"]
        .as_str()
        .expect("a text")
        .to_owned();
    assert!(message.contains("keep only what identifies the thing"), "{message}");
    let slot = &refused["status"]["operatorkit"]["state"]["net"];
    assert_eq!(
        (&slot["state"], slot["uid"].is_string()),
        (&Value::Null, true),
        "the intent stays: {slot}"
    );

    // What was made is found again, and goes with the object, also while its State is still too large.
    scene.delete::<Machine>("x").await;
    scene.gone().await;
    let calls = cloud.calls();
    assert_eq!(cloud.count("create net"), 1, "{calls:?}");
    assert_eq!(calls.last().map(String::as_str), Some("delete net"), "{calls:?}");
    assert!(cloud.things().is_empty());
    running.stop().await;
}
