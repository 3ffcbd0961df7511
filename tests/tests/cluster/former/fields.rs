//! What a renamed operator's field managers own of a child: fields that are only initial, and a child that is left behind.

use std::sync::Arc;

use operatorkit::{
    k8s_openapi::api::core::v1::ConfigMap,
    kube::ResourceExt,
    prelude::*,
    serde_json::{json, to_value},
};
use operatorkit_testing::{
    Cluster, PATIENCE,
    apiserver::fault::{Effect, Fault, Matching},
    eventually, eventually_gone, wait_for,
};

use super::{
    assert_no_trace, make,
    provider::{self, Provider},
    version,
};
use crate::scene::{Scene, config_map};

version!(sending says [name = "before"] and makes [initial("/data/b")] { "a": "1", "b": "2" });
version!(leaving_alone says [name = "after", formerly = ["before"]] and makes [initial("/data/b")] { "a": "1", "b": "2" });
version!(keeping says [name = "before"] and makes [on_delete = "keep"] { "a": "1" });
version!(still_keeping says [name = "after", formerly = ["before"]] and makes [on_delete = "keep"] { "a": "1" });

use sending::{Heir, HeirSpec};

/// The old version made the child, and crashed before it gave up the field.
#[tokio::test]
async fn a_field_that_is_only_initial_is_given_up_under_the_new_name() {
    let scene = Scene::new("former-initial").await;
    scene.install::<Heir>().await;
    let provider = Arc::default();
    let faults = scene.cluster.faults().expect("the embedded server");
    let ours = Matching::writes().user(&scene.user).namespace(&scene.namespace);
    let on_child = ours.resource("configmaps").name("x-data");
    let fault = faults.add(Fault::new(on_child, Effect::Hang).after(1).once());
    let running = scene.start(sending::app(&provider));
    scene.create(&Heir::new("x", HeirSpec {})).await;
    wait_for("it is about to give the field up", PATIENCE, async || {
        operatorkit::anyhow::ensure!(faults.met(fault) > 0, "not yet");
        Ok(())
    })
    .await;
    drop(running);

    let running = scene.start(leaving_alone::app(&provider));
    let _ready: Heir = scene.ready("x").await;
    let child: ConfigMap = scene.api().get("x-data").await.expect("it exists");
    assert_no_trace(&child);
    assert!(!child.annotations().contains_key("operatorkit.dev/initial"));
    assert_eq!(to_value(&child.data).expect("JSON"), json!({ "a": "1", "b": "2" }));
    // Whoever sets it is not overruled.
    let _set: ConfigMap = scene.patch("x-data", json!({ "data": { "a": "0", "b": "3" } })).await;
    let right = eventually(&scene.api(), "x-data", "is put right", PATIENCE, |map: &ConfigMap| {
        map.data.as_ref().is_some_and(|data| data["a"] == "1")
    })
    .await;
    assert_eq!(right.data.expect("data")["b"], "3");
    running.stop().await;
}

async fn a_child_that_is_kept_loses_what_the_old_name_claims(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "former-keep").await;
    let provider = Arc::default();
    make(&scene, keeping::app(&provider)).await;
    scene.delete::<Heir>("x").await;
    let running = scene.start(still_keeping::app(&provider));
    eventually_gone(&scene.api::<Heir>(), "x", PATIENCE).await;
    running.stop().await;
    let kept: ConfigMap = scene.api().get("x-data").await.expect("it is kept");
    assert!(!super::text(&kept).contains("operatorkit.dev/"), "{kept:?}");
    assert_eq!(to_value(&kept.data).expect("JSON"), json!({ "a": "1" }));
}

crate::servers::on_both! {
    a_child_that_is_kept_loses_what_the_old_name_claims,
}
