//! An object that no longer fits its type is still deleted, with its children, in order.

use operatorkit::{
    k8s_openapi::{
        api::core::v1::ConfigMap, apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
    },
    kube::{
        Api, CustomResourceExt as _,
        api::{ApiResource, DeleteParams, DynamicObject, Patch, PatchParams},
    },
    prelude::*,
    serde_json::{json, to_value},
};
use operatorkit_testing::{Cluster, PATIENCE, eventually, eventually_gone, wait_for};

use crate::scene::{Scene, condition, config_map};

#[operator(
    group = "deletion.test",
    version = "v1",
    kind = "Loose",
    namespaced,
    resources(First, Second)
)]
pub(crate) struct LooseSpec {
    count: u32,
}

#[resource(order = 1)]
pub(crate) struct First;

impl Manifest for First {
    type Operator = Loose;
    type Object = ConfigMap;
    async fn desired(&self, loose: &Loose, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        let data = json!({ "count": loose.spec.count.to_string() });
        Ok(config_map(&cx.child_name("first"), data)?.into())
    }
}

#[resource(order = 2)]
pub(crate) struct Second;

impl Manifest for Second {
    type Operator = Loose;
    type Object = ConfigMap;
    async fn desired(&self, _loose: &Loose, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(config_map(&cx.child_name("second"), json!({}))?.into())
    }
}

fn app() -> App {
    App::new("loose").operator(|_env| async {
        Ok(LooseResources {
            first: First,
            second: Second,
        })
    })
}

/// Lets the API server accept anything as a spec.
async fn loosen(scene: &Scene, objects: &Api<DynamicObject>) {
    let crds: Api<CustomResourceDefinition> = Api::all(scene.client.clone());
    let any = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
    let path = "/spec/versions/0/schema/openAPIV3Schema/properties/spec";
    let replace = json!([{ "op": "replace", "path": path, "value": any }]);
    let patch: Patch<()> = Patch::Json(operatorkit::serde_json::from_value(replace).expect("JSON"));
    crds.patch(Loose::crd_name(), &PatchParams::default(), &patch)
        .await
        .expect("accepted");
    // The new schema is used a moment later.
    let odd = Patch::Merge(json!({ "spec": { "count": "many" } }));
    wait_for("the spec is spoilt", PATIENCE, async || {
        Ok(objects.patch("x", &PatchParams::default(), &odd).await?)
    })
    .await;
}

async fn an_object_that_does_not_decode_is_deleted_in_order(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "undecodable").await;
    scene.install::<Loose>().await;
    let running = scene.start(app());
    scene.create(&Loose::new("x", LooseSpec { count: 1 })).await;
    let _ready: Loose = scene.ready("x").await;

    let kind = ApiResource::erase::<Loose>(&());
    let objects: Api<DynamicObject> = Api::namespaced_with(scene.client.clone(), &scene.namespace, &kind);
    loosen(&scene, &objects).await;
    let shown = eventually(&objects, "x", "is said not to decode", PATIENCE, |object| {
        condition(&to_value(object).unwrap(), "Ready")["reason"] == "Undecodable"
    })
    .await;
    let shown = to_value(&shown).unwrap();
    assert_eq!(condition(&shown, "Ready")["status"], "False");
    // Also for a process that never saw it whole.
    running.stop().await;
    let running = scene.start(app());

    let start = scene.mark().await;
    objects.delete("x", &DeleteParams::default()).await.unwrap();
    eventually_gone(&objects, "x", PATIENCE).await;
    assert_eq!(
        scene.deletions(start).await,
        ["configmaps/x-second", "configmaps/x-first"]
    );
    running.stop().await;
}

crate::servers::on_both! {
    an_object_that_does_not_decode_is_deleted_in_order,
}
