//! When a control plane can be used.

use std::{
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail, ensure};
use http::{Method, Request};
use kube::Client;
use serde_json::{Value, json};

use super::{Options, Servers};

/// How long a server may take. They need about four seconds on two idle cores.
const LIMIT: Duration = Duration::from_mins(2);

const DEPLOYMENTS: &str = "/apis/apps/v1/namespaces/default/deployments";
const REPLICA_SETS: &str = "/apis/apps/v1/namespaces/default/replicasets";
const PROBE: &str = "operatorkit-probe";

/// Asks again until `check` succeeds; fails when a server ends, or after [`LIMIT`] with the end of the log of `server`.
pub(super) fn wait<T>(servers: &mut Servers, server: &str, mut check: impl FnMut(&Servers) -> Result<T>) -> Result<T> {
    let end = Instant::now() + LIMIT;
    loop {
        servers.check()?;
        match check(servers) {
            Ok(value) => return Ok(value),
            Err(error) if Instant::now() > end => {
                bail!(
                    "{server} is not ready after {} s: {error:#}\n{}",
                    LIMIT.as_secs(),
                    servers.tail(server)
                )
            }
            Err(_) => thread::sleep(Duration::from_millis(50)),
        }
    }
}

/// The API server says that it is ready.
pub(super) async fn api_server(client: Client) -> Result<()> {
    client.request_text(Request::get("/readyz").body(Vec::new())?).await?;
    Ok(())
}

/// The controllers have filled their caches: a Deployment without replicas is observed, and its `ReplicaSet` is collected
/// with it. Whichever of the two controllers does not run is not waited for.
pub(super) async fn controllers(client: Client, options: Options) -> Result<()> {
    if !options.runs("deployment-controller") {
        return Ok(());
    }
    let path = format!("{DEPLOYMENTS}/{PROBE}");
    let sets = send(&client, Method::GET, REPLICA_SETS, None).await?;
    let sets = sets["items"].as_array().is_some_and(|items| !items.is_empty());
    match send(&client, Method::GET, &path, None).await {
        Ok(found) => {
            ensure!(
                !found["status"]["observedGeneration"].is_null(),
                "no controller has observed the Deployment {PROBE}"
            );
            send(&client, Method::DELETE, &path, None)
                .await
                .context("delete the probe")?;
            bail!("the Deployment {PROBE} is being deleted");
        }
        // Deleted by us before.
        Err(_) if sets && options.runs("garbage-collector-controller") => {
            bail!("the ReplicaSet of the deleted Deployment {PROBE} is not collected")
        }
        Err(_) => Ok(()),
    }
}

/// Makes what [`controllers`] waits for.
pub(super) async fn probe(client: Client, options: Options) -> Result<()> {
    if !options.runs("deployment-controller") {
        return Ok(());
    }
    let labels = json!({"app": PROBE});
    let probe = json!({"metadata": {"name": PROBE}, "spec": {"replicas": 0, "selector": {"matchLabels": labels}, "template": {
        "metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "c"}]}}}});
    send(&client, Method::POST, DEPLOYMENTS, Some(&probe)).await?;
    Ok(())
}

async fn send(client: &Client, method: Method, path: &str, body: Option<&Value>) -> Result<Value> {
    let body = body.map(serde_json::to_vec).transpose()?.unwrap_or_default();
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header("content-type", "application/json")
        .body(body)?;
    Ok(client.request(request).await?)
}
