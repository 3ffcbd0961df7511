//! An object of any served kind is quiet from the second pass on, and costs at most one request after a restart.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use operatorkit::{
    anyhow::ensure,
    k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
    kube::{Api, api::ListParams, core::DynamicObject},
    prelude::*,
    serde_json::{Value, from_value, json},
};
use operatorkit_testing::{Cluster, PATIENCE, audit::Requests, wait_for};

use crate::scene::Scene;

/// Makes an object of every kind in `kinds.yaml`.
#[operator(
    group = "kindly.test",
    version = "v1",
    kind = "Zoo",
    namespaced,
    resources(Animals, Count)
)]
pub(crate) struct ZooSpec {}

#[resource(order = 1, namespaces = any)]
pub(crate) struct Animals;

impl Manifest for Animals {
    type Operator = Zoo;
    type Object = DynamicObject;

    async fn desired(&self, _object: &Zoo, cx: &Cx<Self>) -> Result<Desired<DynamicObject>> {
        let objects = objects(cx.namespace().unwrap_or_default());
        Ok(objects
            .into_iter()
            .map(from_value)
            .collect::<Result<Vec<DynamicObject>, _>>()?
            .into())
    }

    /// What becomes of them is not the question here.
    fn readiness(&self, _object: &DynamicObject) -> Option<Readiness> {
        Some(Readiness::Ready)
    }
}

/// Counts the passes.
#[resource(order = 2)]
pub(crate) struct Count(Arc<AtomicUsize>);

impl Step for Count {
    type Operator = Zoo;
    type Output = ();

    async fn ensure_created(&self, _object: &Zoo, _cx: &Cx<Self>) -> Result<Flow<()>> {
        let _before = self.0.fetch_add(1, Ordering::Relaxed);
        Ok(().into())
    }
}

fn app(passes: &Arc<AtomicUsize>) -> App {
    let count = Count(passes.clone());
    App::new("zoo").operator(|_env| async {
        Ok(ZooResources {
            animals: Animals,
            count,
        })
    })
}

/// Kinds that are not made here, and why.
const NOT_MADE: [(&str, &str); 11] = [
    (
        "autoscaling/v1 HorizontalPodAutoscaler",
        "the same objects as in v2: an operator uses one version of a kind",
    ),
    ("v1 Binding", "a request to the scheduler, nothing is stored"),
    ("v1 Node", "the DaemonSets of other tests would run on it"),
    (
        "authentication.k8s.io/v1 SelfSubjectReview",
        "a question, nothing is stored",
    ),
    ("authentication.k8s.io/v1 TokenReview", "a question, nothing is stored"),
    (
        "authorization.k8s.io/v1 LocalSubjectAccessReview",
        "a question, nothing is stored",
    ),
    (
        "authorization.k8s.io/v1 SelfSubjectAccessReview",
        "a question, nothing is stored",
    ),
    (
        "authorization.k8s.io/v1 SelfSubjectRulesReview",
        "a question, nothing is stored",
    ),
    (
        "authorization.k8s.io/v1 SubjectAccessReview",
        "a question, nothing is stored",
    ),
    (
        "certificates.k8s.io/v1 CertificateSigningRequest",
        "needs a request that somebody has signed",
    ),
    (
        "certificates.k8s.io/v1 PodCertificateRequest",
        "needs a proof by the key of a running Pod",
    ),
];

/// What `kinds.yaml` says, with this namespace.
fn objects(namespace: &str) -> Vec<Value> {
    let text = include_str!("kinds.yaml").replace("$NAMESPACE", namespace);
    let mut objects: Vec<Value> = serde_saphyr::from_str(&text).unwrap_or_else(|err| panic!("kinds.yaml: {err}"));
    for object in &mut objects {
        if object["metadata"]["name"].is_null() {
            object["metadata"]["name"] =
                format!("kinds-{}", object["kind"].as_str().expect("a kind").to_lowercase()).into();
        }
    }
    objects
}

fn kind_of(object: &Value) -> String {
    format!(
        "{} {}",
        object["apiVersion"].as_str().unwrap_or_default(),
        object["kind"].as_str().unwrap_or_default()
    )
}

