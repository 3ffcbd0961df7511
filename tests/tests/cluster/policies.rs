//! Policies of a resource: how far it goes in making its children.

mod adopt;
mod initial;
mod owner_reference;
mod propagation;
mod ready_within;
mod recreate;
mod recreate_kept;

use operatorkit::{
    anyhow::ensure,
    k8s_openapi::api::core::v1::ConfigMap,
    serde_json::{Value, json, to_value},
};
use operatorkit_testing::{PATIENCE, wait_for};

use crate::scene::{Object, Scene, condition};

/// A version of the operator of `Parcel`, whose one resource has these policies and makes the objects in the spec, which are ready as soon
/// as they exist.
macro_rules! version {
    ($module:ident: $($policies:tt)*) => {
        mod $module {
            use operatorkit::{kube::core::DynamicObject, prelude::*, serde_json::{Value, from_str, json}};

            #[operator(group = "policies.test", version = "v1", kind = "Parcel", namespaced, resources(Content))]
            pub(crate) struct ParcelSpec {
                /// A list of objects in JSON.
                content: String,
            }

            #[resource($($policies)*)]
            pub(crate) struct Content;

            impl Manifest for Content {
                type Operator = Parcel;
                type Object = DynamicObject;

                async fn desired(&self, object: &Parcel, _cx: &Cx<Self>) -> Result<Desired<DynamicObject>> {
                    Ok(from_str::<Vec<DynamicObject>>(&object.spec.content)?.into())
                }

                fn readiness(&self, _child: &DynamicObject) -> Option<Readiness> {
                    Some(Readiness::Ready)
                }
            }

            pub(crate) fn app() -> App {
                App::new("parcels").operator(|_env| async { Ok(ParcelResources { content: Content }) })
            }

            #[allow(dead_code, reason = "later versions operate what the first made")]
            pub(crate) fn parcel(name: &str, content: &[Value]) -> Parcel {
                Parcel::new(name, ParcelSpec { content: json!(content).to_string() })
            }
        }
    };
}
use version;

version!(plain: order = 1);
use plain::Parcel;

/// Says what an object is to contain.
async fn fill(scene: &Scene, name: &str, content: &[Value]) {
    let spec = json!({ "spec": { "content": json!(content).to_string() } });
    let _changed: Parcel = scene.patch(name, spec).await;
}

fn config_map(name: &str, data: Value) -> Value {
    let mut map = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name } });
    map["data"] = data;
    map
}

/// A Deployment without Pods unless it is said how many.
fn deployment(name: &str, app: &str, image: &str, replicas: Option<u32>) -> Value {
    let labels = json!({ "app": app });
    let template = json!({
        "metadata": { "labels": labels },
        "spec": { "containers": [{ "name": "web", "image": image }] },
    });
    let mut spec = json!({ "selector": { "matchLabels": labels }, "template": template });
    if let Some(replicas) = replicas {
        spec["replicas"] = json!(replicas);
    }
    json!({ "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": name }, "spec": spec })
}

async fn assert_event(scene: &Scene, object: &str, type_: &str, reason: &str, part: &str) {
    let what = format!("an Event {reason} about {object}");
    wait_for(&what, PATIENCE, async || {
        let events = scene.events(object).await;
        let is = |event: &Value| {
            event["type"] == type_
                && event["reason"] == reason
                && event["note"].as_str().is_some_and(|it| it.contains(part))
        };
        ensure!(events.iter().any(is), "{}", json!(events));
        Ok(())
    })
    .await;
}

/// What `Ready` says of an object, once it has this reason.
async fn refused(scene: &Scene, name: &str, reason: &str) -> String {
    let shown: Parcel = scene.condition(name, "Ready", "False", reason).await;
    let shown = to_value(&shown).expect("JSON");
    condition(&shown, "Ready")["message"]
        .as_str()
        .expect("a text")
        .to_owned()
}

async fn get<K: Object>(scene: &Scene, name: &str) -> K {
    scene.api::<K>().get(name).await.expect("it is there")
}

/// A ConfigMap as it would be sent.
fn typed(map: &Value) -> ConfigMap {
    operatorkit::serde_json::from_value(map.clone()).expect("a ConfigMap")
}
