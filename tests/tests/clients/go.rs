//! A manager of Go's controller-runtime as a client: its cache, owned objects, finalizer, status, events and leader election.
//!
//! Its source is in `tests/go-manager`; Go's own cache makes the second build fast.

use std::{env, path::PathBuf, process::Command};

use operatorkit::{
    anyhow::ensure,
    k8s_openapi::{
        api::{coordination::v1::Lease, core::v1::ConfigMap, events::v1::Event},
        apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
    },
    kube::{
        Api, ResourceExt as _,
        api::{DeleteParams, DynamicObject, ListParams, Patch, PatchParams, PostParams},
        core::{ApiResource, GroupVersionKind},
    },
    serde_json::{self, Value, json},
};
use operatorkit_testing::{EmbeddedServer, PATIENCE, apiserver::ApiServer, eventually, eventually_gone, wait_for};
use tokio::task::spawn_blocking;

/// The manager, built; `None`, after a line that says so, where there is no Go.
fn manager() -> Option<PathBuf> {
    let program = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("go-manager");
    let built = Command::new("go")
        .args(["build", "-trimpath", "-o"])
        .arg(&program)
        .arg(".")
        .env("GOWORK", "off")
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/go-manager"))
        .output();
    match built {
        Ok(built) => {
            let said = String::from_utf8_lossy(&built.stderr);
            assert!(built.status.success(), "go build: {said}");
            Some(program)
        }
        Err(error) => {
            let required = env::var_os("OPERATORKIT_REQUIRE_CONTROL_PLANE").is_some_and(|value| value == "1");
            assert!(!required, "there is no Go to build the manager: {error}");
            eprintln!("skipped: there is no Go to build the manager: {error}");
            None
        }
    }
}

#[tokio::test]
async fn a_manager_of_controller_runtime_does_its_job() {
    let Some(program) = spawn_blocking(manager).await.expect("it ends") else {
        return;
    };
    let server = EmbeddedServer::start(ApiServer::builder().rbac(true)).expect("a server");
    let client = server.client("driver");
    let crds = Api::all(client.clone());
    crds.create(&PostParams::default(), &crd()).await.expect("a CRD");
    let namespace = server.namespace("go").await;
    let kind = ApiResource::from_gvk(&GroupVersionKind::gvk("go.operatorkit.test", "v1", "Greeting"));
    let greetings = Api::<DynamicObject>::namespaced_with(client.clone(), &namespace, &kind);
    let maps = Api::<ConfigMap>::namespaced(client.clone(), &namespace);
    let leases = Api::<Lease>::namespaced(client.clone(), &namespace);
    let holder = |lease: &Lease| {
        let spec = lease.spec.clone().unwrap_or_default();
        spec.holder_identity.unwrap_or_default()
    };
    let mut command = server.command(&program, "operator");
    command.args(["--namespace", &namespace]);
    let mut running = server.spawn(&command).expect("it starts");

    let led = |lease: &Lease| !holder(lease).is_empty();
    let _lease = eventually(&leases, "go-manager", "has a leader", PATIENCE, led).await;
    let greeting = DynamicObject::new("x", &kind).data(json!({ "spec": { "text": "hello" } }));
    greetings
        .create(&PostParams::default(), &greeting)
        .await
        .expect("a Greeting");
    let ready = |greeting: &DynamicObject| greeting.data["status"]["conditions"][0]["status"] == "True";
    let made = eventually(&greetings, "x", "is ready", PATIENCE, ready).await;
    assert_eq!(made.finalizers(), ["go.operatorkit.test/config-map"]);
    let says = |text: &'static str| move |map: &ConfigMap| map.data.as_ref().is_some_and(|data| data["text"] == text);
    let map = eventually(&maps, "x", "says hello", PATIENCE, says("hello")).await;
    assert_eq!(map.owner_references()[0].uid, made.uid().expect("a uid"));
    wait_for("an Event says so", PATIENCE, async || {
        let events = Api::<Event>::namespaced(client.clone(), &namespace);
        let events = events.list(&ListParams::default()).await?.items;
        let about = |event: &Event| event.regarding.as_ref().and_then(|it| it.uid.clone()) == made.uid();
        ensure!(events.iter().any(about), "{events:?}");
        Ok(())
    })
    .await;

    let change = Patch::Merge(json!({ "spec": { "text": "good day" } }));
    greetings
        .patch("x", &PatchParams::default(), &change)
        .await
        .expect("a change");
    let map = eventually(&maps, "x", "says good day", PATIENCE, says("good day")).await;
    maps.delete("x", &DeleteParams::default()).await.expect("it is there");
    let another = |again: &ConfigMap| again.uid() != map.uid();
    let _again = eventually(&maps, "x", "is made again", PATIENCE, another).await;

    greetings
        .delete("x", &DeleteParams::default())
        .await
        .expect("it is there");
    eventually_gone(&greetings, "x", PATIENCE).await;
    eventually_gone(&maps, "x", PATIENCE).await;

    running.terminate();
    let status = running.wait(PATIENCE).await;
    assert_eq!(status.code(), Some(0), "{}", running.log());
    assert!(running.log().contains("the manager ended"), "{}", running.log());
    let lease = leases.get("go-manager").await.expect("it is there");
    assert_eq!(holder(&lease), "", "the lease is released");
}

fn crd() -> CustomResourceDefinition {
    let schema: Value = json!({
        "type": "object",
        "properties": {
            "spec": { "type": "object", "required": ["text"], "properties": { "text": { "type": "string" } } },
            "status": { "type": "object", "x-kubernetes-preserve-unknown-fields": true },
        },
    });
    let crd = json!({
        "metadata": { "name": "greetings.go.operatorkit.test" },
        "spec": {
            "group": "go.operatorkit.test",
            "scope": "Namespaced",
            "names": { "kind": "Greeting", "plural": "greetings", "singular": "greeting" },
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "subresources": { "status": {} },
                "schema": { "openAPIV3Schema": schema },
            }],
        },
    });
    serde_json::from_value(crd).expect("a CRD")
}
