//! A second version of an operator: with fewer resources, fewer or renamed children, another order.

mod left;

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use operatorkit::{
    anyhow::{bail, ensure},
    k8s_openapi::api::core::v1::ConfigMap,
    kube::ResourceExt,
    prelude::*,
    serde_json::{Value, from_str, json},
};
use operatorkit_testing::{Cluster, PATIENCE, eventually_gone, wait_for};

use crate::scene::{Scene, config_maps};

/// Made: `a`, then `b`, then `c`; deleted: `c`, then `b`, then `a`.
mod first {
    use super::*;

    #[operator(
        group = "prune.test",
        version = "v1",
        kind = "Shrinking",
        namespaced,
        resources(A, B, C)
    )]
    pub(crate) struct ShrinkingSpec {
        pub(crate) mode: Option<String>,
    }

    #[resource(order = 1, delete_order = 3)]
    pub(crate) struct A;
    config_maps!(A of Shrinking: "a");

    #[resource(order = 2, delete_order = 2)]
    pub(crate) struct B;
    config_maps!(B of Shrinking: "b-0", "b-1", "b-2");

    #[resource(order = 3, delete_order = 1)]
    pub(crate) struct C;
    config_maps!(C of Shrinking: "c");

    pub(crate) fn app() -> App {
        App::new("first").operator(|_env| async { Ok(ShrinkingResources { a: A, b: B, c: C }) })
    }
}

/// The child of `a` has another name, `b` has one child, `c` is gone, and a gate says how far a pass comes.
mod second {
    use super::*;

    #[operator(
        group = "prune.test",
        version = "v1",
        kind = "Shrinking",
        namespaced,
        resources(A, B, Gate)
    )]
    pub(crate) struct ShrinkingSpec {
        mode: Option<String>,
    }

    #[resource(order = 1, delete_order = 3)]
    pub(crate) struct A;
    config_maps!(A of Shrinking: "renamed");

    #[resource(order = 2, delete_order = 2)]
    pub(crate) struct B;
    config_maps!(B of Shrinking: "b-0");

    #[resource(order = 3, delete_order = 4)]
    pub(crate) struct Gate {
        passes: Arc<AtomicUsize>,
    }

    impl Step for Gate {
        type Operator = Shrinking;
        type Output = ();
        async fn ensure_created(&self, object: &Shrinking, _cx: &Cx<Self>) -> Result<Flow<()>> {
            self.passes.fetch_add(1, Ordering::Relaxed);
            match object.spec.mode.as_deref() {
                Some("fail") => bail!("it fails"),
                Some("skip") => Ok(Flow::skip("it is left out")),
                Some("wait") => Ok(Flow::wait("it is not ready")),
                _ => Ok(().into()),
            }
        }
    }

    pub(crate) fn app(passes: &Arc<AtomicUsize>) -> App {
        let passes = passes.clone();
        App::new("second").operator(move |_env| async move {
            Ok(ShrinkingResources {
                a: A,
                b: B,
                gate: Gate { passes },
            })
        })
    }
}

/// The other way round, without `c`.
mod reversed {
    use super::*;

    #[operator(
        group = "prune.test",
        version = "v1",
        kind = "Shrinking",
        namespaced,
        resources(A, B)
    )]
    pub(crate) struct ShrinkingSpec {
        mode: Option<String>,
    }

    #[resource(order = 2, delete_order = 1)]
    pub(crate) struct A;
    config_maps!(A of Shrinking: "a");

    #[resource(order = 1, delete_order = 2)]
    pub(crate) struct B;
    config_maps!(B of Shrinking: "b-0");

    pub(crate) fn app() -> App {
        App::new("reversed").operator(|_env| async { Ok(ShrinkingResources { a: A, b: B }) })
    }
}

use first::Shrinking;

/// `x`, as the first version left it.
async fn made(cluster: &'static Cluster, name: &'static str, mode: Option<&str>) -> Scene {
    let scene = Scene::on(cluster, name).await;
    scene.install::<Shrinking>().await;
    let running = scene.start(first::app());
    let spec = first::ShrinkingSpec {
        mode: mode.map(str::to_owned),
    };
    scene.create(&Shrinking::new("x", spec)).await;
    let _ready: Shrinking = scene.ready("x").await;
    running.stop().await;
    scene
}

async fn children(scene: &Scene) -> Vec<String> {
    let marked = scene.children::<ConfigMap>("operatorkit.dev/owner-uid").await;
    marked.into_keys().collect()
}

/// The resources that the inventory of an object names.
fn inventory(object: &impl ResourceExt) -> Vec<String> {
    let text = &object.annotations()["operatorkit.dev/inventory.shrinkings.prune.test"];
    let inventory: Value = from_str(text).expect("JSON");
    let nodes = inventory["nodes"].as_array().expect("as expected");
    nodes
        .iter()
        .map(|node| node["n"].as_str().expect("as expected").to_owned())
        .collect()
}

