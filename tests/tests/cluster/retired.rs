//! `retired`: a resource that stays in the code only to be deleted.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use operatorkit::{
    anyhow::ensure,
    k8s_openapi::api::core::v1::ConfigMap,
    prelude::*,
    serde_json::{Value, json, to_value},
};
use operatorkit_testing::{Cluster, PATIENCE, eventually_gone, wait_for};

use crate::scene::{Scene, config_maps, line};

/// One version of the operator: `a`, then `b` and `c`, which may be retired.
macro_rules! version {
    ($version:ident $(, $retired:ident)?) => {
        mod $version {
            use super::*;

            #[operator(group = "retired.test", version = "v1", kind = "Aging", namespaced, resources(A, B, C))]
            pub(crate) struct AgingSpec {}

            #[resource(order = 1, delete_order = 3)]
            pub(crate) struct A;
            config_maps!(A of Aging: "a");

            #[resource(order = 2, delete_order = 2, after(A) $(, $retired)?)]
            pub(crate) struct B;
            config_maps!(B of Aging: "b");

            #[resource(order = 3, delete_order = 1 $(, $retired)?)]
            pub(crate) struct C(Arc<AtomicUsize>);

            impl Step for C {
                type Operator = Aging;
                type Output = ();
                async fn ensure_created(&self, _aging: &Aging, cx: &Cx<Self>) -> Result<Flow<()>> {
                    cx.events().normal("CMade", stringify!($version));
                    Ok(().into())
                }
                async fn ensure_deleted(&self, _cx: &DeleteCx<Self>) -> Result<Flow<()>> {
                    self.0.fetch_add(1, Ordering::Relaxed);
                    Ok(().into())
                }
            }

            pub(crate) fn app(undone: &Arc<AtomicUsize>) -> App {
                let c = C(undone.clone());
                App::new("aging").operator(|_env| async { Ok(AgingResources { a: A, b: B, c }) })
            }
        }
    };
}

version!(young);
version!(old, retired);

use young::{Aging, AgingSpec};

async fn made(cluster: &'static Cluster, name: &'static str) -> Scene {
    let scene = Scene::on(cluster, name).await;
    scene.install::<Aging>().await;
    let running = scene.start(young::app(&Arc::default()));
    scene.create(&Aging::new("x", AgingSpec {})).await;
    let _ready: Aging = scene.ready("x").await;
    running.stop().await;
    scene
}

async fn what_is_retired_is_deleted_from_a_live_object_once(cluster: &'static Cluster) {
    let scene = made(cluster, "retired-live").await;
    let undone = Arc::default();
    let start = scene.mark().await;
    let running = scene.start(old::app(&undone));
    eventually_gone(&scene.api::<ConfigMap>(), "x-b", PATIENCE).await;
    wait_for("the inventory forgets", PATIENCE, async || {
        let object = scene.api::<Aging>().get("x").await?;
        let stored = &object.annotations()["operatorkit.dev/inventory.agings.retired.test"];
        ensure!(
            !stored.contains(r#""n":"b""#) && !stored.contains(r#""n":"c""#),
            "{stored}"
        );
        let object = to_value(object)?;
        ensure!(line(&object, "b") == Value::Null && line(&object, "a")["phase"] == "Ready");
        Ok(())
    })
    .await;
    assert_eq!(undone.load(Ordering::Relaxed), 1);
    assert_eq!(scene.deletions(start).await, ["configmaps/x-b"]);

    // Neither again nor at the deletion.
    let start = scene.mark().await;
    scene.delete::<Aging>("x").await;
    eventually_gone(&scene.api::<Aging>(), "x", PATIENCE).await;
    assert_eq!(scene.deletions(start).await, ["configmaps/x-a"]);
    assert_eq!(undone.load(Ordering::Relaxed), 1);
    running.stop().await;
    let made = scene
        .events("x")
        .await
        .into_iter()
        .filter(|event| event["reason"] == "CMade");
    assert!(
        made.into_iter().all(|event| event["note"] == "young"),
        "it is never applied again"
    );
}

async fn what_is_retired_is_deleted_in_delete_order_with_its_object(cluster: &'static Cluster) {
    let scene = made(cluster, "retired-gone").await;
    scene.delete::<Aging>("x").await;
    let undone = Arc::default();
    let start = scene.mark().await;
    let running = scene.start(old::app(&undone));
    eventually_gone(&scene.api::<Aging>(), "x", PATIENCE).await;
    assert_eq!(scene.deletions(start).await, ["configmaps/x-b", "configmaps/x-a"]);
    assert_eq!(undone.load(Ordering::Relaxed), 1);
    running.stop().await;
}

async fn a_new_object_has_nothing_of_what_is_retired(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "retired-new").await;
    scene.install::<Aging>().await;
    let undone = Arc::default();
    let running = scene.start(old::app(&undone));
    scene.create(&Aging::new("x", AgingSpec {})).await;
    let _ready: Aging = scene.ready("x").await;
    // A pass that changes nothing sends nothing.
    let start = scene.mark().await;
    let _touched: Aging = scene
        .patch("x", json!({ "metadata": { "annotations": { "a": "b" } } }))
        .await;
    scene.create(&Aging::new("y", AgingSpec {})).await;
    let _ready: Aging = scene.ready("y").await;
    let requests = scene.requests(start).await;
    assert!(requests.iter().all(|request| request.object.name != "x"), "{requests}");
    let maps: Vec<_> = scene
        .children::<ConfigMap>("operatorkit.dev/owner-uid")
        .await
        .into_keys()
        .collect();
    assert_eq!(maps, ["x-a", "y-a"]);
    assert_eq!(undone.load(Ordering::Relaxed), 0);
    running.stop().await;
}

crate::servers::on_both! {
    what_is_retired_is_deleted_from_a_live_object_once,
    what_is_retired_is_deleted_in_delete_order_with_its_object,
    a_new_object_has_nothing_of_what_is_retired,
}
