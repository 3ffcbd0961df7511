//! What an operator succeeds to: its own earlier name, and the finalizer of another program.

mod crash;
mod existing;
mod fields;
mod legacy;
mod provider;

use std::sync::Arc;

use operatorkit::{
    k8s_openapi::api::core::v1::{ConfigMap, Secret},
    kube::ResourceExt,
    prelude::*,
    serde_json::{from_value, json, to_value},
};
use operatorkit_testing::{Cluster, PATIENCE, eventually, eventually_gone};

use self::provider::Provider;
use crate::scene::{Scene, config_map, grant_in};

/// One version of the operator: what it says, what its child says, and the child's data.
macro_rules! version {
    ($version:ident says [$($says:tt)*] and makes [$($policy:tt)*] $data:tt) => {
        pub(super) mod $version {
            use super::*;

            #[operator(
                group = "former.test", version = "v1", kind = "Heir", namespaced, resources(Data, Thing, Undone), $($says)*
            )]
            pub(crate) struct HeirSpec {}

            #[resource(order = 1, delete_order = 2, $($policy)*)]
            pub(crate) struct Data;

            impl Manifest for Data {
                type Operator = Heir;
                type Object = ConfigMap;
                async fn desired(&self, _heir: &Heir, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
                    Ok(config_map(&cx.child_name("data"), json!($data))?.into())
                }
            }

            #[resource(order = 2, delete_order = 1)]
            pub(crate) struct Thing(Arc<Provider>);
            provider::external!(Thing of Heir, Heir: stringify!($version));

            #[resource(order = 2, delete_order = 1)]
            pub(crate) struct Undone(Arc<Provider>);

            impl Step for Undone {
                type Operator = Heir;
                type Output = ();
                async fn ensure_created(&self, _heir: &Heir, _cx: &Cx<Self>) -> Result<Flow<()>> {
                    Ok(().into())
                }
                async fn ensure_deleted(&self, _cx: &DeleteCx<Self>) -> Result<Flow<()>> {
                    self.0.undo();
                    Ok(().into())
                }
            }

            pub(crate) fn app(provider: &Arc<Provider>) -> App {
                let (thing, undone) = (Thing(provider.clone()), Undone(provider.clone()));
                App::new("heirs").operator(|_env| async { Ok(HeirResources { data: Data, thing, undone }) })
            }
        }
    };
}
use version;

version!(before says [name = "before"] and makes [] { "a": "1", "b": "2" });
version!(after says [name = "after", formerly = ["before"]] and makes [] { "a": "1" });

use before::{Heir, HeirSpec};

/// An operator of the old name that has another child.
mod longer_ago {
    use super::*;

    #[operator(
        group = "former.test",
        version = "v1",
        kind = "Heir",
        namespaced,
        name = "before",
        resources(Extra)
    )]
    pub(crate) struct HeirSpec {}

    #[resource]
    pub(crate) struct Extra;

    impl Manifest for Extra {
        type Operator = Heir;
        type Object = Secret;
        async fn desired(&self, _heir: &Heir, cx: &Cx<Self>) -> Result<Desired<Secret>> {
            Ok(from_value::<Secret>(json!({ "metadata": { "name": cx.child_name("extra") } }))?.into())
        }
    }

    pub(crate) fn app() -> App {
        App::new("heirs").operator(|_env| async { Ok(HeirResources { extra: Extra }) })
    }
}

/// `x`, made ready by a version.
async fn make(scene: &Scene, app: App) {
    scene.install::<Heir>().await;
    let running = scene.start(app);
    scene.create(&Heir::new("x", HeirSpec {})).await;
    let _ready: Heir = scene.ready("x").await;
    running.stop().await;
}

/// `x`, as the version with the old name left it.
async fn made(cluster: &'static Cluster, name: &'static str) -> (Scene, Arc<Provider>) {
    let scene = Scene::on(cluster, name).await;
    let provider = Arc::default();
    make(&scene, before::app(&provider)).await;
    (scene, provider)
}

fn text(object: &impl operatorkit::serde::Serialize) -> String {
    to_value(object).expect("JSON").to_string()
}

/// Nothing of the old name is left on it: no name, no claim of a field manager.
fn assert_no_trace(object: &impl operatorkit::serde::Serialize) {
    let text = text(object);
    for trace in ["operatorkit.dev/before", "inventory.before", "state.before"] {
        assert!(!text.contains(trace), "{trace}: {text}");
    }
}

/// `x` and its child as they were before.
struct Old {
    object: Heir,
    child: ConfigMap,
}

impl Old {
    async fn of(scene: &Scene) -> Self {
        Self {
            object: scene.api().get("x").await.expect("it exists"),
            child: scene.api().get("x-data").await.expect("it exists"),
        }
    }

    /// Waits until both are the new name's, and the same as before; what is no longer desired has gone.
    async fn assert_taken_over(&self, scene: &Scene, provider: &Provider) {
        let taken = eventually(&scene.api(), "x-data", "is taken over", PATIENCE, |map: &ConfigMap| {
            map.labels()
                .get("operatorkit.dev/operator")
                .is_some_and(|name| name == "after")
        })
        .await;
        assert_eq!(taken.uid(), self.child.uid());
        assert_eq!(taken.data, Some([("a".to_owned(), "1".to_owned())].into()));
        let heir: Heir = scene.ready("x").await;
        assert_eq!(
            (heir.uid(), heir.finalizers()),
            (self.object.uid(), &["operatorkit.dev/after".to_owned()][..])
        );
        let heir = to_value(heir).expect("JSON");
        assert_eq!(
            heir["status"]["operatorkit"]["state"],
            to_value(&self.object).expect("JSON")["status"]["operatorkit"]["state"]
        );
        assert_no_trace(&taken);
        assert_no_trace(&heir);
        assert_eq!(provider.journal(), ["create before"]);
    }
}

