//! `on_delete = "keep"` for things outside Kubernetes, and `External`s that are retired, left the code or changed since they were made.

use std::sync::Arc;

use operatorkit::{
    kube::api::{Patch, PatchParams},
    prelude::*,
    serde_json::{Value, json},
};
use operatorkit_testing::{PATIENCE, eventually, eventually_gone};

use super::{
    cloud::{Cloud, Fault, ThingId},
    slot,
    wish::{Wish, in_cloud},
};
use crate::scene::Scene;

/// One version of the operator, with what its resource says.
macro_rules! version {
    ($version:ident, $($says:tt)*) => {
        mod $version {
            use super::*;

            #[operator(group = "external.test", version = "v1", kind = "Lease", namespaced, resources(Land, Rest))]
            pub(crate) struct LeaseSpec {
                pub(crate) wanted: bool,
                pub(crate) keep: bool,
            }

            #[resource($($says)*)]
            pub(crate) struct Land(Arc<Cloud>);
            in_cloud!(Land, Lease, Lease, "land");

            #[resource]
            pub(crate) struct Rest;

            impl Step for Rest {
                type Operator = Lease;
                type Output = ();
                async fn ensure_created(&self, _lease: &Lease, _cx: &Cx<Self>) -> Result<Flow<()>> {
                    Ok(().into())
                }
            }

            impl Wish for Lease {
                fn wanted(&self) -> bool {
                    self.spec.wanted
                }
                fn size(&self) -> u32 {
                    1
                }
                fn kept(&self, of_the_code: bool) -> bool {
                    of_the_code || self.spec.keep
                }
            }

            pub(crate) fn app(cloud: &Arc<Cloud>) -> App {
                let land = Land(cloud.clone());
                App::new("leases").operator(|_env| async { Ok(LeaseResources { land, rest: Rest }) })
            }
        }
    };
}

version!(plain, order = 1);
version!(keeping, order = 1, on_delete = "keep");
version!(retired, order = 1, retired);
version!(by_hand, order = 1, recover = "manual");

/// The version that does not know the thing.
mod without {
    use super::*;

    #[operator(group = "external.test", version = "v1", kind = "Lease", namespaced, resources(Rest))]
    pub(crate) struct LeaseSpec {
        wanted: bool,
        keep: bool,
    }

    #[resource]
    pub(crate) struct Rest;

    impl Step for Rest {
        type Operator = Lease;
        type Output = ();
        async fn ensure_created(&self, _lease: &Lease, _cx: &Cx<Self>) -> Result<Flow<()>> {
            Ok(().into())
        }
    }

    pub(crate) fn app() -> App {
        App::new("leases").operator(|_env| async { Ok(LeaseResources { rest: Rest }) })
    }
}

use plain::{Lease, LeaseSpec};

type Version = fn(&Arc<Cloud>) -> App;

/// `x`, ready under this version, which has ended.
async fn made(name: &'static str, app: Version, keep: bool) -> (Scene, Arc<Cloud>) {
    let scene = Scene::alone(name).await;
    scene.install::<Lease>().await;
    let cloud = Cloud::new();
    let running = scene.start(app(&cloud));
    scene.create(&Lease::new("x", LeaseSpec { wanted: true, keep })).await;
    let _ready: Lease = scene.ready("x").await;
    running.stop().await;
    (scene, cloud)
}

/// An object whose operator was killed in the middle of a creation.
async fn interrupted(name: &'static str, fault: Fault) -> (Scene, Arc<Cloud>) {
    let scene = Scene::alone(name).await;
    scene.install::<Lease>().await;
    let cloud = Cloud::new();
    cloud.fault("create land", fault);
    let running = scene.start(by_hand::app(&cloud));
    let (wanted, keep) = (true, false);
    scene.create(&Lease::new("x", LeaseSpec { wanted, keep })).await;
    cloud.called("create land", 1).await;
    drop(running);
    cloud.heal();
    (scene, cloud)
}

async fn deleted_under(scene: &Scene, app: App) {
    scene.delete::<Lease>("x").await;
    let running = scene.start(app);
    eventually_gone(&scene.api::<Lease>(), "x", PATIENCE).await;
    running.stop().await;
}

async fn decide(scene: &Scene, decision: &str) {
    let patch = json!({ "status": { "operatorkit": { "state": { "land": { "decision": decision } } } } });
    let patched = scene
        .api::<Lease>()
        .patch_status("x", &PatchParams::default(), &Patch::Merge(patch))
        .await;
    patched.expect("the status is written");
}

#[tokio::test(start_paused = true)]
async fn a_kept_thing_is_left_and_its_state_forgotten() {
    let (scene, cloud) = made("kept", keeping::app, false).await;
    deleted_under(&scene, keeping::app(&cloud)).await;
    assert_eq!(
        (cloud.things().len(), cloud.calls()),
        (1, vec!["create land".to_owned()])
    );
    assert!(scene.has_event("Kept").await);
}

