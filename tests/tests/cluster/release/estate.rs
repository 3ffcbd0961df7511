//! Whatever an operator can make is released: by any policy, anywhere, under an earlier name, for an existing kind.

use std::process::ExitCode;

use operatorkit::{
    k8s_openapi::api::{
        core::v1::{ConfigMap, Secret},
        rbac::v1::ClusterRole,
    },
    kube::{
        Api, ResourceExt as _,
        api::{DeleteParams, DynamicObject},
    },
    prelude::*,
    serde_json::{Value, from_value, json, to_value},
};
use operatorkit_testing::{Cluster, PATIENCE, eventually, eventually_gone};

use super::ours;
use crate::scene::{Scene, condition, config_map, config_maps, line};

/// A version of the operator, by what it says.
macro_rules! version {
    ($version:ident: $($says:tt)*) => {
        mod $version {
            use super::*;

            #[operator(
                group = "release.test", version = "v1", kind = "Estate", namespaced,
                resources(House, Garden, Gate, Far, Well), $($says)*
            )]
            pub(crate) struct EstateSpec {
                /// Where what is elsewhere is.
                pub(crate) elsewhere: String,
            }

            #[resource(order = 1)]
            pub(crate) struct House;
            config_maps!(House of Estate: "house");

            #[resource(order = 1, adopt)]
            pub(crate) struct Garden;
            config_maps!(Garden of Estate: "garden");

            #[resource(order = 1, owner_reference, initial("/data/a"))]
            pub(crate) struct Gate;

            impl Manifest for Gate {
                type Operator = Estate;
                type Object = ConfigMap;
                async fn desired(&self, _estate: &Estate, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
                    Ok(config_map(&cx.child_name("gate"), json!({ "a": "b" }))?.into())
                }
            }

            /// Of kinds that only the running program knows.
            #[resource(order = 1, namespaces = any)]
            pub(crate) struct Far;

            impl Manifest for Far {
                type Operator = Estate;
                type Object = DynamicObject;
                async fn desired(&self, estate: &Estate, _cx: &Cx<Self>) -> Result<Desired<DynamicObject>> {
                    let (name, elsewhere) = ("far", &estate.spec.elsewhere);
                    let secret = json!({
                        "apiVersion": "v1", "kind": "Secret", "metadata": { "name": name, "namespace": elsewhere },
                    });
                    let role = json!({
                        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": { "name": elsewhere },
                    });
                    Ok([secret, role].map(from_value).into_iter().collect::<Result<Vec<DynamicObject>, _>>()?.into())
                }
            }

            /// Another one each time.
            #[resource(order = 2)]
            pub(crate) struct Well;

            impl External for Well {
                type Operator = Estate;
                type State = String;
                async fn find(&self, _token: &Token, _cx: &DeleteCx<Self>) -> Result<Option<String>> {
                    Ok(None)
                }
                async fn observe(&self, _estate: &Estate, state: &String, _cx: &Cx<Self>) -> Result<Flow<Observed<String>>> {
                    Ok(Observed::Matches(state.clone()).into())
                }
                async fn create(&self, estate: &Estate, _token: &Token, _cx: &Cx<Self>) -> Result<Flow<String>> {
                    Ok(estate.resource_version().unwrap_or_default().into())
                }
                async fn update(&self, _estate: &Estate, state: &String, _cx: &Cx<Self>) -> Result<Flow<String>> {
                    Ok(state.clone().into())
                }
                async fn delete(&self, _state: &String, _cx: &DeleteCx<Self>) -> Result<Flow<()>> {
                    Ok(().into())
                }
            }

            pub(crate) fn app() -> App {
                App::new("estates").operator(|_env| async {
                    Ok(EstateResources { house: House, garden: Garden, gate: Gate, far: Far, well: Well })
                })
            }
        }
    };
}

version!(before: name = "estates.before");
version!(after: name = "estates.after", formerly = ["estates.before"]);

use before::{Estate, EstateSpec};

/// `app release` in this process, in the scene's namespace. What it prints is not seen.
async fn release(scene: &Scene, app: App) -> ExitCode {
    let kubeconfig = scene.cluster.kubeconfig(&scene.user);
    let namespace = scene.namespace.clone();
    let released = tokio::task::spawn_blocking(move || {
        let kubeconfig = format!("--kubeconfig={}", kubeconfig.display());
        app.run_with(["release".to_owned(), kubeconfig, format!("--namespace={namespace}")])
    });
    released.await.expect("it ran")
}

