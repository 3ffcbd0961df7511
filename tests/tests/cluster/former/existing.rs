//! An operator of an existing kind that was renamed: its States are an annotation, which has its name.

use std::sync::Arc;

use operatorkit::{k8s_openapi::api::core::v1::ConfigMap, kube::ResourceExt, prelude::*, serde_json::json};
use operatorkit_testing::{Cluster, PATIENCE, eventually};

use super::{
    assert_no_trace,
    provider::{self, Provider},
};
use crate::scene::{Scene, config_map};

macro_rules! version {
    ($version:ident says [$($says:tt)*]) => {
        mod $version {
            use super::*;

            #[operator(for = ConfigMap, selector = "former.test/jar=true", resources(Thing), $($says)*)]
            pub(crate) struct Jars;

            #[resource]
            pub(crate) struct Thing(Arc<Provider>);
            provider::external!(Thing of Jars, ConfigMap: stringify!($version));

            pub(crate) fn app(provider: &Arc<Provider>) -> App {
                let thing = Thing(provider.clone());
                App::new("jars").operator(|_env| async { Ok(JarsResources { thing }) })
            }
        }
    };
}

version!(before says [name = "before"]);
version!(after says [name = "after", formerly = ["earlier", "before"]]);

const STATE: &str = "operatorkit.dev/state";

async fn made(cluster: &'static Cluster) -> (Scene, Arc<Provider>) {
    let scene = Scene::on(cluster, "former-jars").await;
    let provider = Arc::default();
    let running = scene.start(before::app(&provider));
    let mut jar = config_map("x", json!({})).expect("a ConfigMap");
    jar.labels_mut().insert("former.test/jar".into(), "true".into());
    scene.create(&jar).await;
    let state = format!("{STATE}.before");
    let _made = eventually(&scene.api(), "x", "has its State", PATIENCE, |jar: &ConfigMap| {
        jar.annotations()
            .get(&state)
            .is_some_and(|text| text.contains("\"state\":\"before\""))
    })
    .await;
    running.stop().await;
    (scene, provider)
}

async fn a_state_in_an_annotation_moves_with_the_finalizer(cluster: &'static Cluster) {
    let (scene, provider) = made(cluster).await;
    let old: ConfigMap = scene.api().get("x").await.expect("it exists");
    let start = scene.mark().await;
    let running = scene.start(after::app(&provider));
    let moved = eventually(&scene.api(), "x", "is taken over", PATIENCE, |jar: &ConfigMap| {
        jar.finalizers() == ["operatorkit.dev/after"]
    })
    .await;
    assert_no_trace(&moved);
    let [before, after] = ["before", "after"].map(|name| format!("{STATE}.{name}"));
    assert_eq!(moved.annotations().get(&after), old.annotations().get(&before));
    let writes = scene.requests(start).await.writes();
    assert_eq!(writes.len(), 1, "{writes}");

    scene.delete::<ConfigMap>("x").await;
    operatorkit_testing::eventually_gone(&scene.api::<ConfigMap>(), "x", PATIENCE).await;
    running.stop().await;
    assert_eq!(provider.journal(), ["create before", "delete before"]);
}

async fn a_deletion_goes_by_the_state_in_the_old_annotation(cluster: &'static Cluster) {
    let (scene, provider) = made(cluster).await;
    scene.delete::<ConfigMap>("x").await;
    let running = scene.start(after::app(&provider));
    operatorkit_testing::eventually_gone(&scene.api::<ConfigMap>(), "x", PATIENCE).await;
    running.stop().await;
    assert_eq!(provider.journal(), ["create before", "delete before"]);
}

crate::servers::on_both! {
    a_state_in_an_annotation_moves_with_the_finalizer,
    a_deletion_goes_by_the_state_in_the_old_annotation,
}
