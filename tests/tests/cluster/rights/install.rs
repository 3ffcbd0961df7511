//! What installs an operator: `manifests`, accepted as it is, and `crd --install`.

use std::process::Output;

use operatorkit::{
    k8s_openapi::{
        api::{apps::v1::Deployment, core::v1::Pod},
        apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
    },
    kube::{
        Api, Error,
        api::{Patch, PatchParams, PostParams},
    },
    serde_json::{Value, from_value, json, to_value},
};
use operatorkit_testing::{Cluster, EmbeddedServer, apiserver::ApiServer, audit::Requests, example_binary};

use super::{apply, grant, printed_by};
use crate::{scene::Scene, servers::on_both};

const WEBAPPS: &str = "webapps.demo.operatorkit.dev";

/// Everything is accepted, in the printed order, and the Deployment's Pods keep to the standard that the namespace asks for.
async fn what_manifests_prints_is_accepted(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "manifests").await;
    let home = format!("{}-home", scene.namespace);
    let args = [
        "--image=web:1",
        "--replicas=2",
        "--namespace",
        &scene.namespace,
        "--install-namespace",
        &home,
    ];
    let documents = printed_by("webapp", "manifests", &args);
    assert_eq!(documents, printed_by("webapp", "manifests", &args), "always the same");
    for document in &documents {
        apply(&scene, document).await;
    }
    let deployments: Api<Deployment> = Api::namespaced(scene.client.clone(), &home);
    let deployment = to_value(deployments.get("webapp-operator").await.expect("it is there")).expect("JSON");
    let template = &deployment["spec"]["template"];
    let args = [
        "run".to_owned(),
        format!("--namespace={}", scene.namespace),
        "--leader-elect".into(),
    ];
    assert_eq!(template["spec"]["containers"][0]["args"], json!(args));

    // The real server asks of a Pod what it only advises of a Deployment.
    let pods: Api<Pod> = Api::namespaced(scene.client.clone(), &home);
    let dry_run = PostParams {
        dry_run: true,
        ..PostParams::default()
    };
    let pod = |spec: &Value| from_value::<Pod>(json!({ "metadata": { "name": "p" }, "spec": spec })).expect("a Pod");
    let mut spec = template["spec"].clone();
    pods.create(&dry_run, &pod(&spec))
        .await
        .expect("as restricted as the namespace asks");
    if cluster.faults().is_none() {
        spec["securityContext"] = json!({});
        let refused = pods
            .create(&dry_run, &pod(&spec))
            .await
            .expect_err("the namespace asks for it");
        assert!(refused.to_string().contains("restricted"), "{refused}");
    }
    scene.delete_namespace(&home).await;
}

/// What somebody does who has only these rights on CRDs.
struct Installer {
    scene: Scene,
}

impl Installer {
    async fn new(cluster: &'static Cluster, verbs: &[&str]) -> Self {
        let mut scene = Scene::on(cluster, "install").await;
        scene.user = cluster.new_stranger();
        let group = "apiextensions.k8s.io";
        let rule = json!({ "apiGroups": [group], "resources": ["customresourcedefinitions"], "verbs": verbs });
        let name = &scene.user;
        let documents = json!([
            {
                "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": { "name": name }, "rules": [rule],
            },
            {
                "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": { "name": name },
                "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name }, "subjects": [],
            },
        ]);
        grant(&scene, documents.as_array().expect("a list").clone(), None).await;
        Self { scene }
    }

    /// `webapp crd --install`, with these arguments more.
    async fn install(&self, args: &[&str]) -> Output {
        let mut command = self
            .scene
            .cluster
            .command(example_binary("webapp").expect("the example"), &self.scene.user);
        command.args(["crd", "--install"]).args(args);
        let ran = tokio::task::spawn_blocking(move || command.output())
            .await
            .expect("it ran");
        ran.expect("it starts")
    }

    async fn definition(&self) -> Value {
        let crds: Api<CustomResourceDefinition> = Api::all(self.scene.client.clone());
        to_value(crds.get(WEBAPPS).await.expect("it is there")).expect("JSON")
    }

