//! Children where no owner reference may be, and owner references where the server checks who sets them.

use std::{
    env,
    process::{Command, exit},
};

use operatorkit::{
    k8s_openapi::api::{core::v1::ConfigMap, rbac::v1::ClusterRole},
    kube::{Api, ResourceExt as _},
    prelude::*,
    serde_json::{Value, from_value, json},
};
use operatorkit_testing::{Cluster, ControlPlane, Options, PATIENCE, eventually_gone};

use crate::{
    rights::grant,
    scene::{Scene, config_map},
    servers::on_both,
};

/// A child in another namespace and one of the whole cluster.
#[operator(
    group = "failures.test",
    version = "v1",
    kind = "Consul",
    namespaced,
    resources(Law, Office)
)]
pub(crate) struct ConsulSpec {
    abroad: String,
}

#[resource(order = 1, delete_order = 1, namespaces = any)]
pub(crate) struct Law;

impl Manifest for Law {
    type Operator = Consul;
    type Object = ClusterRole;
    async fn desired(&self, consul: &Consul, _cx: &Cx<Self>) -> Result<Desired<ClusterRole>> {
        Ok(from_value::<ClusterRole>(json!({ "metadata": { "name": law(&consul.spec.abroad) } }))?.into())
    }
}

#[resource(order = 2, delete_order = 2, namespaces = any)]
pub(crate) struct Office;

impl Manifest for Office {
    type Operator = Consul;
    type Object = ConfigMap;
    async fn desired(&self, consul: &Consul, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        let mut office = config_map(&cx.child_name("office"), json!({}))?;
        office.metadata.namespace = Some(consul.spec.abroad.clone());
        Ok(office.into())
    }
}

fn law(abroad: &str) -> String {
    format!("failures-test-{abroad}")
}

async fn children_elsewhere_are_known_by_label_and_go_in_order(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "owner-abroad").await;
    scene.install::<Consul>().await;
    let abroad = cluster.namespace("abroad").await;
    let offices: Api<ConfigMap> = Api::namespaced(scene.client.clone(), &abroad);
    let laws: Api<ClusterRole> = Api::all(scene.client.clone());
    let app = App::new("consuls").operator(|_env| async {
        Ok(ConsulResources {
            law: Law,
            office: Office,
        })
    });
    let running = scene.start(app);
    let spec = ConsulSpec { abroad: abroad.clone() };
    let owner = scene.create(&Consul::new("x", spec)).await;
    let _ready: Consul = scene.ready("x").await;

    let office = offices.get("x-office").await.expect("the office was made");
    let role = laws.get(&law(&abroad)).await.expect("the role was made");
    for metadata in [&office.metadata, &role.metadata] {
        assert_eq!(metadata.owner_references, None);
        let labels = metadata.labels.clone().unwrap_or_default();
        assert_eq!(
            labels.get("operatorkit.dev/owner-uid"),
            owner.uid().as_ref(),
            "{labels:?}"
        );
    }

    let mark = scene.mark().await;
    scene.delete::<Consul>("x").await;
    eventually_gone(&scene.api::<Consul>(), "x", PATIENCE).await;
    assert_eq!(offices.get_opt("x-office").await.expect("an answer"), None);
    assert!(laws.get_opt(&law(&abroad)).await.expect("an answer").is_none());
    let deleted = scene.deletions(mark).await;
    let names: Vec<_> = deleted.iter().filter_map(|it| it.rsplit('/').next()).collect();
    assert_eq!(names, [&*law(&abroad), "x-office"]);
    running.stop().await;
}

on_both! { children_elsewhere_are_known_by_label_and_go_in_order }

/// A child with an owner reference.
#[operator(
    group = "failures.test",
    version = "v1",
    kind = "Landlord",
    namespaced,
    resources(House)
)]
pub(crate) struct LandlordSpec {}

#[resource(owner_reference)]
pub(crate) struct House;

impl Manifest for House {
    type Operator = Landlord;
    type Object = ConfigMap;
    async fn desired(&self, _landlord: &Landlord, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(config_map(&cx.child_name("house"), json!({}))?.into())
    }
}

fn landlords() -> App {
    App::new("landlords").operator(|_env| async { Ok(LandlordResources { house: House }) })
}

/// Has the test print the rights in this namespace, in a process of its own.
const PRINT: &str = "OPERATORKIT_TEST_PRINTS_RIGHTS_IN";

/// What the command `rbac` of the landlords prints.
fn printed(namespace: &str) -> Vec<Value> {
    let mut command = Command::new(env::current_exe().expect("a path"));
    let test = "failures::owners::a_server_that_guards_owner_references_lets_children_be_made";
    command.args(["--exact", test, "--nocapture"]).env(PRINT, namespace);
    let output = command.output().expect("it runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let (_, documents) = text.split_once("---\n").unwrap_or_else(|| panic!("no rights: {text}"));
    serde_saphyr::from_multiple(documents).expect("YAML")
}

#[tokio::test]
async fn a_server_that_guards_owner_references_lets_children_be_made() {
    if let Ok(namespace) = env::var(PRINT) {
        let _printed = landlords().run_with(["rbac", "--namespace", &namespace, "--install-namespace", &namespace]);
        // What a test says at its end is no YAML.
        exit(0);
    }
    // Where there is none at all this says so.
    if ControlPlane::shared().is_none() {
        return;
    }
    let flag = "--enable-admission-plugins=OwnerReferencesPermissionEnforcement";
    let options = Options::default().with_api_server_flag(flag);
    let started = tokio::task::spawn_blocking(move || ControlPlane::start(&options));
    // It ends with the process.
    let cluster: &'static ControlPlane = Box::leak(Box::new(started.await.expect("no panic").expect("it starts")));
    let mut scene = Scene::on(cluster, "owner-guarded").await;
    scene.install::<Landlord>().await;
    scene.user = cluster.new_stranger();
    let rights = printed(&scene.namespace);
    assert!(!json!(rights).to_string().contains("finalizers"), "{rights:?}");
    grant(&scene, rights, None).await;
    let running = scene.start(landlords());
    let owner = scene.create(&Landlord::new("x", LandlordSpec {})).await;
    let _ready: Landlord = scene.ready("x").await;
    let house = scene.api::<ConfigMap>().get("x-house").await.expect("it was made");
    assert_eq!(house.owner_references().len(), 1);
    assert_eq!(Some(&house.owner_references()[0].uid), owner.metadata.uid.as_ref());
    scene.delete::<Landlord>("x").await;
    eventually_gone(&scene.api::<Landlord>(), "x", PATIENCE).await;
    running.stop().await;
}
