//! What proves that a child is ready.

use std::time::Duration;

use operatorkit::{
    k8s_openapi::api::apps::v1::Deployment,
    kube::api::{Patch, PatchParams},
    prelude::*,
    serde_json::{Value, from_value, json, to_value},
};
use operatorkit_testing::{
    EmbeddedServer, PATIENCE,
    apiserver::{
        ApiServer,
        fault::{Effect, Fault, Interference, Matching},
    },
    eventually, wait_for,
};

use super::add;
use crate::scene::{Scene, condition};

/// A Deployment that counts when it is ready.
#[operator(
    group = "ready.failures.test",
    version = "v1",
    kind = "Served",
    namespaced,
    resources(Server)
)]
pub(crate) struct ServedSpec {
    image: String,
}

#[resource]
pub(crate) struct Server;

impl Manifest for Server {
    type Operator = Served;
    type Object = Deployment;
    async fn desired(&self, served: &Served, cx: &Cx<Self>) -> Result<Desired<Deployment>> {
        let labels = json!({ "app": cx.name() });
        let template = json!({
            "metadata": { "labels": labels },
            "spec": { "containers": [{ "name": "web", "image": served.spec.image }] },
        });
        let spec = json!({ "replicas": 1, "selector": { "matchLabels": labels }, "template": template });
        Ok(from_value::<Deployment>(json!({ "metadata": { "name": cx.name() }, "spec": spec }))?.into())
    }
}

/// What the Deployment controller says of the Deployment as it is now.
async fn rolled_out(scene: &Scene) {
    let generation = scene
        .api::<Deployment>()
        .get("x")
        .await
        .expect("it is there")
        .metadata
        .generation;
    let status = json!({
        "observedGeneration": generation, "replicas": 1, "updatedReplicas": 1, "readyReplicas": 1, "availableReplicas": 1,
        "conditions": [
            { "type": "Available", "status": "True", "reason": "MinimumReplicasAvailable", "message": "" },
            { "type": "Progressing", "status": "True", "reason": "NewReplicaSetAvailable", "message": "" },
        ],
    });
    let patch = Patch::Merge(json!({ "status": status }));
    let api = scene.api::<Deployment>();
    api.patch_status("x", &PatchParams::default(), &patch)
        .await
        .expect("a status");
}

/// Section 7.12 of the notes. A spec goes A, B, A while the watch of the Deployments stands still: the Deployment of before proves nothing.
#[tokio::test(start_paused = true)]
async fn a_spec_that_comes_back_is_not_ready_by_the_old_deployment() {
    let server = EmbeddedServer::start_here(ApiServer::builder().rbac(true)).expect("it starts");
    let scene = Scene::on(Box::leak(Box::new(server)), "s7-12").await;
    scene.install::<Served>().await;
    // Two events come, the creation and its status, and no more.
    let watches = Matching::verbs(["watch"])
        .resource("deployments.apps")
        .user(&scene.user);
    add(
        &scene,
        Fault::new(watches, Effect::Watch(Interference::SilentAfter(2))).once(),
    );
    let app = App::new("served").operator(|_env| async { Ok(ServedResources { server: Server }) });
    let running = scene.start(app);
    scene.create(&Served::new("x", ServedSpec { image: "a".into() })).await;
    let _made = eventually(&scene.api::<Deployment>(), "x", "is there", PATIENCE, |_| true).await;
    rolled_out(&scene).await;
    let _ready: Served = scene.ready("x").await;

    for (image, generation) in [("b", 2), ("a", 3)] {
        let _changed: Served = scene.patch("x", json!({ "spec": { "image": image } })).await;
        let _written = eventually(&scene.api::<Deployment>(), "x", "is changed", PATIENCE, |it| {
            it.metadata.generation == Some(generation)
        })
        .await;
    }
    wait_for("the pass over the third generation is over", PATIENCE, async || {
        let served: Served = scene.api().get("x").await?;
        let served = to_value(served)?;
        operatorkit::anyhow::ensure!(condition(&served, "Ready")["observedGeneration"] == 3, "{served}");
        Ok(())
    })
    .await;
    tokio::time::sleep(Duration::from_mins(20)).await;
    let ready = |served: &Served| condition(&to_value(served).expect("JSON"), "Ready");
    let served: Served = scene.api().get("x").await.expect("it is there");
    assert_eq!(
        ready(&served)["status"],
        Value::from("False"),
        "nobody has rolled it out"
    );
    rolled_out(&scene).await;
    let _ready: Served = scene.ready("x").await;
    running.stop().await;
}
