//! What `rbac` prints is enough for an operator's whole life, and nothing of it is too much.

mod install;
mod life;
mod release;

use std::collections::BTreeSet;

use futures::{StreamExt as _, future::join_all, stream};
use operatorkit::{
    anyhow::ensure,
    kube::{
        Api,
        api::{Patch, PatchParams, PostParams},
        core::{DynamicObject, GroupVersionKind},
        discovery::ApiResource,
    },
    serde_json::{Value, from_value, json},
};
use operatorkit_testing::{Cluster, EmbeddedServer, PATIENCE, apiserver::ApiServer, example_binary, wait_for};

use crate::{scene::Scene, servers::on_both};
use life::{Case, Life, Lived};

/// A verb on a resource of a group.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Right {
    group: String,
    resource: String,
    verb: String,
}

/// The documents that `<example> rbac` prints.
fn printed(case: &Case, args: &[&str]) -> Vec<Value> {
    printed_by(case.example, "rbac", args)
}

/// The documents that a command of an example prints.
fn printed_by(example: &str, command: &str, args: &[&str]) -> Vec<Value> {
    let binary = example_binary(example).expect("the example");
    let said = std::process::Command::new(binary).arg(command).args(args).output();
    let said = said.expect("it runs");
    assert!(said.status.success() && said.stderr.is_empty(), "{said:?}");
    serde_saphyr::from_multiple(std::str::from_utf8(&said.stdout).expect("UTF-8")).expect("YAML")
}

/// Applies an object as an admin does.
async fn apply(scene: &Scene, object: &Value) {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let (group, version) = object["apiVersion"]
        .as_str()
        .expect("a text")
        .split_once('/')
        .unwrap_or(("", "v1"));
    let kind = ApiResource::from_gvk(&GroupVersionKind::gvk(group, version, &text(&object["kind"])));
    let api: Api<DynamicObject> = match object["metadata"]["namespace"].as_str() {
        Some(namespace) => Api::namespaced_with(scene.client.clone(), namespace, &kind),
        None => Api::all_with(scene.client.clone(), &kind),
    };
    let params = PatchParams::apply("test").force();
    api.patch(&text(&object["metadata"]["name"]), &params, &Patch::Apply(object))
        .await
        .expect("accepted");
}

/// Gives the scene's user what is printed, without one right, in place of the printed ServiceAccount.
pub(crate) async fn grant(scene: &Scene, mut documents: Vec<Value>, without: Option<&Right>) {
    for document in &mut documents {
        // Names of the whole cluster are shared by tests that run at the same time.
        if document["metadata"]["namespace"].is_null() {
            document["metadata"]["name"] = json!(scene.user);
            if document["roleRef"].is_object() {
                document["roleRef"]["name"] = json!(scene.user);
            }
        }
        if let Some(subjects) = document.get_mut("subjects") {
            *subjects = json!([{ "apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": scene.user }]);
        }
        if let Some(rules) = document["rules"].as_array() {
            document["rules"] = rules.iter().flat_map(|rule| split(rule, without)).collect();
        }
        apply(scene, document).await;
    }
}

/// A rule as one for each resource, without a right.
fn split(rule: &Value, without: Option<&Right>) -> Vec<Value> {
    let rights = rights_of(rule).into_iter().filter(|right| Some(right) != without);
    rights
        .map(|it| json!({ "apiGroups": [it.group], "resources": [it.resource], "verbs": [it.verb] }))
        .collect()
}

fn texts(value: &Value) -> Vec<String> {
    from_value(value.clone()).expect("texts")
}

fn rights_of(rule: &Value) -> BTreeSet<Right> {
    let mut rights = BTreeSet::new();
    for group in texts(&rule["apiGroups"]) {
        for resource in texts(&rule["resources"]) {
            rights.extend(texts(&rule["verbs"]).into_iter().map(|verb| Right {
                group: group.clone(),
                resource: resource.clone(),
                verb,
            }));
        }
    }
    rights
}

fn rights(documents: &[Value]) -> BTreeSet<Right> {
    let rules = documents
        .iter()
        .filter_map(|document| document["rules"].as_array())
        .flatten();
    rules.flat_map(rights_of).collect()
}

/// A scene whose operator has nothing but what is printed.
async fn scene(cluster: &'static Cluster, case: &Case) -> Scene {
    let mut scene = Scene::on(cluster, "rights").await;
    scene.user = cluster.new_stranger();
    scene
        .install_printed(&example_binary(case.example).expect("the example"))
        .await;
    scene
}

