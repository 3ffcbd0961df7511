//! S-29: a field that is left out, `null` and empty is the default in Rust.

use std::time::Duration;

use operatorkit::{
    App, RunSettings,
    kube::ResourceExt as _,
    prelude::*,
    serde_json::{from_value, json},
};
use operatorkit_testing::Cluster;

use super::{Written, idle};
use crate::{scene::Scene, servers::on_both};

on_both!(left_out_null_and_empty_are_the_same_default);

#[operator(
    group = "schema.test",
    version = "v1",
    kind = "Defaulted",
    namespaced,
    resources(Idle)
)]
#[derive(PartialEq)]
pub(crate) struct DefaultedSpec {
    #[serde(default)]
    injector: Injector,
}

#[data]
#[derive(PartialEq)]
#[serde(default)]
pub(crate) struct Injector {
    enable: bool,
    image: String,
    note: Option<String>,
}

impl Default for Injector {
    fn default() -> Self {
        Self {
            enable: true,
            image: "injector:1".into(),
            note: None,
        }
    }
}

idle!(Idle of Defaulted);

async fn left_out_null_and_empty_are_the_same_default(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "defaulted").await;
    scene.install::<Defaulted>().await;
    let written = Written::served::<Defaulted>(&scene);
    let app = App::new("defaulted").operator(|_env| async { Ok(DefaultedResources { idle: Idle }) });
    let settings = RunSettings {
        namespaces: vec![scene.namespace.clone()],
        resync: Duration::from_millis(500),
        ..RunSettings::default()
    };
    let running = scene.start_with(app, settings);
    let specs = [
        ("left-out", json!({})),
        ("null", json!({ "injector": null })),
        ("empty", json!({ "injector": {} })),
    ];
    let expected = DefaultedSpec {
        injector: Injector::default(),
    };
    for (name, spec) in &specs {
        let stored = written.apply(name, spec.clone()).await.expect("it is valid");
        let read: DefaultedSpec = from_value(stored).expect("it fits its type");
        assert_eq!(read, expected);
    }
    let mut versions = Vec::new();
    for (name, _) in &specs {
        let ready: Defaulted = scene.ready(name).await;
        assert_eq!(ready.spec, expected);
        versions.push((*name, ready.resource_version()));
    }
    let since = scene.mark().await;
    // Several passes.
    tokio::time::sleep(Duration::from_secs(2)).await;
    for (name, version) in versions {
        let now: Defaulted = scene.api().get(name).await.expect("it is there");
        assert_eq!(now.resource_version(), version);
    }
    let writes = scene.requests(since).await.writes();
    assert!(writes.is_empty(), "{writes}");
    running.stop().await;
}