    /// Somebody else changes the definition.
    async fn somebody_else(&self, subresource: Option<&str>, patch: Value) {
        let crds: Api<CustomResourceDefinition> = Api::all(self.scene.client.clone());
        let (params, patch) = (
            PatchParams {
                field_manager: Some("somebody".into()),
                ..PatchParams::default()
            },
            Patch::Merge(patch),
        );
        let changed: Result<CustomResourceDefinition, Error> = match subresource {
            Some(_) => crds.patch_status(WEBAPPS, &params, &patch).await,
            None => crds.patch(WEBAPPS, &params, &patch).await,
        };
        changed.expect("changed");
    }
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// Those that store something.
fn stored(requests: Requests) -> Requests {
    requests.writes().filter(|request| !request.uri.contains("dryRun=All"))
}

/// The definition is everybody's on a server that is shared.
fn own_server() -> &'static Cluster {
    Box::leak(Box::new(
        EmbeddedServer::start(ApiServer::builder().rbac(true)).expect("it starts"),
    ))
}

#[tokio::test]
async fn installing_twice_writes_once() {
    let cluster = own_server();
    let installer = Installer::new(cluster, &["get", "create", "patch"]).await;
    let first = installer.install(&[]).await;
    assert!(first.status.success(), "{first:?}");
    assert!(text(&first.stdout).contains(&format!("{WEBAPPS} created")), "{first:?}");
    let served = installer.definition().await;
    assert!(
        served["status"]["conditions"].to_string().contains("Established"),
        "it was waited for: {served}"
    );

    let since = installer.scene.mark().await;
    let second = installer.install(&[]).await;
    assert!(
        text(&second.stdout).contains(&format!("{WEBAPPS} unchanged")),
        "{second:?}"
    );
    let requests = stored(installer.scene.requests(since).await);
    assert!(requests.is_empty(), "{requests}");
    assert_eq!(
        installer.definition().await["metadata"]["resourceVersion"],
        served["metadata"]["resourceVersion"]
    );
}

#[tokio::test]
async fn what_others_have_set_is_taken_over_only_when_told() {
    let installer = Installer::new(own_server(), &["get", "create", "patch"]).await;
    assert!(installer.install(&[]).await.status.success());
    let names = json!({ "spec": { "names": { "shortNames": ["wa"], "categories": ["all"], "singular": "app" } } });
    installer.somebody_else(None, names).await;
    let refused = installer.install(&[]).await;
    let said = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        said.contains("somebody") && said.contains("--force-conflicts"),
        "{said}"
    );
    let forced = installer.install(&["--force-conflicts"]).await;
    assert!(
        text(&forced.stdout).contains(&format!("{WEBAPPS} configured")),
        "{forced:?}"
    );
    assert_eq!(installer.definition().await["spec"]["names"]["singular"], "webapp");
}

#[tokio::test]
async fn a_version_that_objects_may_be_stored_in_is_never_dropped() {
    let installer = Installer::new(own_server(), &["get", "create", "patch"]).await;
    assert!(installer.install(&[]).await.status.success());
    let mut versions = installer.definition().await["spec"]["versions"].clone();
    let mut old = versions[0].clone();
    old["name"] = json!("v1beta1");
    old["storage"] = json!(false);
    versions.as_array_mut().expect("a list").push(old);
    installer
        .somebody_else(None, json!({ "spec": { "versions": versions } }))
        .await;
    installer
        .somebody_else(
            Some("status"),
            json!({ "status": { "storedVersions": ["v1", "v1beta1"] } }),
        )
        .await;
    let before = installer.definition().await;
    let refused = installer.install(&["--force-conflicts"]).await;
    let said = text(&refused.stderr);
    assert!(
        !refused.status.success() && said.contains("`v1beta1`") && said.contains("storedVersions"),
        "{said}"
    );
    assert_eq!(installer.definition().await, before, "nothing was changed");

    installer
        .somebody_else(Some("status"), json!({ "status": { "storedVersions": ["v1"] } }))
        .await;
    let done = installer.install(&["--force-conflicts"]).await;
    assert!(done.status.success(), "{done:?}");
    assert!(
        text(&done.stderr).contains("`v1beta1` is not served any more"),
        "{done:?}"
    );
}

/// Without the rights it says which one is missing.
async fn a_right_that_is_missing_is_named(cluster: &'static Cluster) {
    let installer = Installer::new(cluster, &[]).await;
    let refused = installer.install(&[]).await;
    let said = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        said.contains(WEBAPPS) && said.contains("grant `get`") && said.lines().count() == 1,
        "{said}"
    );
}

on_both!(what_manifests_prints_is_accepted, a_right_that_is_missing_is_named);
