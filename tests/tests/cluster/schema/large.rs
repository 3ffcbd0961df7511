//! S-30: definitions that are too large for an annotation, and objects that are.

use std::process::ExitCode;

use operatorkit::{
    App,
    k8s_openapi::{
        api::core::v1::{ConfigMap, PodTemplateSpec},
        apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
    },
    kube::{Api, CustomResourceExt as _},
    prelude::*,
    serde_json::{json, to_value, to_vec},
};
use operatorkit_testing::Cluster;

use super::Written;
use crate::{
    scene::{Scene, config_map},
    servers::on_both,
};

on_both!(
    a_large_definition_is_installed_and_upgraded,
    a_large_spec_does_not_grow_what_is_stored_beside_it,
);

/// A version of the program whose kind embeds the type of a Pod.
macro_rules! version {
    ($module:ident: $($field:ident: $type:ty),*) => {
        mod $module {
            use super::{super::idle, PodTemplateSpec};

            /// What it runs.
            #[operatorkit::operator(group = "schema.test", version = "v1", kind = "Large", namespaced, resources(Idle))]
            pub(crate) struct LargeSpec {
                pub(crate) template: Option<PodTemplateSpec>,
                $(pub(crate) $field: $type),*
            }

            idle!(Idle of Large);

            pub(crate) fn app() -> operatorkit::App {
                operatorkit::App::new("large").operator(|_env| async { Ok(LargeResources { idle: Idle }) })
            }
        }
    };
}

version!(before:);
version!(after: more: Option<PodTemplateSpec>);

/// A kind whose objects may be large.
#[operator(
    group = "schema.test",
    version = "v1",
    kind = "Roomy",
    namespaced,
    resources(Measured)
)]
pub(crate) struct RoomySpec {
    text: String,
}

#[resource]
pub(crate) struct Measured;

impl Manifest for Measured {
    type Operator = Roomy;
    type Object = ConfigMap;
    async fn desired(&self, roomy: &Roomy, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        let data = json!({ "size": roomy.spec.text.len().to_string() });
        Ok(config_map(&cx.child_name("size"), data)?.into())
    }
}

fn size(crd: &CustomResourceDefinition) -> usize {
    to_vec(crd).expect("JSON").len()
}

async fn install(cluster: &'static Cluster, scene: &Scene, app: App, args: &[&str]) {
    let kubeconfig = cluster.kubeconfig(&scene.user).to_str().expect("UTF-8").to_owned();
    let mut line: Vec<String> = ["crd", "--install", "--kubeconfig", &kubeconfig]
        .map(str::to_owned)
        .into();
    line.extend(args.iter().map(|arg| (*arg).to_owned()));
    let ended = tokio::task::spawn_blocking(move || app.run_with(line))
        .await
        .expect("it does not panic");
    assert_eq!(ended, ExitCode::SUCCESS);
}

async fn a_large_definition_is_installed_and_upgraded(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "large").await;
    assert!(size(&before::Large::crd()) > 262_144 && size(&after::Large::crd()) > 262_144);
    let crds: Api<CustomResourceDefinition> = Api::all(scene.client.clone());
    let live = async || crds.get(before::Large::crd_name()).await.expect("it is installed");
    let field = |crd: &CustomResourceDefinition, name: &str| {
        let crd = to_value(crd).expect("JSON");
        crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"][name].is_object()
    };
    install(cluster, &scene, before::app(), &[]).await;
    assert!(field(&live().await, "template") && !field(&live().await, "more"));
    install(cluster, &scene, after::app(), &[]).await;
    let upgraded = live().await;
    assert!(field(&upgraded, "more"));
    assert_eq!(upgraded.metadata.annotations, None, "no copy of it is kept");
    // Without its descriptions it fits everywhere.
    install(cluster, &scene, before::app(), &["--descriptions", "none"]).await;
    let mut stripped = live().await;
    (stripped.status, stripped.metadata.managed_fields) = (None, None);
    assert!(size(&stripped) < 262_144, "{} bytes", size(&stripped));
    assert!(field(&stripped, "template"));
}

async fn a_large_spec_does_not_grow_what_is_stored_beside_it(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "roomy").await;
    scene.install::<Roomy>().await;
    let app = App::new("roomy").operator(|_env| async { Ok(RoomyResources { measured: Measured }) });
    let running = scene.start(app);
    let written = Written::served::<Roomy>(&scene);
    let length = 300 * 1024;
    for (name, text) in [("small", "x".to_owned()), ("large", "x".repeat(length))] {
        written.create(name, json!({ "text": text })).await.expect("valid");
    }
    let mut stored = Vec::new();
    for name in ["small", "large"] {
        let roomy: Roomy = scene.ready(name).await;
        let annotations = to_value(&roomy.metadata.annotations).expect("JSON");
        let status = to_value(&roomy.status).expect("JSON");
        stored.push((annotations.to_string().len(), status.to_string().len()));
    }
    assert_eq!(stored[0], stored[1], "nothing grows with the spec");
    let child: ConfigMap = scene.api().get("large-size").await.expect("its child");
    assert_eq!(
        child.data.and_then(|mut data| data.remove("size")),
        Some(length.to_string())
    );
    running.stop().await;
}
