//! One object that does not fit its type does not stop the others.

use operatorkit::{
    k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
    kube::{
        Api, CustomResourceExt as _, ResourceExt as _,
        api::{ApiResource, Patch, PatchParams, PostParams},
        core::{DynamicObject, GroupVersionKind},
    },
    prelude::*,
    serde_json::{from_value, json, to_value},
};
use operatorkit_testing::{PATIENCE, eventually};

use crate::{
    logs::Logs,
    scene::{Scene, condition, config_map},
};

/// The CRD in the cluster lets more through than this type takes, as that of another version of the operator may.
#[operator(
    group = "trouble.test",
    version = "v1",
    kind = "Loose",
    namespaced,
    resources(Counted)
)]
pub(crate) struct LooseSpec {
    count: i32,
}

#[resource]
pub(crate) struct Counted;

impl Manifest for Counted {
    type Operator = Loose;
    type Object = operatorkit::k8s_openapi::api::core::v1::ConfigMap;
    async fn desired(&self, object: &Loose, cx: &Cx<Self>) -> Result<Desired<Self::Object>> {
        Ok(config_map(cx.name(), json!({ "count": object.spec.count.to_string() }))?.into())
    }
}

#[tokio::test(start_paused = true)]
async fn an_object_that_does_not_decode_does_not_stop_the_others() {
    let scene = Scene::alone("loose").await;
    scene.install::<Loose>().await;
    let crds: Api<CustomResourceDefinition> = Api::all(scene.client.clone());
    let mut crd = to_value(Loose::crd()).expect("JSON");
    let schema = &mut crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
    *schema = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
    let params = PatchParams::apply("test").force();
    crds.patch(Loose::crd_name(), &params, &Patch::Apply(crd))
        .await
        .expect("a looser CRD");

    let kind = ApiResource::from_gvk_with_plural(&GroupVersionKind::gvk("trouble.test", "v1", "Loose"), "looses");
    let objects: Api<DynamicObject> = Api::namespaced_with(scene.client.clone(), &scene.namespace, &kind);
    let make = async |name: &str, count| {
        let object = json!({
            "apiVersion": "trouble.test/v1", "kind": "Loose", "metadata": { "name": name }, "spec": { "count": count },
        });
        let object: DynamicObject = from_value(object).expect("an object");
        // The API server takes a moment to use the looser schema.
        operatorkit_testing::wait_for("the object is accepted", PATIENCE, async || {
            Ok(objects.create(&PostParams::default(), &object).await?)
        })
        .await;
    };
    make("before", json!(1)).await;
    make("many", json!("many")).await;
    let logs = Logs::capture();
    let running = scene.start(App::new("loose").operator(|_env| async { Ok(LooseResources { counted: Counted }) }));
    make("after", json!(2)).await;
    for name in ["before", "after"] {
        let _ready: Loose = scene.ready(name).await;
    }
    let start = scene.mark().await;
    let shown = eventually(&objects, "many", "says why", PATIENCE, |object| {
        condition(&to_value(object).expect("JSON"), "Ready")["reason"] == "Undecodable"
    })
    .await;
    let message = condition(&to_value(&shown).expect("JSON"), "Ready")["message"].to_string();
    assert!(
        message.contains("expected i32") && shown.finalizers().is_empty(),
        "{message}"
    );

    // With some resyncs: it is said, and not again and again.
    tokio::time::sleep(std::time::Duration::from_mins(12)).await;
    let text = logs.text();
    let said = text
        .lines()
        .filter(|line| line.contains("many") && !line.contains("TRACE") && !line.contains("DEBUG"));
    let said: Vec<_> = said.collect();
    assert!((1..5).contains(&said.len()), "{said:#?}");

    // An object after it is handled, and what was said is not said again.
    make("later", json!(3)).await;
    let _ready: Loose = scene.ready("later").await;
    let writes = scene
        .requests(start)
        .await
        .writes()
        .filter(|request| request.object.name == "many");
    assert!(writes.len() <= 1, "{writes}");

    let corrected = Patch::Merge(json!({ "spec": { "count": 4 } }));
    objects
        .patch("many", &PatchParams::default(), &corrected)
        .await
        .expect("patched");
    let _ready: Loose = scene.ready("many").await;
    running.stop().await;
}
