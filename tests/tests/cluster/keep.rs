//! `on_delete = "keep"`: what is left behind, by what was stored, and never deleted.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use operatorkit::{
    anyhow::ensure,
    k8s_openapi::api::core::v1::ConfigMap,
    kube::api::{Patch, PatchParams},
    prelude::*,
    serde_json::{json, to_value},
};
use operatorkit_testing::{Cluster, PATIENCE, eventually, eventually_gone, wait_for};

use crate::scene::{Scene, config_map, config_maps};

/// What `Goodbye` is in both versions: it counts how often it is undone.
macro_rules! says_goodbye {
    () => {
        impl Step for Goodbye {
            type Operator = Vault;
            type Output = ();

            async fn ensure_created(&self, _vault: &Vault, _cx: &Cx<Self>) -> Result<Flow<()>> {
                Ok(().into())
            }

            async fn ensure_deleted(&self, _cx: &DeleteCx<Self>) -> Result<Flow<()>> {
                self.0.fetch_add(1, Ordering::Relaxed);
                Ok(().into())
            }
        }
    };
}

/// `data` is kept, `cache` if the spec says so, and the goodbye is never said.
mod keeping {
    use super::*;

    #[operator(
        group = "keep.test",
        version = "v1",
        kind = "Vault",
        namespaced,
        resources(Data, Cache, Goodbye)
    )]
    pub(crate) struct VaultSpec {
        pub(crate) retain: bool,
        pub(crate) cached: bool,
    }

    #[resource(order = 1, on_delete = "keep")]
    pub(crate) struct Data;
    config_maps!(Data of Vault: "data");

    #[resource(order = 2)]
    pub(crate) struct Cache;

    impl Manifest for Cache {
        type Operator = Vault;
        type Object = ConfigMap;

        async fn desired(&self, vault: &Vault, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
            let cache = config_map(&cx.child_name("cache"), json!({ "a": "b" }))?;
            Ok(vault.spec.cached.then_some(cache).into())
        }

        fn keep_on_delete(&self, vault: &Vault) -> bool {
            vault.spec.retain
        }
    }

    #[resource(order = 3, on_delete = "keep")]
    pub(crate) struct Goodbye(pub(crate) Arc<AtomicUsize>);

    says_goodbye!();

    pub(crate) fn app(said: &Arc<AtomicUsize>) -> App {
        let goodbye = Goodbye(said.clone());
        App::new("keeping").operator(|_env| async {
            Ok(VaultResources {
                data: Data,
                cache: Cache,
                goodbye,
            })
        })
    }
}

/// Another version of the code: nothing is kept.
mod deleting {
    use super::*;

    #[operator(
        group = "keep.test",
        version = "v1",
        kind = "Vault",
        namespaced,
        resources(Data, Goodbye)
    )]
    pub(crate) struct VaultSpec {
        pub(crate) retain: bool,
        pub(crate) cached: bool,
    }

    #[resource(order = 1)]
    pub(crate) struct Data;
    config_maps!(Data of Vault: "data");

    #[resource(order = 3)]
    pub(crate) struct Goodbye(pub(crate) Arc<AtomicUsize>);

    says_goodbye!();

    pub(crate) fn app(said: &Arc<AtomicUsize>) -> App {
        let goodbye = Goodbye(said.clone());
        App::new("deleting").operator(|_env| async { Ok(VaultResources { data: Data, goodbye }) })
    }
}

use keeping::{Vault, VaultSpec};

fn vault(retain: bool) -> Vault {
    Vault::new("x", VaultSpec { retain, cached: true })
}

/// `x`, as the version that keeps has left it.
async fn made(cluster: &'static Cluster, name: &'static str, retain: bool) -> Scene {
    let scene = Scene::on(cluster, name).await;
    scene.install::<Vault>().await;
    let running = scene.start(keeping::app(&Arc::default()));
    scene.create(&vault(retain)).await;
    let _ready: Vault = scene.ready("x").await;
    running.stop().await;
    scene
}