/// `x` with all that belongs to it, and where the rest is. The operator has stopped.
async fn made(cluster: &'static Cluster, name: &'static str) -> (Scene, String) {
    let scene = Scene::on(cluster, name).await;
    let elsewhere = cluster.namespace("elsewhere").await;
    scene.install::<Estate>().await;
    let running = scene.start(before::app());
    let spec = EstateSpec {
        elsewhere: elsewhere.clone(),
    };
    scene.create(&Estate::new("x", spec)).await;
    let _ready: Estate = scene.ready("x").await;
    running.stop().await;
    (scene, elsewhere)
}

/// Everything that belongs to `x`, by where it is.
async fn children(scene: &Scene, elsewhere: &str) -> Vec<Value> {
    let mut all = Vec::new();
    for name in ["x-house", "x-garden", "x-gate"] {
        all.push(to_value(scene.api::<ConfigMap>().get(name).await.expect("it is there")).expect("JSON"));
    }
    let secrets: Api<Secret> = Api::namespaced(scene.client.clone(), elsewhere);
    all.push(to_value(secrets.get("far").await.expect("it is there")).expect("JSON"));
    let roles: Api<ClusterRole> = Api::all(scene.client.clone());
    all.push(to_value(roles.get(elsewhere).await.expect("it is there")).expect("JSON"));
    all
}

/// Whether nothing of ours is left on the object and its children, and all of them are there.
async fn assert_released(scene: &Scene, elsewhere: &str) {
    for child in children(scene, elsewhere).await {
        assert_eq!(ours(&child), [""; 0], "{child}");
        assert!(child["metadata"]["ownerReferences"].is_null(), "{child}");
    }
    let object: Estate = scene.api().get("x").await.expect("it is there");
    assert_eq!(ours(&object), [""; 0], "{object:?}");
}

async fn clean_up(scene: &Scene, elsewhere: &str) {
    let roles: Api<ClusterRole> = Api::all(scene.client.clone());
    let _answer = roles
        .delete(elsewhere, &DeleteParams::default())
        .await
        .expect("deleted");
}

async fn whatever_an_operator_makes_is_released(cluster: &'static Cluster) {
    let (scene, elsewhere) = made(cluster, "release-estate").await;
    let gate: ConfigMap = scene.api().get("x-gate").await.unwrap();
    assert_eq!(gate.owner_references().len(), 1);
    assert!(
        children(&scene, &elsewhere)
            .await
            .iter()
            .all(|child| !ours(child).is_empty())
    );
    assert_eq!(release(&scene, before::app()).await, ExitCode::SUCCESS);
    assert_released(&scene, &elsewhere).await;

    // Nobody collects them.
    scene.delete::<Estate>("x").await;
    eventually_gone(&scene.api::<Estate>(), "x", PATIENCE).await;
    assert_eq!(children(&scene, &elsewhere).await.len(), 5);
    clean_up(&scene, &elsewhere).await;
}

async fn only_what_says_adopt_is_taken_back(cluster: &'static Cluster) {
    let (scene, elsewhere) = made(cluster, "release-adopt").await;
    let well = |object: &Estate| to_value(object).unwrap()["status"]["operatorkit"]["state"]["well"]["state"].clone();
    let before: Estate = scene.api().get("x").await.unwrap();
    assert_eq!(release(&scene, before::app()).await, ExitCode::SUCCESS);
    let running = scene.start(before::app());
    let marked = |map: &ConfigMap| map.annotations().contains_key("operatorkit.dev/mark");
    let _adopted = eventually(&scene.api(), "x-garden", "is adopted", PATIENCE, marked).await;
    let shown: Estate = scene.condition("x", "Ready", "False", "NameCollision").await;
    running.stop().await;
    let shown = to_value(shown).unwrap();
    let message = condition(&shown, "Ready")["message"].to_string();
    assert!(
        message.contains("x-house") && !message.contains("x-garden"),
        "{message}"
    );
    assert_eq!(line(&shown, "garden")["phase"], "Ready", "{shown}");
    for child in children(&scene, &elsewhere).await {
        assert_eq!(
            ours(&child).is_empty(),
            child["metadata"]["name"] != "x-garden",
            "{child}"
        );
    }
    let after: Estate = scene.api().get("x").await.unwrap();
    assert_ne!(well(&before), Value::Null);
    assert_eq!(well(&after), Value::Null, "it comes after the others");
    let events = scene.events("x").await;
    assert!(events.iter().any(|event| event["reason"] == "Adopted"), "{events:?}");
    clean_up(&scene, &elsewhere).await;
}

async fn what_stands_under_an_earlier_name_is_released_too(cluster: &'static Cluster) {
    let (scene, elsewhere) = made(cluster, "release-former").await;
    assert_eq!(release(&scene, after::app()).await, ExitCode::SUCCESS);
    assert_released(&scene, &elsewhere).await;
    clean_up(&scene, &elsewhere).await;
}