async fn what_the_old_name_left_is_taken_over_and_nothing_is_made_anew(cluster: &'static Cluster) {
    let (scene, provider) = made(cluster, "former").await;
    let old = Old::of(&scene).await;
    let start = scene.mark().await;
    let running = scene.start(after::app(&provider));
    old.assert_taken_over(&scene, &provider).await;
    assert_eq!(scene.deletions(start).await, [""; 0]);

    // And it is quiet.
    let start = scene.mark().await;
    let _touched: Heir = scene
        .patch("x", json!({ "metadata": { "annotations": { "a": "b" } } }))
        .await;
    scene.create(&Heir::new("y", HeirSpec {})).await;
    let _ready: Heir = scene.ready("y").await;
    let requests = scene.requests(start).await;
    assert!(
        requests
            .iter()
            .all(|it| it.object.name != "x" && it.object.name != "x-data"),
        "{requests}"
    );
    assert_eq!(provider.journal(), ["create before", "create after"]);

    let start = scene.mark().await;
    scene.delete::<Heir>("x").await;
    eventually_gone(&scene.api::<Heir>(), "x", PATIENCE).await;
    assert_eq!(scene.deletions(start).await, ["configmaps/x-data"]);
    running.stop().await;
}

async fn a_deletion_under_the_new_name_needs_only_what_the_old_one_stored(cluster: &'static Cluster) {
    let (scene, provider) = made(cluster, "former-gone").await;
    scene.delete::<Heir>("x").await;
    let start = scene.mark().await;
    let running = scene.start(after::app(&provider));
    eventually_gone(&scene.api::<Heir>(), "x", PATIENCE).await;
    assert_eq!(scene.deletions(start).await, ["configmaps/x-data"]);
    assert_eq!(provider.journal(), ["create before", "delete before"]);
    assert_eq!(provider.undone(), 1);
    running.stop().await;
}

async fn the_old_version_that_runs_once_more_is_succeeded_again(cluster: &'static Cluster) {
    let (scene, provider) = made(cluster, "former-back").await;
    let old = Old::of(&scene).await;
    let running = scene.start(after::app(&provider));
    old.assert_taken_over(&scene, &provider).await;
    running.stop().await;
    let running = scene.start(before::app(&provider));
    // It does not know the new name: the child is somebody else's to it.
    let both: Heir = scene.condition("x", "Ready", "False", "NameCollision").await;
    assert_eq!(both.finalizers().len(), 2);
    running.stop().await;
    let running = scene.start(after::app(&provider));
    old.assert_taken_over(&scene, &provider).await;
    running.stop().await;
}

async fn what_the_old_version_made_when_it_ran_once_more_is_not_left_behind(cluster: &'static Cluster) {
    let (scene, provider) = made(cluster, "former-more").await;
    let old = Old::of(&scene).await;
    let running = scene.start(after::app(&provider));
    old.assert_taken_over(&scene, &provider).await;
    running.stop().await;
    let running = scene.start(longer_ago::app());
    let _made = eventually(&scene.api(), "x-extra", "is made", PATIENCE, |_: &Secret| true).await;
    running.stop().await;
    // The inventory under the new name is what the code says; only the one under the old name knows of Secrets.
    scene.delete::<Heir>("x").await;
    let running = scene.start(after::app(&provider));
    eventually_gone(&scene.api::<Heir>(), "x", PATIENCE).await;
    assert!(scene.children::<Secret>("").await.is_empty());
    assert!(
        scene
            .api::<ConfigMap>()
            .get_opt("x-data")
            .await
            .expect("an answer")
            .is_none()
    );
    running.stop().await;
}

async fn the_rights_of_any_operator_are_enough(cluster: &'static Cluster) {
    let (mut scene, provider) = made(cluster, "former-rights").await;
    let old = Old::of(&scene).await;
    // As `rbac` derives them from the operator (operatorkit-runtime, `app/rights`).
    scene.user = cluster.new_stranger();
    let rules = json!([
        { "apiGroups": ["former.test"], "resources": ["heirs"], "verbs": ["get", "list", "watch", "patch"] },
        { "apiGroups": ["former.test"], "resources": ["heirs/status"], "verbs": ["patch"] },
        { "apiGroups": [""], "resources": ["configmaps"], "verbs": ["get", "list", "watch", "create", "patch", "delete"] },
        { "apiGroups": ["events.k8s.io"], "resources": ["events"], "verbs": ["create", "patch"] },
    ]);
    grant_in(&scene, &scene.namespace, &rules).await;
    let start = scene.mark().await;
    let running = scene.start(after::app(&provider));
    old.assert_taken_over(&scene, &provider).await;
    scene.delete::<Heir>("x").await;
    eventually_gone(&scene.api::<Heir>(), "x", PATIENCE).await;
    running.stop().await;
    let refused = scene.requests(start).await.filter(|request| request.code == 403);
    assert_eq!(refused.len(), 0, "{refused}");
}

crate::servers::on_both! {
    what_the_old_name_left_is_taken_over_and_nothing_is_made_anew,
    a_deletion_under_the_new_name_needs_only_what_the_old_one_stored,
    the_old_version_that_runs_once_more_is_succeeded_again,
    what_the_old_version_made_when_it_ran_once_more_is_not_left_behind,
    the_rights_of_any_operator_are_enough,
}