async fn what_is_no_longer_wanted_goes_in_delete_order_once_everything_resolved(cluster: &'static Cluster) {
    let scene = made(cluster, "prune", Some("fail")).await;
    assert_eq!(children(&scene).await, ["x-a", "x-b-0", "x-b-1", "x-b-2", "x-c"]);
    let hold = json!({ "metadata": { "finalizers": ["test.dev/hold"] } });
    let _held: ConfigMap = scene.patch("x-c", hold).await;
    let start = scene.mark().await;
    let passes = Arc::new(AtomicUsize::new(0));
    let running = scene.start(second::app(&passes));

    // Neither beside an error nor beside a resource that was left out, however often.
    for (mode, reason) in [("fail", "Failed"), ("skip", "Ready")] {
        let _mode: Shrinking = scene.patch("x", json!({ "spec": { "mode": mode } })).await;
        let status = if mode == "fail" { "False" } else { "True" };
        let _shown: Shrinking = scene.condition("x", "Ready", status, reason).await;
        let before = passes.load(Ordering::Relaxed);
        wait_for("three passes", PATIENCE, async || {
            let touch =
                json!({ "metadata": { "annotations": { "pass": passes.load(Ordering::Relaxed).to_string() } } });
            let _touched: Shrinking = scene.patch("x", touch).await;
            ensure!(passes.load(Ordering::Relaxed) >= before + 3);
            Ok(())
        })
        .await;
        assert_eq!(scene.deletions(start).await, [""; 0], "{mode}");
        let all = ["x-a", "x-b-0", "x-b-1", "x-b-2", "x-c", "x-renamed"];
        assert_eq!(children(&scene).await, all, "{mode}");
    }

    // One that is not ready is no obstacle. What waits for the held child stays.
    let _mode: Shrinking = scene.patch("x", json!({ "spec": { "mode": "wait" } })).await;
    wait_for("the prune begins", PATIENCE, async || {
        ensure!(scene.deletions(start).await == ["configmaps/x-c"]);
        Ok(())
    })
    .await;
    let before = passes.load(Ordering::Relaxed);
    wait_for("three passes", PATIENCE, async || {
        let touch = json!({ "metadata": { "annotations": { "pass": passes.load(Ordering::Relaxed).to_string() } } });
        let _touched: Shrinking = scene.patch("x", touch).await;
        ensure!(passes.load(Ordering::Relaxed) >= before + 3);
        Ok(())
    })
    .await;
    assert_eq!(scene.deletions(start).await, ["configmaps/x-c"]);
    let held = scene.api::<Shrinking>().get("x").await.unwrap();
    assert_eq!(
        inventory(&held),
        ["a", "b", "gate", "c"],
        "not forgotten before it is gone"
    );

    let _released: ConfigMap = scene.patch("x-c", json!({ "metadata": { "finalizers": null } })).await;
    eventually_gone(&scene.api::<ConfigMap>(), "x-a", PATIENCE).await;
    let mut deletions = scene.deletions(start).await;
    deletions[1..3].sort();
    let order = ["x-c", "x-b-1", "x-b-2", "x-a"].map(|name| format!("configmaps/{name}"));
    assert_eq!(deletions, order);
    assert_eq!(children(&scene).await, ["x-b-0", "x-renamed"]);
    wait_for("the inventory forgets", PATIENCE, async || {
        let object = scene.api::<Shrinking>().get("x").await?;
        ensure!(inventory(&object) == ["a", "b", "gate"], "{:?}", inventory(&object));
        Ok(())
    })
    .await;
    running.stop().await;
}

async fn a_foreign_object_with_the_name_of_a_pruned_child_is_left_alone(cluster: &'static Cluster) {
    let scene = made(cluster, "prune-foreign", None).await;
    scene.delete::<ConfigMap>("x-c").await;
    let foreign = scene
        .create(&crate::scene::config_map("x-c", json!({ "by": "others" })).unwrap())
        .await;
    let running = scene.start(second::app(&Arc::default()));
    eventually_gone(&scene.api::<ConfigMap>(), "x-a", PATIENCE).await;
    wait_for("the inventory forgets", PATIENCE, async || {
        let object = scene.api::<Shrinking>().get("x").await?;
        ensure!(inventory(&object) == ["a", "b", "gate"], "{:?}", inventory(&object));
        Ok(())
    })
    .await;
    assert_eq!(children(&scene).await, ["x-b-0", "x-renamed"]);
    assert_eq!(scene.api::<ConfigMap>().get("x-c").await.unwrap(), foreign);
    running.stop().await;
}

async fn a_deletion_goes_by_the_stored_order_and_takes_what_left_the_code(cluster: &'static Cluster) {
    let scene = made(cluster, "stored-order", None).await;
    scene.delete::<Shrinking>("x").await;
    let start = scene.mark().await;
    let running = scene.start(reversed::app());
    eventually_gone(&scene.api::<Shrinking>(), "x", PATIENCE).await;
    let mut deletions = scene.deletions(start).await;
    assert_eq!(deletions.len(), 5, "{deletions:?}");
    deletions[1..4].sort();
    let order = ["x-c", "x-b-0", "x-b-1", "x-b-2", "x-a"].map(|name| format!("configmaps/{name}"));
    assert_eq!(deletions, order);
    assert!(children(&scene).await.is_empty());
    running.stop().await;
}

async fn after_a_pass_forwards_the_new_order_counts(cluster: &'static Cluster) {
    let scene = made(cluster, "new-order", None).await;
    let running = scene.start(reversed::app());
    wait_for("the new version has pruned", PATIENCE, async || {
        let object = scene.api::<Shrinking>().get("x").await?;
        ensure!(inventory(&object) == ["a", "b"], "{:?}", inventory(&object));
        Ok(())
    })
    .await;
    let start = scene.mark().await;
    scene.delete::<Shrinking>("x").await;
    eventually_gone(&scene.api::<Shrinking>(), "x", PATIENCE).await;
    assert_eq!(scene.deletions(start).await, ["configmaps/x-a", "configmaps/x-b-0"]);
    running.stop().await;
}

crate::servers::on_both! {
    what_is_no_longer_wanted_goes_in_delete_order_once_everything_resolved,
    a_foreign_object_with_the_name_of_a_pruned_child_is_left_alone,
    a_deletion_goes_by_the_stored_order_and_takes_what_left_the_code,
    after_a_pass_forwards_the_new_order_counts,
}
