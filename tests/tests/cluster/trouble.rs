//! Bad input and a cluster that refuses: a condition says what is wrong, the others go on, and it goes on by itself.

mod away;
mod refused;
mod rights;
mod secrets;
mod undecodable;

use operatorkit::{
    k8s_openapi::api::core::v1::ConfigMap,
    kube::core::DynamicObject,
    prelude::*,
    serde_json::{self, Value, json, to_value},
};
use operatorkit_testing::{PATIENCE, eventually};

use crate::scene::{Scene, condition, config_map, line};

/// One resource makes what the spec says, in JSON; one does not care, and one waits for both.
#[operator(
    group = "trouble.test",
    version = "v1",
    kind = "Troubled",
    namespaced,
    resources(Good, Given, Later)
)]
pub(crate) struct TroubledSpec {
    objects: Vec<String>,
}

#[resource(order = 1)]
pub(crate) struct Good;

impl Manifest for Good {
    type Operator = Troubled;
    type Object = ConfigMap;
    async fn desired(&self, _object: &Troubled, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(config_map(&cx.child_name("good"), json!({}))?.into())
    }
}

#[resource(order = 1)]
pub(crate) struct Given;

impl Manifest for Given {
    type Operator = Troubled;
    type Object = DynamicObject;
    async fn desired(&self, object: &Troubled, _cx: &Cx<Self>) -> Result<Desired<DynamicObject>> {
        let objects = object.spec.objects.iter().map(|text| serde_json::from_str(text));
        Ok(objects.collect::<Result<Vec<_>, _>>()?.into())
    }
}

#[resource(order = 2)]
pub(crate) struct Later;

impl Manifest for Later {
    type Operator = Troubled;
    type Object = ConfigMap;
    async fn desired(&self, _object: &Troubled, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(config_map(&cx.child_name("later"), json!({}))?.into())
    }
}

fn app() -> App {
    App::new("troubled").operator(|_env| async {
        Ok(TroubledResources {
            good: Good,
            given: Given,
            later: Later,
        })
    })
}

fn spec(objects: &[Value]) -> TroubledSpec {
    TroubledSpec {
        objects: objects.iter().map(Value::to_string).collect(),
    }
}

/// Waits until the object shows this trouble of the resource `given`, and checks that `good` was made and `later` was not.
/// Returns the condition's message.
async fn shown(scene: &Scene, name: &str, reason: &str) -> String {
    let _good = eventually(
        &scene.api::<ConfigMap>(),
        &format!("{name}-good"),
        "is made",
        PATIENCE,
        |_| true,
    )
    .await;
    let object: Troubled = scene.condition(name, "Ready", "False", reason).await;
    let object = to_value(object).expect("JSON");
    let given = line(&object, "given");
    assert_eq!(given["reason"], reason, "{object:#}");
    assert_eq!(line(&object, "good")["phase"], "Ready", "{object:#}");
    assert_eq!(line(&object, "later")["phase"], "Pending", "{object:#}");
    let later = scene
        .api::<ConfigMap>()
        .get_opt(&format!("{name}-later"))
        .await
        .expect("an answer");
    assert!(later.is_none(), "{later:?}");
    condition(&object, "Ready")["message"]
        .as_str()
        .expect("a message")
        .to_owned()
}

/// Corrects the spec, and waits until all is well.
async fn mended(scene: &Scene, name: &str) {
    let _mended: Troubled = scene.patch(name, json!({ "spec": { "objects": [] } })).await;
    well(scene, name).await;
}

async fn well(scene: &Scene, name: &str) {
    let _ready: Troubled = scene.ready(name).await;
    let later = scene
        .api::<ConfigMap>()
        .get_opt(&format!("{name}-later"))
        .await
        .expect("an answer");
    assert!(later.is_some(), "what waited goes on");
}
