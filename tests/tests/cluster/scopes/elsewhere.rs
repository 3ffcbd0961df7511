//! Children outside of the object's namespace, and cluster-scoped ones.

use operatorkit::{
    k8s_openapi::api::{core::v1::ConfigMap, rbac::v1::ClusterRole},
    kube::Api,
    prelude::*,
    serde_json::{from_value, json, to_value},
};
use operatorkit_testing::{PATIENCE, eventually, eventually_gone};

use crate::scene::{Scene, config_map, line};

/// Where one more child is to be.
#[operator(
    group = "scopes.test",
    version = "v1",
    kind = "Embassy",
    namespaced,
    resources(Office, Law)
)]
pub(crate) struct EmbassySpec {
    abroad: String,
}

#[resource(namespaces = any)]
pub(crate) struct Office;

impl Manifest for Office {
    type Operator = Embassy;
    type Object = ConfigMap;
    async fn desired(&self, embassy: &Embassy, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        let at_home = config_map(&cx.child_name("office"), json!({}))?;
        let mut abroad = at_home.clone();
        abroad.metadata.namespace = Some(embassy.spec.abroad.clone());
        Ok(vec![at_home, abroad].into())
    }
}

#[resource(namespaces = any)]
pub(crate) struct Law;

impl Manifest for Law {
    type Operator = Embassy;
    type Object = ClusterRole;
    async fn desired(&self, embassy: &Embassy, cx: &Cx<Self>) -> Result<Desired<ClusterRole>> {
        let role: ClusterRole = from_value(json!({ "metadata": { "name": law(&embassy.spec.abroad, cx.name()) } }))?;
        Ok(role.into())
    }
}

fn law(abroad: &str, name: &str) -> String {
    format!("scopes-test-{abroad}-{name}")
}

#[tokio::test(start_paused = true)]
async fn any_means_other_namespaces_and_the_cluster() {
    let scene = Scene::alone("scopes-any").await;
    scene.install::<Embassy>().await;
    let [first, second] = [
        scene.cluster.namespace("abroad").await,
        scene.cluster.namespace("abroad").await,
    ];
    let roles: Api<ClusterRole> = Api::all(scene.client.clone());
    let offices = |namespace: &str| Api::<ConfigMap>::namespaced(scene.client.clone(), namespace);

    let running = scene.start(App::new("embassies").operator(|_env| async {
        Ok(EmbassyResources {
            office: Office,
            law: Law,
        })
    }));
    scene
        .create(&Embassy::new("x", EmbassySpec { abroad: first.clone() }))
        .await;
    let _ready: Embassy = scene.ready("x").await;
    roles.get(&law(&first, "x")).await.expect("the role was made");
    for namespace in [&scene.namespace, &first] {
        offices(namespace).get("x-office").await.expect("the office was made");
    }

    // Drift is seen everywhere, and what is no longer wanted goes everywhere.
    offices(&first)
        .delete("x-office", &operatorkit::kube::api::DeleteParams::default())
        .await
        .expect("deleted");
    eventually(&offices(&first), "x-office", "is back", PATIENCE, |_| true).await;
    scene
        .patch::<Embassy>("x", json!({ "spec": { "abroad": second } }))
        .await;
    eventually_gone(&offices(&first), "x-office", PATIENCE).await;
    eventually_gone(&roles, &law(&first, "x"), PATIENCE).await;
    let _ready: Embassy = scene.ready("x").await;

    scene.delete::<Embassy>("x").await;
    eventually_gone(&scene.api::<Embassy>(), "x", PATIENCE).await;
    assert!(roles.get_opt(&law(&second, "x")).await.expect("an answer").is_none());
    for namespace in [&scene.namespace, &second] {
        assert_eq!(offices(namespace).get_opt("x-office").await.expect("an answer"), None);
    }
    running.stop().await;
}

/// The same, without being allowed to.
mod narrow {
    use super::*;

    #[operator(
        group = "scopes.test",
        version = "v1",
        kind = "Consulate",
        namespaced,
        resources(Office, Law, Desk)
    )]
    pub(crate) struct ConsulateSpec {
        pub(crate) abroad: String,
    }

    #[resource]
    pub(crate) struct Office;

    impl Manifest for Office {
        type Operator = Consulate;
        type Object = ConfigMap;
        async fn desired(&self, consulate: &Consulate, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
            let mut office = config_map(&cx.child_name("office"), json!({}))?;
            office.metadata.namespace = Some(consulate.spec.abroad.clone());
            Ok(office.into())
        }
    }

    #[resource]
    pub(crate) struct Law;

    impl Manifest for Law {
        type Operator = Consulate;
        type Object = ClusterRole;
        async fn desired(&self, consulate: &Consulate, cx: &Cx<Self>) -> Result<Desired<ClusterRole>> {
            let name = law(&consulate.spec.abroad, cx.name());
            Ok(from_value::<ClusterRole>(json!({ "metadata": { "name": name } }))?.into())
        }
    }

    #[resource]
    pub(crate) struct Desk;

    impl Manifest for Desk {
        type Operator = Consulate;
        type Object = ConfigMap;
        async fn desired(&self, _consulate: &Consulate, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
            Ok(config_map(&cx.child_name("desk"), json!({}))?.into())
        }
    }
}

#[tokio::test(start_paused = true)]
async fn without_it_they_are_refused_in_words_and_nothing_else_is() {
    let scene = Scene::alone("scopes-own").await;
    scene.install::<narrow::Consulate>().await;
    let abroad = scene.cluster.namespace("abroad").await;
    let running = scene.start(App::new("consulates").operator(|_env| async {
        Ok(narrow::ConsulateResources {
            office: narrow::Office,
            law: narrow::Law,
            desk: narrow::Desk,
        })
    }));
    scene
        .create(&narrow::Consulate::new(
            "x",
            narrow::ConsulateSpec { abroad: abroad.clone() },
        ))
        .await;
    let refused: narrow::Consulate = scene.condition("x", "Ready", "False", "InvalidDesired").await;
    let refused = to_value(refused).expect("JSON");
    for (resource, what) in [
        ("office", "which is not its object's"),
        ("law", "is cluster-scoped, its object is not"),
    ] {
        let message = line(&refused, resource)["message"].as_str().expect("a text").to_owned();
        assert!(
            message.contains(what) && message.contains("`namespaces = any`"),
            "{message}"
        );
    }
    assert_eq!(line(&refused, "desk")["phase"], "Ready");
    let elsewhere = Api::<ConfigMap>::namespaced(scene.client.clone(), &abroad);
    assert_eq!(elsewhere.get_opt("x-office").await.expect("an answer"), None);
    let roles: Api<ClusterRole> = Api::all(scene.client.clone());
    assert!(roles.get_opt(&law(&abroad, "x")).await.expect("an answer").is_none());

    // With the namespace that it may be in, it goes on.
    scene
        .patch::<narrow::Consulate>("x", json!({ "spec": { "abroad": scene.namespace } }))
        .await;
    eventually(&scene.api::<ConfigMap>(), "x-office", "is made", PATIENCE, |_| true).await;
    running.stop().await;
}