/// Every kind that the API server serves and lets create, but for those of CRDs.
async fn served(scene: &Scene) -> Vec<String> {
    let client = &scene.client;
    let mut versions = vec!["v1".to_owned()];
    for group in client.list_api_groups().await.expect("the groups").groups {
        versions.extend(group.versions.into_iter().map(|version| version.group_version));
    }
    let mut kinds = Vec::new();
    for version in &versions {
        let list = match version.as_str() {
            "v1" => client.list_core_api_resources("v1").await,
            // A CRD's version may go meanwhile.
            version => client.list_api_group_resources(version).await,
        };
        for resource in list.into_iter().flat_map(|list| list.resources) {
            if !resource.name.contains('/') && resource.verbs.iter().any(|verb| verb == "create") {
                kinds.push((version.clone(), resource.kind));
            }
        }
    }
    // After the discovery: other tests install CRDs meanwhile.
    let crds: Api<CustomResourceDefinition> = Api::all(client.clone());
    let crds = crds.list(&ListParams::default()).await.expect("a list").items;
    kinds.retain(|(version, _)| {
        let group = version.split_once('/').map_or("", |(group, _)| group);
        !crds.iter().any(|crd| crd.spec.group == group)
    });
    kinds
        .into_iter()
        .map(|(version, kind)| format!("{version} {kind}"))
        .collect()
}

/// Changes an annotation, and waits until a pass that knows it is through.
async fn pass(scene: &Scene, passes: &AtomicUsize, touch: usize) {
    let before = passes.load(Ordering::Relaxed);
    let _touched: Zoo = scene
        .patch(
            "x",
            json!({ "metadata": { "annotations": { "touch": touch.to_string() } } }),
        )
        .await;
    wait_for("a pass over everything", PATIENCE, async || {
        ensure!(passes.load(Ordering::Relaxed) > before, "no pass");
        Ok(())
    })
    .await;
}

async fn every_served_kind_is_quiet_from_the_second_pass_on(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "kinds").await;
    let passes = Arc::default();
    scene.install::<Zoo>().await;
    let made: Vec<_> = objects(&scene.namespace).iter().map(kind_of).collect();
    let missing: Vec<_> = served(&scene)
        .await
        .into_iter()
        .filter(|kind| !made.contains(kind))
        .collect();
    let missing: Vec<_> = missing
        .iter()
        .filter(|kind| !NOT_MADE.iter().any(|(known, _)| known == kind))
        .collect();
    assert!(
        missing.is_empty(),
        "neither in kinds.yaml nor in NOT_MADE: {missing:#?}"
    );

    let running = scene.start(app(&passes));
    let start = scene.mark().await;
    scene.create(&Zoo::new("x", ZooSpec {})).await;
    let _ready: Zoo = scene.ready("x").await;
    pass(&scene, &passes, 0).await;
    let first = per_child(&scene.requests(start).await);
    assert_at_most_one(&first);
    let names: Vec<_> = first.keys().collect();
    assert_eq!(first.len(), made.len(), "{names:#?}");

    let start = scene.mark().await;
    for touch in 1..=5 {
        pass(&scene, &passes, touch).await;
    }
    let requests = scene.requests(start).await;
    assert!(requests.is_empty(), "five passes that change nothing:\n{requests}");
    running.stop().await;

    let start = scene.mark().await;
    let running = scene.start(app(&passes));
    for touch in 6..=8 {
        pass(&scene, &passes, touch).await;
    }
    let again = scene.requests(start).await;
    assert_at_most_one(&per_child(&again));
    let start = scene.mark().await;
    pass(&scene, &passes, 9).await;
    let requests = scene.requests(start).await;
    assert!(requests.is_empty(), "after a restart, too:\n{requests}");
    running.stop().await;
}

/// The requests about each child, by resource and name.
fn per_child(requests: &Requests) -> BTreeMap<String, Vec<String>> {
    let mut children: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for request in requests
        .iter()
        .filter(|request| !request.object.name.is_empty() && request.object.resource != "zoos")
    {
        let child = format!(
            "{}.{} {}",
            request.resource(),
            request.object.api_group,
            request.object.name
        );
        children.entry(child).or_default().push(request.to_string());
    }
    children
}

#[track_caller]
fn assert_at_most_one(children: &BTreeMap<String, Vec<String>>) {
    let more: Vec<_> = children.iter().filter(|(_, requests)| requests.len() > 1).collect();
    assert!(more.is_empty(), "at most one request per child: {more:#?}");
}

crate::servers::on_both!(every_served_kind_is_quiet_from_the_second_pass_on);
