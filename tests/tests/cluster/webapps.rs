//! The example `webapp`, as a program beside the test.

use std::path::PathBuf;

use operatorkit::{
    kube::{
        Api,
        api::{ApiResource, DeleteParams, Patch, PatchParams, PostParams},
        core::{DynamicObject, GroupVersionKind},
    },
    serde_json::{self, Value, from_value, json, to_value},
};
use operatorkit_testing::{Cluster, PATIENCE, Process, eventually, example_binary};

use crate::{
    scene::{Scene, condition},
    servers::embedded,
};

/// A namespace in which `WebApp`s are served.
pub(crate) struct WebApps {
    pub(crate) scene: Scene,
    pub(crate) api: Api<DynamicObject>,
    binary: PathBuf,
}

impl WebApps {
    /// On the embedded server.
    pub(crate) async fn new(name: &'static str) -> Self {
        Self::on(embedded(), name).await
    }

    /// Installs the CRD.
    pub(crate) async fn on(cluster: &'static Cluster, name: &'static str) -> Self {
        let scene = Scene::on(cluster, name).await;
        let binary = example_binary("webapp").expect("the example");
        scene.install_printed(&binary).await;
        let api = webapps(&scene, &scene.namespace);
        Self { scene, api, binary }
    }

    /// `webapp run` with these arguments more, as the scene's user, in the scene's namespace.
    pub(crate) fn run(&self, args: &[&str]) -> Process {
        // Many run at the same time.
        let off = ["--metrics-address=0", "--health-address=0"];
        self.run_serving(&[&off, args].concat())
    }

    /// The same with the ports that the arguments say.
    pub(crate) fn run_serving(&self, args: &[&str]) -> Process {
        let mut command = self.scene.cluster.command(&self.binary, &self.scene.user);
        command
            .arg("run")
            .args(["--namespace", &self.scene.namespace])
            .args(args);
        self.scene.cluster.spawn(&command).expect("it starts")
    }

    /// A kubeconfig of the scene's user for this port, whoever listens there.
    pub(crate) fn kubeconfig_for(&self, port: u16) -> String {
        let scene = &self.scene;
        let kubeconfig = std::fs::read_to_string(scene.cluster.kubeconfig(&scene.user)).expect("a kubeconfig");
        let mut kubeconfig: Value = serde_json::from_str(&kubeconfig).expect("JSON");
        kubeconfig["clusters"][0]["cluster"]["server"] = format!("https://127.0.0.1:{port}").into();
        let path = scene.cluster.folder().join(format!("{}-{port}.kubeconfig", scene.user));
        std::fs::write(&path, kubeconfig.to_string()).expect("written");
        path.to_str().expect("UTF-8").to_owned()
    }

    pub(crate) async fn create(&self, name: &str) {
        create(&self.api, name).await;
    }

    pub(crate) async fn ready(&self, name: &str) -> Value {
        ready(&self.api, name).await
    }

    pub(crate) async fn delete(&self, name: &str) {
        self.api.delete(name, &DeleteParams::default()).await.expect("deleted");
    }

    pub(crate) async fn patch(&self, name: &str, patch: Value) {
        self.api
            .patch(name, &PatchParams::default(), &Patch::Merge(patch))
            .await
            .expect("patched");
    }
}

/// The `WebApp`s of a namespace.
pub(crate) fn webapps(scene: &Scene, namespace: &str) -> Api<DynamicObject> {
    let kind = ApiResource::from_gvk(&GroupVersionKind::gvk("demo.operatorkit.dev", "v1", "WebApp"));
    Api::namespaced_with(scene.client.clone(), namespace, &kind)
}

/// What a user writes.
pub(crate) fn webapp(name: &str) -> Value {
    json!({
        "apiVersion": "demo.operatorkit.dev/v1", "kind": "WebApp", "metadata": { "name": name },
        "spec": { "image": "web:1", "replicas": 0, "message": "hello" },
    })
}

pub(crate) async fn create(api: &Api<DynamicObject>, name: &str) {
    let object: DynamicObject = from_value(webapp(name)).expect("an object");
    api.create(&PostParams::default(), &object).await.expect("created");
}

pub(crate) async fn ready(api: &Api<DynamicObject>, name: &str) -> Value {
    let object = eventually(api, name, "is ready", PATIENCE, |object| {
        let object = to_value(object).expect("JSON");
        let ready = condition(&object, "Ready");
        ready["status"] == "True" && ready["observedGeneration"] == object["metadata"]["generation"]
    })
    .await;
    to_value(object).expect("JSON")
}
