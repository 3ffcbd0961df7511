//! Children whose object is gone since somebody took its finalizer off: reported, or removed where the operator says so.

use operatorkit::{
    anyhow::ensure,
    k8s_openapi::api::core::v1::ConfigMap,
    prelude::*,
    serde_json::{json, to_value},
};
use operatorkit_testing::{
    Cluster, PATIENCE,
    apiserver::fault::{Effect, Fault, Matching},
    eventually, eventually_gone, wait_for,
};

use crate::{
    scene::{Scene, config_map, config_maps},
    servers::alone,
};

/// One version of the operator, which deletes orphans or does not.
macro_rules! version {
    ($version:ident $(, $says:tt = $value:tt)?) => {
        mod $version {
            use super::*;

            #[operator(group = "orphans.test", version = "v1", kind = "Parent", namespaced $(, $says = $value)?, resources(A, B))]
            pub(crate) struct ParentSpec {}

            #[resource(order = 1)]
            pub(crate) struct A;
            config_maps!(A of Parent: "a", "b");

            #[resource(order = 2, on_delete = "keep")]
            pub(crate) struct B;
            config_maps!(B of Parent: "kept");

            pub(crate) fn app() -> App {
                App::new("parents").operator(|_env| async { Ok(ParentResources { a: A, b: B }) })
            }
        }
    };
}

version!(reporting);
version!(removing, orphans = "delete");

use reporting::{Parent, ParentSpec};

/// `x` is gone without its operator; `y` is there.
async fn orphaned(cluster: &'static Cluster, name: &'static str) -> Scene {
    let scene = Scene::on(cluster, name).await;
    scene.install::<Parent>().await;
    let running = scene.start(reporting::app());
    for name in ["x", "y"] {
        scene.create(&Parent::new(name, ParentSpec {})).await;
        let _ready: Parent = scene.ready(name).await;
    }
    running.stop().await;
    scene.delete::<Parent>("x").await;
    let _taken_off: Parent = scene.patch("x", json!({ "metadata": { "finalizers": null } })).await;
    eventually_gone(&scene.api::<Parent>(), "x", PATIENCE).await;
    scene
}

async fn orphans_are_removed_where_the_operator_says_so(cluster: &'static Cluster) {
    let scene = orphaned(cluster, "orphans").await;
    // A copy of an orphan with labels and mark is not one: its mark was put on another object.
    let mut copy = scene.api::<ConfigMap>().get("x-a").await.expect("it exists");
    copy.metadata = operatorkit::kube::core::ObjectMeta {
        name: Some("copy".into()),
        labels: copy.metadata.labels,
        annotations: copy.metadata.annotations,
        ..Default::default()
    };
    let copy = scene.create(&copy).await;
    let hold = json!({ "metadata": { "finalizers": ["test.dev/hold"] } });
    let _held: ConfigMap = scene.patch("x-b", hold).await;
    let start = scene.mark().await;
    let running = scene.start(removing::app());
    eventually_gone(&scene.api::<ConfigMap>(), "x-a", PATIENCE).await;
    let released = eventually(&scene.api(), "x-kept", "is released", PATIENCE, |map: &ConfigMap| {
        map.labels().is_empty()
    })
    .await;
    assert!(
        !to_value(released)
            .expect("JSON")
            .to_string()
            .contains("operatorkit.dev")
    );
    let _terminating = eventually(&scene.api(), "x-b", "is terminating", PATIENCE, |map: &ConfigMap| {
        map.metadata.deletion_timestamp.is_some()
    })
    .await;
    let _released: ConfigMap = scene.patch("x-b", json!({ "metadata": { "finalizers": null } })).await;
    eventually_gone(&scene.api::<ConfigMap>(), "x-b", PATIENCE).await;
    let _ready: Parent = scene.ready("y").await;
    let deleted = scene.deletions(start).await;
    assert!(
        deleted.iter().all(|it| it.ends_with("/x-a") || it.ends_with("/x-b")),
        "{deleted:?}"
    );
    assert_eq!(scene.api::<ConfigMap>().get("copy").await.unwrap(), copy);
    running.stop().await;
}

async fn orphans_are_left_alone_otherwise(cluster: &'static Cluster) {
    let scene = orphaned(cluster, "orphans-left").await;
    let start = scene.mark().await;
    let running = scene.start(reporting::app());
    wait_for("the owner was looked for", PATIENCE, async || {
        let requests = scene.requests(start).await;
        let looked = |name: &str| requests.iter().any(|it| it.verb == "get" && it.object.name == name);
        ensure!(["x-a", "x-b", "x-kept", "x"].into_iter().all(looked), "{requests}");
        Ok(())
    })
    .await;
    let _ready: Parent = scene.ready("y").await;
    running.stop().await;
    assert_eq!(scene.deletions(start).await, [""; 0]);
    let maps: Vec<_> = scene
        .children::<ConfigMap>("operatorkit.dev/owner-uid")
        .await
        .into_keys()
        .collect();
    assert_eq!(maps, ["x-a", "x-b", "x-kept", "y-a", "y-b", "y-kept"]);
}

async fn a_child_whose_owner_lives_is_no_orphan(cluster: &'static Cluster) {
    let scene = orphaned(cluster, "orphans-alive").await;
    let mut child = config_map("mine", json!({})).expect("a ConfigMap");
    let uid = scene
        .api::<Parent>()
        .get("y")
        .await
        .expect("it exists")
        .uid()
        .expect("a UID");
    child.metadata.labels = Some(
        [
            ("operatorkit.dev/operator", "parents.orphans.test"),
            ("operatorkit.dev/resource", "a"),
            ("operatorkit.dev/owner-uid", "another"),
        ]
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .into(),
    );
    let mark = json!({
        "operator": "parents.orphans.test", "resource": "a", "uid": uid,
        "owner": { "kind": "Parent.orphans.test", "namespace": scene.namespace, "name": "y" },
        "self": { "kind": "ConfigMap", "namespace": scene.namespace, "name": "mine" },
    });
    child.metadata.annotations = Some([("operatorkit.dev/mark".to_owned(), mark.to_string())].into());
    scene.create(&child).await;
    let running = scene.start(removing::app());
    // Its owner is there, so it is a child that is not wanted, and pruned as such; not as an orphan.
    eventually_gone(&scene.api::<ConfigMap>(), "mine", PATIENCE).await;
    eventually_gone(&scene.api::<ConfigMap>(), "x-a", PATIENCE).await;
    let _ready: Parent = scene.ready("y").await;
    let maps: Vec<_> = scene
        .children::<ConfigMap>("operatorkit.dev/owner-uid")
        .await
        .into_keys()
        .collect();
    assert!(maps.contains(&"y-a".to_owned()), "{maps:?}");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_look_at_the_owner_that_failed_is_repeated() {
    let scene = orphaned(alone(), "orphans-again").await;
    let looks = Matching::verbs(["get"])
        .resource("parents.orphans.test")
        .user(&scene.user);
    let fault = Fault::new(looks, Effect::unavailable()).times(5);
    let faults = scene.cluster.faults().expect("the embedded server");
    let fault = faults.add(fault);
    let running = scene.start(removing::app());
    for name in ["x-a", "x-b"] {
        eventually_gone(&scene.api::<ConfigMap>(), name, 2 * PATIENCE).await;
    }
    assert_eq!(faults.met(fault), 5);
    running.stop().await;
}

crate::servers::on_both! {
    orphans_are_removed_where_the_operator_says_so,
    orphans_are_left_alone_otherwise,
    a_child_whose_owner_lives_is_no_orphan,
}
