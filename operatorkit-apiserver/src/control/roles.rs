//! ClusterRoles that are made of others (`kubernetes/pkg/controller/clusterroleaggregation`).

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};

use super::{client::Client, feed::Feed};
use crate::{access::rbac, core::Core, failure::Failure, object, registry::Served, store::Key, verbs::strategy};

/// How long the controller waits after a request that failed.
const RETRY: Duration = Duration::from_millis(500);

/// Keeps the rules of aggregated roles until it is dropped.
pub(crate) async fn run(core: Arc<Core>, mut feed: Feed) {
    let client = Client::new(core.clone(), "clusterrole-aggregation-controller");
    let mut failed = false;
    loop {
        let concerned = tokio::select! {
            changes = feed.next() => changes.iter().any(|changed| &*changed.table == "rbac.authorization.k8s.io/clusterroles"),
            () = tokio::time::sleep(RETRY), if failed => true,
        };
        if concerned {
            failed = aggregate(&core, &client).await.is_err();
        }
    }
}

async fn aggregate(core: &Core, client: &Client) -> Result<(), Failure> {
    let catalog = core.registry.catalog();
    let Some(served) = catalog.preferred("rbac.authorization.k8s.io", "clusterroles") else {
        return Ok(());
    };
    let all: Vec<Value> = core
        .store
        .all(&served.table)
        .iter()
        .map(|stored| strategy::show(served, stored))
        .collect();
    let roles: Vec<&Value> = all.iter().collect();
    for role in &all {
        if let Some(rules) = rbac::aggregate(role, &roles) {
            write(client, served, role, rules).await?;
        }
    }
    Ok(())
}

async fn write(client: &Client, served: &Served, role: &Value, rules: Vec<Value>) -> Result<(), Failure> {
    let version = object::text(role, "resourceVersion");
    let patch = json!({ "metadata": { "resourceVersion": version }, "rules": rules });
    match client
        .patch(served, &Key::new("", object::name(role)), "", &patch)
        .await
    {
        // The change that somebody else made brings the role back here.
        Err(failure) if super::client::is_stale(&failure) => Ok(()),
        done => done.map(|_| ()),
    }
}
