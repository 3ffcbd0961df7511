//! The example `webapp`, as a program beside the test.

use std::{path::PathBuf, process::Stdio};

use operatorkit::{
    kube::{
        Api,
        api::{ApiResource, DeleteParams, Patch, PatchParams, PostParams},
        core::{DynamicObject, GroupVersionKind},
    },
    serde_json::{Value, from_value, json, to_value},
};
use operatorkit_testing::{PATIENCE, Process, eventually, example_binary};

use crate::scene::{Scene, condition};

/// A namespace in which `WebApp`s are served.
pub(crate) struct WebApps {
    pub(crate) scene: Scene,
    pub(crate) api: Api<DynamicObject>,
    binary: PathBuf,
}

impl WebApps {
    /// Installs the CRD: `webapp crd | kubectl apply -f -`.
    pub(crate) async fn new(name: &'static str) -> Option<Self> {
        let scene = Scene::new(name).await?;
        let binary = example_binary("webapp").expect("the example");
        let crd = std::process::Command::new(&binary)
            .arg("crd")
            .output()
            .expect("it runs");
        assert!(crd.status.success() && crd.stderr.is_empty(), "{crd:?}");
        // On the server's side, since several tests may be the first one.
        let apply = ["apply", "--server-side", "--force-conflicts", "-f", "-"];
        let said = kubectl(&scene, &apply, &crd.stdout);
        assert!(said.contains("webapps.demo.operatorkit.dev"), "{said}");
        let waited = [
            "wait",
            "--for=condition=Established",
            "--timeout=60s",
            "crd/webapps.demo.operatorkit.dev",
        ];
        let _said = kubectl(&scene, &waited, b"");
        let api = webapps(&scene, &scene.namespace);
        Some(Self { scene, api, binary })
    }

    /// `webapp run` with these arguments more, as the scene's user, in the scene's namespace.
    pub(crate) fn run(&self, args: &[&str]) -> Process {
        let mut command = self.scene.cluster.command(&self.binary, &self.scene.user);
        command
            .arg("run")
            .args(["--namespace", &self.scene.namespace])
            .args(args);
        self.scene.cluster.spawn(&command).expect("it starts")
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

/// What kubectl says, with this for its stdin.
pub(crate) fn kubectl(scene: &Scene, args: &[&str], stdin: &[u8]) -> String {
    use std::io::Write as _;
    let mut command = scene.cluster.kubectl();
    command
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("kubectl starts");
    child.stdin.take().expect("a pipe").write_all(stdin).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "kubectl {args:?}: {output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
