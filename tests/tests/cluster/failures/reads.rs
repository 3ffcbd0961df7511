//! Reads that fail.

use std::time::Duration;

use operatorkit::{
    k8s_openapi::api::core::v1::{ConfigMap, Secret},
    prelude::*,
    serde_json::{from_value, json},
};
use operatorkit_testing::{
    apiserver::fault::{Effect, Fault, Matching},
    eventually,
};

use super::add;
use crate::scene::{Scene, config_map};

/// What a Secret says is in the child.
#[operator(
    group = "reads.failures.test",
    version = "v1",
    kind = "Keyed",
    namespaced,
    resources(Rolled)
)]
pub(crate) struct KeyedSpec {}

#[resource(reads(Secret))]
pub(crate) struct Rolled;

impl Manifest for Rolled {
    type Operator = Keyed;
    type Object = ConfigMap;
    async fn desired(&self, _keyed: &Keyed, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        let secret = cx.read::<Secret>("key").await?;
        let key = secret.and_then(|secret| secret.data.clone()?.remove("key"));
        let key = key.map(|key| String::from_utf8(key.0)).transpose()?;
        Ok(config_map(cx.name(), json!({ "key": key.unwrap_or_else(|| "none".into()) }))?.into())
    }
}

/// S-14. The read of the Secret fails in each way: nothing is made of it.
#[tokio::test(start_paused = true)]
async fn a_read_that_fails_is_not_absence() {
    let scene = Scene::alone("s14").await;
    scene.install::<Keyed>().await;
    let key = |value: &str| {
        let secret = json!({ "metadata": { "name": "key" }, "stringData": { "key": value } });
        from_value::<Secret>(secret).expect("a Secret")
    };
    scene.create(&key("1")).await;
    let app = App::new("keyed").operator(|_env| async { Ok(KeyedResources { rolled: Rolled }) });
    let running = scene.start(app);
    scene.create(&Keyed::new("x", KeyedSpec {})).await;
    let _ready: Keyed = scene.ready("x").await;

    let reads = Matching::verbs(["get"]).resource("secrets").user(&scene.user);
    let ways = [Effect::internal_error(), Effect::timeout(), Effect::Hang];
    let ways: Vec<_> = ways
        .into_iter()
        .enumerate()
        .map(|(skip, way)| add(&scene, Fault::new(reads.clone(), way).after(skip as u64).once()))
        .collect();
    let start = scene.mark().await;
    let _changed: Secret = scene.patch("key", json!({ "stringData": { "key": "2" } })).await;
    let _changed = eventually(
        &scene.api::<ConfigMap>(),
        "x",
        "has the new key",
        Duration::from_mins(5),
        |map| map.data.as_ref().is_some_and(|data| data["key"] == "2"),
    )
    .await;
    let faults = scene.cluster.faults().expect("the embedded server");
    assert!(ways.iter().all(|way| faults.met(*way) == 1), "each has come");
    let writes = scene.requests(start).await.of("configmaps").writes();
    assert_eq!(writes.len(), 1, "{writes}");
    running.stop().await;
}
