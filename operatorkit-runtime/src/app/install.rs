//! The command `crd --install`: the definitions into the cluster, by server-side apply.

use std::{collections::BTreeSet, time::Duration};

use anyhow::{Context as _, anyhow, bail};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::core::DynamicObject;
use serde_json::Value;
use tokio::time::{Instant, sleep};

use super::{
    App,
    cli::positive,
    client_args::{self, ClientArgs},
    crds,
    descriptions::Descriptions,
};
use crate::cluster::{Cluster, Failure, Kind};

/// How often a definition is looked at until it is served.
const EVERY: Duration = Duration::from_millis(100);

/// What `crd` is told.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct CrdArgs {
    /// Install the CRDs into the cluster by server-side apply instead, and wait until they are served. It needs `get`, `create` and `patch`
    /// on customresourcedefinitions.apiextensions.k8s.io, and writes nothing where nothing changes
    #[arg(long)]
    pub(super) install: bool,

    /// How much is told of each field, as `kubectl explain` shows it; `kubectl apply` takes no CRD above 256 KiB
    #[arg(long, value_name = "HOW MUCH", value_enum, default_value_t)]
    pub(super) descriptions: Descriptions,

    /// How long to wait until all of them are served
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = positive, requires = "install")]
    timeout: Duration,

    /// Take over fields that others have set otherwise, such as `kubectl apply` or Helm
    #[arg(long, requires = "install")]
    force_conflicts: bool,

    #[command(flatten)]
    client: ClientArgs,
}

/// Installs the definitions of an app one after the other, and prints what came of each.
pub(super) async fn install(app: &App, args: &CrdArgs) -> anyhow::Result<()> {
    let crds = crds::of(app, args.descriptions)?;
    let client = client_args::connect(&args.client, app, None).await?;
    let cluster = Cluster::new(client, &app.name);
    let end = Instant::now() + args.timeout;
    for crd in &crds {
        let name = crd.metadata.name.as_deref().unwrap_or_default();
        let result = one(&cluster, crd, name, args.force_conflicts).await;
        let result = result.with_context(|| format!("cannot install the CustomResourceDefinition `{name}`"))?;
        println!("customresourcedefinition.apiextensions.k8s.io/{name} {result}");
    }
    for crd in &crds {
        served(&cluster, crd.metadata.name.as_deref().unwrap_or_default(), end).await?;
    }
    Ok(())
}

/// Applies one definition, and says what came of it in kubectl's words.
async fn one(
    cluster: &Cluster,
    crd: &CustomResourceDefinition,
    name: &str,
    force: bool,
) -> anyhow::Result<&'static str> {
    let kind = Kind::of::<CustomResourceDefinition>();
    let body = serde_json::to_value(crd)?;
    let apply = async |try_only| {
        let applied = cluster.apply(&kind, None, name, &body, force, try_only).await;
        applied.map_err(explained)
    };
    let Some(live) = cluster.get(&kind, None, name).await.map_err(explained)? else {
        apply(false).await?;
        return Ok("created");
    };
    check_versions(name, &live, crd)?;
    // An apply that changes nothing is a write all the same: in the audit log, and for whoever may only read.
    let would_be = apply(true).await?;
    if would_be.data["spec"] == live.data["spec"] && would_be.metadata.labels == live.metadata.labels {
        return Ok("unchanged");
    }
    apply(false).await?;
    Ok("configured")
}

/// No version goes unsaid: one that objects are stored in must not go, and of one that was only served its clients are told.
fn check_versions(name: &str, live: &DynamicObject, crd: &CustomResourceDefinition) -> anyhow::Result<()> {
    let ours: BTreeSet<&str> = crd.spec.versions.iter().map(|version| version.name.as_str()).collect();
    let texts = |value: &Value| -> Vec<String> {
        let values = value.as_array().into_iter().flatten();
        values.filter_map(|value| Some(value.as_str()?.to_owned())).collect()
    };
    for stored in texts(&live.data["status"]["storedVersions"]) {
        if !ours.contains(stored.as_str()) {
            bail!(
                "objects may be stored in its version `{stored}`, which this program does not define: store them all in another version, and \
                 take `{stored}` out of `status.storedVersions`, before it goes"
            );
        }
    }
    let versions = live.data["spec"]["versions"].as_array().into_iter().flatten();
    for version in versions.filter_map(|version| version["name"].as_str()) {
        if !ours.contains(version) {
            eprintln!(
                "customresourcedefinition.apiextensions.k8s.io/{name}: its version `{version}` is not served any more"
            );
        }
    }
    Ok(())
}

/// Until the API server serves the kind.
async fn served(cluster: &Cluster, name: &str, end: Instant) -> anyhow::Result<()> {
    let kind = Kind::of::<CustomResourceDefinition>();
    loop {
        let live = cluster.get(&kind, None, name).await.map_err(explained)?;
        let live = live.with_context(|| format!("`{name}` was deleted while it was waited for"))?;
        let condition = |type_: &str| {
            let conditions = live.data["status"]["conditions"].as_array().into_iter().flatten();
            conditions
                .into_iter()
                .find(|condition| condition["type"] == type_)
                .cloned()
                .unwrap_or_default()
        };
        if condition("Established")["status"] == "True" {
            return Ok(());
        }
        let names = condition("NamesAccepted");
        if names["status"] == "False" {
            bail!(
                "`{name}` is not served, for its names: {}",
                names["message"].as_str().unwrap_or_default()
            );
        }
        if Instant::now() >= end {
            let message = condition("Established")["message"]
                .as_str()
                .unwrap_or_default()
                .to_owned();
            bail!("`{name}` is installed, but was not served in time (--timeout): {message}");
        }
        sleep(EVERY).await;
    }
}

/// A refusal with what can be done about it.
fn explained(failure: Failure) -> anyhow::Error {
    let remedy = if failure.is_conflict() {
        Some("somebody else set this; --force-conflicts takes it over".to_owned())
    } else {
        failure.remedy()
    };
    match remedy {
        Some(remedy) => anyhow!("{failure}: {remedy}"),
        None => anyhow::Error::new(failure),
    }
}