#[tokio::test(start_paused = true)]
async fn the_stored_decision_counts_whatever_the_code_says_by_then() {
    for (index, after) in [plain::app as Version, by_hand::app, |_cloud| without::app()]
        .into_iter()
        .enumerate()
    {
        let name = ["kept-plain", "kept-by-hand", "kept-without"][index];
        let (scene, cloud) = made(name, plain::app, true).await;
        deleted_under(&scene, after(&cloud)).await;
        assert_eq!(
            (cloud.things().len(), cloud.calls()),
            (1, vec!["create land".to_owned()]),
            "{name}"
        );
        assert!(scene.has_event("Kept").await, "{name}");
    }
    let (scene, cloud) = made("kept-not", plain::app, false).await;
    deleted_under(&scene, keeping::app(&cloud)).await;
    assert_eq!(cloud.calls(), ["create land", "delete land"]);
}

#[tokio::test(start_paused = true)]
async fn a_new_decision_is_stored_and_a_thing_that_is_not_wanted_is_left() {
    let (scene, cloud) = made("kept-anew", plain::app, false).await;
    let running = scene.start(plain::app(&cloud));
    for keep in [true, false, true] {
        let _decided: Lease = scene.patch("x", json!({ "spec": { "keep": keep } })).await;
        let _stored = eventually(&scene.api(), "x", "says so", PATIENCE, |lease: &Lease| {
            (slot(lease, "land")["keep"] == true) == keep
        })
        .await;
    }
    let _unwanted: Lease = scene.patch("x", json!({ "spec": { "wanted": false } })).await;
    let _forgotten = eventually(&scene.api(), "x", "has no slot", PATIENCE, |lease: &Lease| {
        slot(lease, "land") == Value::Null
    })
    .await;
    assert_eq!(
        (cloud.things().len(), cloud.calls()),
        (1, vec!["create land".to_owned()])
    );
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_retired_thing_is_deleted_from_a_live_object_and_from_one_that_goes() {
    let (scene, cloud) = made("retired", plain::app, false).await;
    let running = scene.start(retired::app(&cloud));
    let _forgotten = eventually(&scene.api(), "x", "has no slot", PATIENCE, |lease: &Lease| {
        slot(lease, "land") == Value::Null
    })
    .await;
    assert_eq!(cloud.calls(), ["create land", "delete land"]);
    let ready: Lease = scene.ready("x").await;
    assert_eq!(slot(&ready, "land"), Value::Null);
    running.stop().await;

    let (scene, cloud) = made("retired-gone", plain::app, false).await;
    deleted_under(&scene, retired::app(&cloud)).await;
    assert_eq!(cloud.calls(), ["create land", "delete land"]);
}

#[tokio::test(start_paused = true)]
async fn a_decision_counts_under_code_that_came_after_it() {
    // What may have been made, what a person says of it, under which code, and what becomes of it.
    let cases: [(&str, Fault, &str, Version, usize); 4] = [
        ("decided-create", Fault::Hangs, "create", |_| without::app(), 0),
        ("decided-abandon", Fault::HangsAfter, "abandon", |_| without::app(), 1),
        ("decided-retired", Fault::HangsAfter, "abandon", retired_by_hand::app, 1),
        ("decided-kept", Fault::HangsAfter, "abandon", kept_by_hand::app, 1),
    ];
    for (name, fault, decision, after, left) in cases {
        let (scene, cloud) = interrupted(name, fault).await;
        scene.delete::<Lease>("x").await;
        let running = scene.start(after(&cloud));
        let reason = if name.contains("retired") || name.contains("kept") {
            "DecisionNeeded"
        } else {
            "UnknownExternal"
        };
        let _held: Lease = scene.condition("x", "Deleting", "True", reason).await;
        decide(&scene, decision).await;
        eventually_gone(&scene.api::<Lease>(), "x", PATIENCE).await;
        assert_eq!(
            (cloud.things().len(), cloud.calls()),
            (left, vec!["create land".to_owned()]),
            "{name}"
        );
        running.stop().await;
    }
}

version!(retired_by_hand, order = 1, recover = "manual", retired);
version!(kept_by_hand, order = 1, recover = "manual", on_delete = "keep");

#[tokio::test(start_paused = true)]
async fn a_decision_to_create_is_carried_out_by_the_next_version_once() {
    let (scene, cloud) = interrupted("decided-next", Fault::Hangs).await;
    decide(&scene, "create").await;
    let running = scene.start(kept_by_hand::app(&cloud));
    let ready: Lease = scene.ready("x").await;
    assert_eq!(cloud.calls(), ["create land", "create land"]);
    let stored = slot(&ready, "land");
    assert_eq!((&stored["decision"], &stored["keep"]), (&Value::Null, &json!(true)));
    running.stop().await;
}
