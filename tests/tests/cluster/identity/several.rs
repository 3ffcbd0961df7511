//! Two operators on one object: two finalizers, and each deletes only what it made.

use operatorkit::{
    anyhow::{Context as _, ensure},
    k8s_openapi::api::core::v1::ConfigMap,
    prelude::*,
    serde_json::{Value, from_str, from_value, json},
};
use operatorkit_testing::{PATIENCE, eventually, eventually_gone, wait_for};

use super::{FINALIZER, Left as TwinLeft, Right as TwinRight, Twin, TwinResources, assert_event, twin};
use crate::scene::{Running, Scene, config_maps};

mod one {
    use super::*;

    #[operator(for = ConfigMap, name = "one.identity.test", selector = "identity.test/several=yes", resources(Own, Shared))]
    pub(crate) struct One;

    #[resource(order = 1)]
    pub(crate) struct Own;
    config_maps!(Own of One: "one");

    #[resource(order = 1)]
    pub(crate) struct Shared;
    config_maps!(Shared of One: "shared");

    pub(crate) fn app() -> App {
        App::new("one").operator(|_env| async {
            Ok(OneResources {
                own: Own,
                shared: Shared,
            })
        })
    }
}

mod two {
    use super::*;

    #[operator(for = ConfigMap, name = "two.identity.test", selector = "identity.test/several=yes", resources(Own, Shared))]
    pub(crate) struct Two;

    #[resource(order = 1)]
    pub(crate) struct Own;
    config_maps!(Own of Two: "two");

    #[resource(order = 1)]
    pub(crate) struct Shared;
    config_maps!(Shared of Two: "shared");

    pub(crate) fn app() -> App {
        App::new("two").operator(|_env| async {
            Ok(TwoResources {
                own: Own,
                shared: Shared,
            })
        })
    }
}

/// Operates the kind of another operator, and wants one of its children's names, too.
mod guest {
    use super::*;

    #[operator(for = Twin, name = "guest.identity.test", selector = all, resources(Extra, Clash))]
    pub(crate) struct Guest;

    #[resource(order = 1)]
    pub(crate) struct Extra;
    config_maps!(Extra of Guest: "extra");

    #[resource(order = 1)]
    pub(crate) struct Clash;
    config_maps!(Clash of Guest: "left");

    pub(crate) fn app() -> App {
        App::new("guest").operator(|_env| async {
            Ok(GuestResources {
                extra: Extra,
                clash: Clash,
            })
        })
    }
}

/// Starts an operator under a user of its own.
fn start_apart(scene: &Scene, app: App) -> (Running, String) {
    let user = scene.cluster.new_admin();
    (scene.start_on(scene.cluster.client(&user), app), user)
}

/// The operator that a child's mark names.
async fn operator_of(scene: &Scene, child: &str) -> String {
    let child = scene.api::<ConfigMap>().get(child).await.expect("it is there");
    let mark: Value = from_str(&child.annotations()["operatorkit.dev/mark"]).expect("JSON");
    mark["operator"].as_str().expect("as expected").to_owned()
}

/// What a user asked to delete, sorted.
async fn deleted_by(scene: &Scene, since: operatorkit_testing::audit::Mark, user: &str) -> Vec<String> {
    let requests = scene.cluster.audit().since(since).await;
    let requests = requests.by_user(user).in_namespace(&scene.namespace).verb("delete");
    let mut names: Vec<_> = requests.iter().map(|request| request.object.name.clone()).collect();
    names.sort();
    names
}

