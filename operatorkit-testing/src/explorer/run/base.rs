//! The server that every run of a scenario begins with: what takes time is done once.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use k8s_openapi::{apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition, jiff::Timestamp};
use kube::{
    Api, Client, ResourceExt as _,
    api::{ApiResource, DynamicObject, Patch, PatchParams, PostParams, TypeMeta},
    core::GroupVersionKind,
    discovery::pinned_kind,
};
use operatorkit_apiserver::{ApiServer, Builder, access::User, serve::state::State};
use serde_json::Value;

use crate::explorer::scenario::{NAMESPACE, Scenario};

/// More changes than a run makes.
const HISTORY: usize = 100_000;

/// What a server has before a run.
pub(in crate::explorer) struct Base(State);

impl Base {
    pub(in crate::explorer) fn new(scenario: &Scenario, seed: u64) -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .context("make a runtime")?;
        runtime.block_on(async {
            let server = builder(scenario, seed).start();
            let client = Client::new(server.service_as(User::admin()), NAMESPACE);
            for crd in &scenario.crds {
                install(&client, crd).await?;
            }
            for object in &scenario.given {
                give(&client, object).await?;
            }
            server.settled().await;
            Ok(Self(server.state()))
        })
    }

    /// A server that goes on from here.
    pub(super) fn start(&self, scenario: &Scenario, seed: u64) -> ApiServer {
        let resumed = builder(scenario, seed).resume(&self.0);
        resumed.unwrap_or_else(|error| panic!("what a server has left is read again: {error}"))
    }
}

fn builder(scenario: &Scenario, seed: u64) -> Builder {
    ApiServer::builder()
        .start_time(Timestamp::UNIX_EPOCH + Duration::from_hours(24 * 365 * 60))
        .seed(seed)
        .history(HISTORY)
        .workloads(scenario.workloads)
}

async fn install(client: &Client, crd: &CustomResourceDefinition) -> Result<()> {
    let crds: Api<CustomResourceDefinition> = Api::all(client.clone());
    let name = crd.name_any();
    let params = PatchParams::apply("explorer").force();
    crds.patch(&name, &params, &Patch::Apply(crd))
        .await
        .with_context(|| format!("install {name}"))?;
    for _ in 0..100 {
        let crd = crds.get(&name).await?;
        let conditions = crd.status.iter().flat_map(|status| status.conditions.iter().flatten());
        if conditions
            .into_iter()
            .any(|it| it.type_ == "Established" && it.status == "True")
        {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    anyhow::bail!("{name} is not established")
}

async fn give(client: &Client, object: &Value) -> Result<()> {
    let types: TypeMeta = serde_json::from_value(object.clone()).context("a given object has a kind")?;
    let kind = GroupVersionKind::try_from(&types)?;
    let (kind, capabilities): (ApiResource, _) = pinned_kind(client, &kind).await?;
    let object: DynamicObject = serde_json::from_value(object.clone())?;
    ensure!(object.metadata.name.is_some(), "a given object has a name");
    let namespace = object.namespace().unwrap_or_else(|| NAMESPACE.to_owned());
    let api: Api<DynamicObject> = match capabilities.scope {
        kube::discovery::Scope::Namespaced => Api::namespaced_with(client.clone(), &namespace, &kind),
        kube::discovery::Scope::Cluster => Api::all_with(client.clone(), &kind),
    };
    api.create(&PostParams::default(), &object)
        .await
        .with_context(|| format!("make {}", object.name_any()))?;
    Ok(())
}