/// A whole life with nothing but a Role in the operator's namespace.
async fn a_role_is_enough(cluster: &'static Cluster) {
    let lives = Case::ALL.map(|case| async move {
        let scene = scene(cluster, &case).await;
        let args = ["--namespace", &scene.namespace, "--install-namespace", &scene.namespace];
        grant(&scene, printed(&case, &args), None).await;
        let life = Life::begin(&scene, &case, &["--namespace", &scene.namespace]).await;
        assert_eq!(life.lived(None).await, Lived::Wholly, "{}", case.example);
    });
    let _lived = join_all(lives).await;
}

/// What is printed for the ServiceAccount is what its Pods may.
async fn the_service_account_has_the_rights(cluster: &'static Cluster) {
    let case = Case::ALL[0];
    let scene = scene(cluster, &case).await;
    let args = ["--namespace", &scene.namespace, "--install-namespace", &scene.namespace];
    for document in printed(&case, &args) {
        apply(&scene, &document).await;
    }
    for (verb, allowed) in [("patch", true), ("delete", false)] {
        let review = json!({
            "apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", "metadata": {},
            "spec": {
                "user": format!("system:serviceaccount:{}:webapp-operator", scene.namespace),
                "resourceAttributes": {
                    "group": "demo.operatorkit.dev", "resource": "webapps", "verb": verb, "namespace": scene.namespace,
                },
            },
        });
        let kind = ApiResource::from_gvk(&GroupVersionKind::gvk(
            "authorization.k8s.io",
            "v1",
            "SubjectAccessReview",
        ));
        let reviews: Api<DynamicObject> = Api::all_with(scene.client.clone(), &kind);
        let review: DynamicObject = from_value(review).expect("an object");
        // The authorizer of a real server learns of a role a moment after it was made.
        wait_for("the rights of the ServiceAccount", PATIENCE, async || {
            let review = reviews.create(&PostParams::default(), &review).await?;
            ensure!(review.data["status"]["allowed"] == allowed, "{verb}: {review:?}");
            Ok(())
        })
        .await;
    }
}

/// An apply that creates needs `create` beside `patch`.
async fn an_apply_that_creates_needs_create(cluster: &'static Cluster) {
    let case = Case::ALL[2];
    let scene = scene(cluster, &case).await;
    let args = ["--namespace", &scene.namespace, "--install-namespace", &scene.namespace];
    let create = Right {
        group: String::new(),
        resource: "configmaps".into(),
        verb: "create".into(),
    };
    grant(&scene, printed(&case, &args), Some(&create)).await;
    let life = Life::begin(&scene, &case, &["--namespace", &scene.namespace]).await;
    assert_eq!(life.lived(Some(&create)).await, Lived::Refused);
}

on_both!(
    a_role_is_enough,
    an_apply_that_creates_needs_create,
    the_service_account_has_the_rights
);

/// On a server of its own: operators that are not limited would take the objects of other tests.
#[tokio::test]
async fn a_cluster_role_is_enough() {
    let lives = Case::ALL.map(|case| async move {
        let server = EmbeddedServer::start(ApiServer::builder().rbac(true).workloads(true)).expect("it starts");
        let scene = scene(Box::leak(Box::new(server)), &case).await;
        grant(&scene, printed(&case, &["--install-namespace", &scene.namespace]), None).await;
        let life = Life::begin(&scene, &case, &[]).await;
        assert_eq!(life.lived(None).await, Lived::Wholly, "{}", case.example);
    });
    let _lived = join_all(lives).await;
}

/// Each right is taken away, alone: the operator then asks in vain for just that.
#[tokio::test]
async fn each_right_is_needed() {
    let all = Case::ALL
        .into_iter()
        .flat_map(|case| rights(&printed(&case, &[])).into_iter().map(move |right| (case, right)));
    let all: Vec<_> = all.collect();
    assert!(all.len() > 40, "{all:?}");
    let server = EmbeddedServer::start(ApiServer::builder().rbac(true).workloads(true)).expect("it starts");
    let server: &'static EmbeddedServer = Box::leak(Box::new(server));
    let lives = stream::iter(all).map(|(case, right)| async move {
        let scene = scene(server, &case).await;
        let args = ["--namespace", &scene.namespace, "--install-namespace", &scene.namespace];
        grant(&scene, printed(&case, &args), Some(&right)).await;
        let life = Life::begin(&scene, &case, &["--namespace", &scene.namespace]).await;
        let lived = life.lived(Some(&right)).await;
        (lived == Lived::Wholly).then(|| format!("{} without {right:?}", case.example))
    });
    let needless: Vec<_> = lives
        .buffer_unordered(8)
        .filter_map(async |needless| needless)
        .collect()
        .await;
    assert!(needless.is_empty(), "{needless:#?}");
}