/// A well for each labelled ConfigMap.
#[operator(for = ConfigMap, name = "springs.release.test", selector = "release.test/spring=true", resources(Spring, Sign))]
pub(crate) struct Springs;

#[resource(order = 1)]
pub(crate) struct Spring;

impl External for Spring {
    type Operator = Springs;
    type State = String;
    async fn find(&self, _token: &Token, _cx: &DeleteCx<Self>) -> Result<Option<String>> {
        Ok(Some("spring".into()))
    }
    async fn observe(&self, _map: &ConfigMap, state: &String, _cx: &Cx<Self>) -> Result<Flow<Observed<String>>> {
        Ok(Observed::Matches(state.clone()).into())
    }
    async fn create(&self, _map: &ConfigMap, _token: &Token, _cx: &Cx<Self>) -> Result<Flow<String>> {
        Ok(String::from("spring").into())
    }
    async fn update(&self, _map: &ConfigMap, state: &String, _cx: &Cx<Self>) -> Result<Flow<String>> {
        Ok(state.clone().into())
    }
    async fn delete(&self, _state: &String, _cx: &DeleteCx<Self>) -> Result<Flow<()>> {
        Ok(().into())
    }
}

#[resource(order = 2)]
pub(crate) struct Sign;
config_maps!(Sign of Springs: "sign");

async fn an_existing_kind_is_given_back(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "release-existing").await;
    let app = || {
        App::new("springs").operator(|_env| async {
            Ok(SpringsResources {
                spring: Spring,
                sign: Sign,
            })
        })
    };
    let running = scene.start(app());
    let mut object = config_map("x", json!({ "theirs": "stays" })).unwrap();
    object.labels_mut().insert("release.test/spring".into(), "true".into());
    object
        .annotations_mut()
        .insert("a.example/theirs".into(), "stays".into());
    object.finalizers_mut().push("a.example/theirs".into());
    scene.create(&object).await;
    let made = |map: &ConfigMap| ours(map).iter().any(|it| it.contains("mark"));
    let _made = eventually(&scene.api(), "x-sign", "is made", PATIENCE, made).await;
    running.stop().await;
    // It has left the selector, and is the operator's all the same.
    let left: ConfigMap = scene.patch("x", json!({ "metadata": { "labels": null } })).await;
    let state = &left.annotations()["operatorkit.dev/state.springs.release.test"];
    assert!(state.contains("\"spring\""), "{state}");

    let start = scene.mark().await;
    assert_eq!(release(&scene, app()).await, ExitCode::SUCCESS);
    let writes = scene.requests(start).await.writes();
    let names: Vec<_> = writes.iter().map(|write| write.object.name.as_str()).collect();
    assert_eq!(
        names,
        ["x-sign", "x"],
        "a child is no object, though it is of the same kind"
    );
    for name in ["x", "x-sign"] {
        let map: ConfigMap = scene.api().get(name).await.unwrap();
        assert_eq!(ours(&map), [""; 0], "{map:?}");
    }
    let after: ConfigMap = scene.api().get("x").await.unwrap();
    assert_eq!(json!(after.annotations()), json!({ "a.example/theirs": "stays" }));
    assert_eq!(after.finalizers(), ["a.example/theirs"]);
    assert_eq!(after.data, object.data);
    let _open: ConfigMap = scene.patch("x", json!({ "metadata": { "finalizers": null } })).await;
}

/// Its inventory, too, can be lost: kinds that the code says are looked for all the same.
async fn without_an_inventory_the_code_says_where_to_look(cluster: &'static Cluster) {
    let (scene, elsewhere) = made(cluster, "release-no-inventory").await;
    let lost = json!({ "metadata": { "annotations": { "operatorkit.dev/inventory.estates.before": null } } });
    let _lost: Estate = scene.patch("x", lost).await;
    assert_eq!(release(&scene, before::app()).await, ExitCode::SUCCESS);
    let object: Estate = scene.api().get("x").await.unwrap();
    assert_eq!(ours(&object), [""; 0]);
    let all = children(&scene, &elsewhere).await;
    let (said, open) = all.split_at(3);
    assert!(said.iter().all(|child| ours(child).is_empty()), "{said:?}");
    assert!(
        open.iter().all(|child| !ours(child).is_empty()),
        "it is said in words: {open:?}"
    );
    clean_up(&scene, &elsewhere).await;
}

crate::servers::on_both! {
    whatever_an_operator_makes_is_released,
    only_what_says_adopt_is_taken_back,
    what_stands_under_an_earlier_name_is_released_too,
    an_existing_kind_is_given_back,
    without_an_inventory_the_code_says_where_to_look,
}