async fn assert_released(scene: &Scene, name: &str) {
    let left = scene.api::<ConfigMap>().get(name).await.expect("it is left behind");
    let text = to_value(&left).expect("JSON").to_string();
    assert!(
        !text.contains("operatorkit.dev"),
        "nothing of ours is left on it: {text}"
    );
    // Nobody owns its fields; what the API server says of such is no name of ours.
    let mine =
        json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name }, "data": { "a": "mine" } });
    let applied = scene
        .api::<ConfigMap>()
        .patch(name, &PatchParams::apply("somebody"), &Patch::Apply(mine))
        .await;
    if let Err(conflict) = applied {
        let text = conflict.to_string();
        assert!(
            text.contains("before-first-apply") && !text.contains("operatorkit"),
            "{text}"
        );
    }
}

async fn what_is_kept_is_left_behind_without_our_marks(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "keep").await;
    scene.install::<Vault>().await;
    let said = Arc::default();
    let running = scene.start(keeping::app(&said));
    scene.create(&vault(true)).await;
    let _ready: Vault = scene.ready("x").await;
    let start = scene.mark().await;
    scene.delete::<Vault>("x").await;
    eventually_gone(&scene.api::<Vault>(), "x", PATIENCE).await;
    assert_eq!(scene.deletions(start).await, [""; 0]);
    assert_eq!(said.load(Ordering::Relaxed), 0, "a step that is kept is not undone");
    assert_released(&scene, "x-data").await;
    assert_released(&scene, "x-cache").await;
    running.stop().await;
    let events = scene.events("x").await;
    assert!(events.iter().any(|event| event["reason"] == "Kept"), "{events:?}");
}

async fn a_new_decision_is_stored_at_the_next_pass(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "keep-decided").await;
    scene.install::<Vault>().await;
    let running = scene.start(keeping::app(&Arc::default()));
    scene.create(&vault(false)).await;
    let _ready: Vault = scene.ready("x").await;
    let keeps = |map: &ConfigMap| map.annotations()["operatorkit.dev/mark"].contains("\"keep\":true");
    assert!(!keeps(&scene.api().get("x-cache").await.expect("it exists")));
    for retain in [true, false, true] {
        let _decided: Vault = scene.patch("x", json!({ "spec": { "retain": retain } })).await;
        let _stored = eventually(&scene.api(), "x-cache", "says so", PATIENCE, |map: &ConfigMap| {
            keeps(map) == retain
        })
        .await;
    }
    let _ready: Vault = scene.ready("x").await;
    running.stop().await;

    // From now on only what is stored counts, whatever the spec says.
    let _too_late: Vault = scene.patch("x", json!({ "spec": { "retain": false } })).await;
    scene.delete::<Vault>("x").await;
    let running = scene.start(keeping::app(&Arc::default()));
    eventually_gone(&scene.api::<Vault>(), "x", PATIENCE).await;
    assert_released(&scene, "x-cache").await;
    running.stop().await;
}

async fn what_was_stored_counts_for_a_deletion_under_other_code(cluster: &'static Cluster) {
    let scene = made(cluster, "keep-upgrade", false).await;
    scene.delete::<Vault>("x").await;
    let said = Arc::default();
    let running = scene.start(deleting::app(&said));
    eventually_gone(&scene.api::<Vault>(), "x", PATIENCE).await;
    assert_released(&scene, "x-data").await;
    assert_eq!(said.load(Ordering::Relaxed), 0);
    assert!(scene.api::<ConfigMap>().get_opt("x-cache").await.unwrap().is_none());
    running.stop().await;

    // And the other way round.
    let running = scene.start(deleting::app(&said));
    scene.delete::<ConfigMap>("x-data").await;
    scene.create(&vault(false)).await;
    let _ready: Vault = scene.ready("x").await;
    running.stop().await;
    scene.delete::<Vault>("x").await;
    let running = scene.start(keeping::app(&said));
    eventually_gone(&scene.api::<Vault>(), "x", PATIENCE).await;
    assert!(scene.api::<ConfigMap>().get_opt("x-data").await.unwrap().is_none());
    assert_eq!(said.load(Ordering::Relaxed), 1);
    running.stop().await;
}

