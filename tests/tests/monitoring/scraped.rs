//! The exposition of an operator that has worked, on an embedded server of its own: one object is ready, one is being deleted.

use std::time::Duration;

use operatorkit::{
    App, RunSettings,
    k8s_openapi::{
        api::core::v1::ConfigMap, apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
    },
    kube::{
        Api, CustomResourceExt as _, ResourceExt as _,
        api::{DeleteParams, ObjectMeta, PostParams},
    },
    metrics::Scraper,
    prelude::*,
    serde_json::{from_value, json},
};
use operatorkit_testing::{EmbeddedServer, PATIENCE, apiserver::ApiServer, wait_for};
use tokio_util::sync::CancellationToken;

#[operator(
    group = "monitoring.test",
    version = "v1",
    kind = "Scraped",
    namespaced,
    resources(Map, Held)
)]
pub(crate) struct ScrapedSpec {}

/// A child.
#[resource]
pub(crate) struct Map;

impl Manifest for Map {
    type Operator = Scraped;
    type Object = ConfigMap;
    async fn desired(&self, _object: &Scraped, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        let map: ConfigMap = from_value(json!({ "metadata": { "name": cx.child_name("map") } }))?;
        Ok(map.into())
    }
}

/// What holds up the deletion.
#[resource]
pub(crate) struct Held;

impl Step for Held {
    type Operator = Scraped;
    type Output = ();
    async fn ensure_created(&self, _object: &Scraped, _cx: &Cx<Self>) -> Result<Flow<()>> {
        Ok(Flow::Ready(()))
    }
    async fn ensure_deleted(&self, _cx: &DeleteCx<Self>) -> Result<Flow<()>> {
        Ok(Flow::wait("for ever"))
    }
}

/// What `/metrics` shows then, in OpenMetrics.
pub(crate) async fn open_metrics() -> String {
    let server = EmbeddedServer::start_here(ApiServer::builder()).expect("it starts");
    let client = server.client("admin");
    let crds = Api::<CustomResourceDefinition>::all(client.clone());
    crds.create(&PostParams::default(), &Scraped::crd())
        .await
        .expect("a CRD");
    let namespace = server.namespace("scraped").await;
    let objects = Api::<Scraped>::namespaced(client.clone(), &namespace);
    let app = App::new("app").operator(|_env| async { Ok(ScrapedResources { map: Map, held: Held }) });
    let scraper = app.scraper();
    let stop = CancellationToken::new();
    let running = tokio::spawn(app.run_in(client, RunSettings::default(), stop.clone()));
    for name in ["stays", "goes"] {
        wait_for("it is made", PATIENCE, async || {
            let object = Scraped {
                metadata: ObjectMeta {
                    name: Some(name.to_owned()),
                    ..ObjectMeta::default()
                },
                spec: ScrapedSpec {},
                status: None,
            };
            Ok(objects.create(&PostParams::default(), &object).await?)
        })
        .await;
        wait_for("it has its finalizer", PATIENCE, async || {
            let object = objects.get(name).await?;
            operatorkit::anyhow::ensure!(!object.finalizers().is_empty());
            Ok(())
        })
        .await;
    }
    objects.delete("goes", &DeleteParams::default()).await.expect("deleted");
    let text = shows(
        &scraper,
        "operatorkit_controller_deletion_timestamp{kind=\"Scraped\",name=\"goes\"",
    )
    .await;
    stop.cancel();
    let ended = tokio::time::timeout(Duration::from_secs(30), running).await;
    ended.expect("in time").expect("no panic").expect("no error");
    text
}

async fn shows(scraper: &Scraper, part: &str) -> String {
    wait_for("the deletion is seen", PATIENCE, async || {
        let text = scraper.scrape();
        operatorkit::anyhow::ensure!(text.contains(part), "{text}");
        Ok(text)
    })
    .await
}
