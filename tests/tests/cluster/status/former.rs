//! A stored user status that no longer decodes.

use operatorkit::{
    k8s_openapi::api::core::v1::ConfigMap,
    kube::api::{Patch, PatchParams},
    prelude::*,
    serde_json::{Value, json, to_value},
};
use operatorkit_testing::{PATIENCE, eventually, eventually_gone};

use crate::scene::{Scene, config_map};

/// A kind whose status has a number in it, and needs it.
#[operator(group = "status.test", version = "v1", kind = "Meter", namespaced, status = MeterStatus, resources(Scale))]
pub(crate) struct MeterSpec {
    level: u32,
}

#[data]
#[derive(Default)]
pub(crate) struct MeterStatus {
    value: u32,
}

#[resource]
pub(crate) struct Scale;

impl Manifest for Scale {
    type Operator = Meter;
    type Object = ConfigMap;
    async fn desired(&self, meter: &Meter, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        cx.status(|status| status.value = meter.spec.level);
        Ok(config_map(cx.name(), json!({ "level": meter.spec.level.to_string() }))?.into())
    }
}

/// The kind as it was: its status had a word there.
async fn install_former(scene: &Scene) {
    use operatorkit::{
        k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
        kube::{Api, CustomResourceExt as _},
    };
    let crds: Api<CustomResourceDefinition> = Api::all(scene.client.clone());
    let mut crd = to_value(Meter::crd()).expect("JSON");
    let status = &mut crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["status"]["properties"];
    status["value"] = json!({ "type": "string" });
    let params = PatchParams::apply("test").force();
    crds.patch(Meter::crd_name(), &params, &Patch::Apply(&crd))
        .await
        .expect("the CRD is accepted");
}

#[tokio::test(start_paused = true)]
async fn it_does_not_stop_the_kind_or_the_object() {
    let scene = Scene::alone("status-former").await;
    scene.install::<Meter>().await;
    install_former(&scene).await;
    let meters = scene.api::<Meter>();
    scene.create(&Meter::new("x", MeterSpec { level: 1 })).await;
    // The API server may still validate by what it knew a moment ago.
    let former = Patch::Merge(json!({ "status": { "value": "a word" } }));
    operatorkit_testing::wait_for("the former status is stored", PATIENCE, async || {
        Ok(meters.patch_status("x", &PatchParams::default(), &former).await?)
    })
    .await;
    scene.install::<Meter>().await;
    operatorkit_testing::wait_for("the new form is taken", PATIENCE, async || {
        let new = Patch::Merge(json!({ "status": { "value": 1 } }));
        let trial = PatchParams {
            dry_run: true,
            ..PatchParams::default()
        };
        Ok(meters.patch_status("x", &trial, &new).await.map(drop)?)
    })
    .await;

    let running = scene.start(App::new("meters").operator(|_env| async { Ok(MeterResources { scale: Scale }) }));
    scene.create(&Meter::new("y", MeterSpec { level: 2 })).await;
    let _ready: Meter = scene.ready("y").await;
    let ready = scene.ready::<Meter>("x").await;
    eventually(
        &meters,
        "x",
        "has a status of the new form",
        PATIENCE,
        |object: &Meter| to_value(object).expect("JSON")["status"]["value"] == 1,
    )
    .await;
    assert_ne!(to_value(ready).expect("JSON")["status"]["conditions"], Value::Null);
    scene.delete::<Meter>("x").await;
    eventually_gone(&meters, "x", PATIENCE).await;
    running.stop().await;
}