async fn what_is_no_longer_wanted_is_left_behind_too(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "keep-prune").await;
    scene.install::<Vault>().await;
    let running = scene.start(keeping::app(&Arc::default()));
    scene.create(&vault(true)).await;
    let _ready: Vault = scene.ready("x").await;
    let start = scene.mark().await;
    let _unwanted: Vault = scene.patch("x", json!({ "spec": { "cached": false } })).await;
    let _left = eventually(&scene.api(), "x-cache", "is released", PATIENCE, |map: &ConfigMap| {
        map.labels().is_empty()
    })
    .await;
    assert_released(&scene, "x-cache").await;
    assert_eq!(scene.deletions(start).await, [""; 0]);
    let _ready: Vault = scene.ready("x").await;

    // It is nobody's now, so it is not taken back.
    let _wanted: Vault = scene.patch("x", json!({ "spec": { "cached": true } })).await;
    let _shown: Vault = scene.condition("x", "Ready", "False", "NameCollision").await;
    running.stop().await;
}

async fn a_resource_that_left_the_code_leaves_behind_what_its_mark_says(cluster: &'static Cluster) {
    let scene = made(cluster, "keep-left", true).await;
    let start = scene.mark().await;
    let running = scene.start(deleting::app(&Arc::default()));
    let _left = eventually(&scene.api(), "x-cache", "is released", PATIENCE, |map: &ConfigMap| {
        map.labels().is_empty()
    })
    .await;
    assert_released(&scene, "x-cache").await;
    assert_eq!(scene.deletions(start).await, [""; 0]);
    running.stop().await;
}

async fn a_crash_between_releases_and_the_finalizer_releases_nothing_twice(cluster: &'static Cluster) {
    let scene = made(cluster, "keep-crash", true).await;
    let hold = json!({ "metadata": { "finalizers": ["test.dev/hold", "operatorkit.dev/vaults.keep.test"] } });
    let _held: Vault = scene.patch("x", hold).await;
    scene.delete::<Vault>("x").await;
    let running = scene.start(keeping::app(&Arc::default()));
    let _released = eventually(&scene.api(), "x", "is released", PATIENCE, |vault: &Vault| {
        vault.finalizers() == ["test.dev/hold"]
    })
    .await;
    drop(running);
    let theirs: ConfigMap = scene.patch("x-data", json!({ "data": { "by": "others" } })).await;
    let start = scene.mark().await;
    let running = scene.start(keeping::app(&Arc::default()));
    let other = Vault::new(
        "y",
        VaultSpec {
            retain: true,
            cached: false,
        },
    );
    scene.create(&other).await;
    let _ready: Vault = scene.ready("y").await;
    wait_for("`x` was left alone", PATIENCE, async || {
        let requests = scene.requests(start).await;
        ensure!(
            requests.iter().all(|request| request.object.name != "x-data"),
            "{requests}"
        );
        Ok(())
    })
    .await;
    assert_eq!(scene.api::<ConfigMap>().get("x-data").await.unwrap(), theirs);
    running.stop().await;
}

crate::servers::on_both! {
    what_is_kept_is_left_behind_without_our_marks,
    a_new_decision_is_stored_at_the_next_pass,
    what_was_stored_counts_for_a_deletion_under_other_code,
    what_is_no_longer_wanted_is_left_behind_too,
    a_resource_that_left_the_code_leaves_behind_what_its_mark_says,
    a_crash_between_releases_and_the_finalizer_releases_nothing_twice,
}