#[tokio::test(start_paused = true)]
async fn two_operators_of_an_existing_kind_share_an_object() {
    let scene = Scene::alone("several").await;
    let (first, first_user) = start_apart(&scene, one::app());
    let original: ConfigMap = from_value(json!({
        "metadata": { "name": "x", "labels": { "identity.test/several": "yes" } },
        "data": { "by": "others" },
    }))
    .unwrap();
    scene.create(&original).await;
    let shared = eventually(&scene.api::<ConfigMap>(), "x-shared", "is there", PATIENCE, |_| true).await;
    let (second, second_user) = start_apart(&scene, two::app());
    let both = eventually(
        &scene.api::<ConfigMap>(),
        "x",
        "has both finalizers",
        PATIENCE,
        |object| object.finalizers().len() == 2,
    )
    .await;
    assert_eq!(
        both.finalizers(),
        ["operatorkit.dev/one.identity.test", "operatorkit.dev/two.identity.test"]
    );
    assert_eq!(both.data, original.data);
    // The second one of a name is refused; the first one's child stays as it is.
    assert_event(
        &scene,
        "x",
        "NameCollision",
        "it belongs to the operator `one.identity.test`",
    )
    .await;
    eventually(&scene.api::<ConfigMap>(), "x-two", "is there", PATIENCE, |_| true).await;
    assert_eq!(scene.api::<ConfigMap>().get("x-shared").await.unwrap(), shared);
    assert_eq!(operator_of(&scene, "x-one").await, "one.identity.test");
    assert_eq!(operator_of(&scene, "x-two").await, "two.identity.test");

    // The second stands still: the first deletes its own, the finalizer of the second stays.
    second.stop().await;
    let start = scene.mark().await;
    scene.delete::<ConfigMap>("x").await;
    eventually(
        &scene.api::<ConfigMap>(),
        "x",
        "is held by the second only",
        PATIENCE,
        |object| object.finalizers() == ["operatorkit.dev/two.identity.test"],
    )
    .await;
    assert_eq!(deleted_by(&scene, start, &first_user).await, ["x-one", "x-shared"]);
    assert_eq!(operator_of(&scene, "x-two").await, "two.identity.test");
    let second = scene.start_on(scene.cluster.client(&second_user), two::app());
    eventually_gone(&scene.api::<ConfigMap>(), "x", PATIENCE).await;
    assert_eq!(deleted_by(&scene, start, &second_user).await, ["x-two"]);
    assert_eq!(deleted_by(&scene, start, &first_user).await, ["x-one", "x-shared"]);
    let left = scene.children::<ConfigMap>("operatorkit.dev/owner-uid").await;
    assert!(left.is_empty(), "{left:?}");
    first.stop().await;
    second.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_operator_of_another_ones_kind_is_a_guest() {
    let scene = Scene::alone("guest").await;
    scene.install::<Twin>().await;
    let host = App::new("host").operator(|_env| async {
        Ok(TwinResources {
            left: TwinLeft,
            right: TwinRight,
        })
    });
    let (host, host_user) = start_apart(&scene, host);
    scene.create(&twin("x")).await;
    let _ready: Twin = scene.ready("x").await;
    let (guest, guest_user) = start_apart(&scene, guest::app());
    wait_for("both have their children", PATIENCE, async || {
        let object = scene.api::<Twin>().get("x").await?;
        let finalizers = [FINALIZER, "operatorkit.dev/guest.identity.test"];
        ensure!(object.finalizers() == finalizers, "{:?}", object.finalizers());
        let extra = scene.api::<ConfigMap>().get_opt("x-extra").await?;
        extra.context("x-extra is not there")
    })
    .await;
    assert_event(
        &scene,
        "x",
        "NameCollision",
        "it belongs to the operator `twins.identity.test`",
    )
    .await;
    assert_eq!(operator_of(&scene, "x-left").await, "twins.identity.test");
    let _ready: Twin = scene.ready("x").await;

    let start = scene.mark().await;
    scene.delete::<Twin>("x").await;
    eventually_gone(&scene.api::<Twin>(), "x", PATIENCE).await;
    assert_eq!(deleted_by(&scene, start, &host_user).await, ["x-left", "x-right"]);
    assert_eq!(deleted_by(&scene, start, &guest_user).await, ["x-extra"]);
    host.stop().await;
    guest.stop().await;
}
