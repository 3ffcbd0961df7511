//! Something that runs as the leader.

use std::sync::Arc;

use kube::Client;

use super::{
    LeaderElection,
    elector::Elector,
    fence::{Fence, Leadership},
};
use crate::{cluster::Cluster, metrics::Requests};

/// Runs something on a fenced client beside the election, until it has ended or the leadership is lost; then it is dropped as it is.
///
/// What runs is there from the start, and waits for the [leadership](Leadership::begun) by itself. At its own end the Lease is given up.
/// What the election asks is counted.
///
/// # Errors
///
/// Settings that make no sense, what it ended with, or why the leadership was lost.
pub(crate) async fn lead<F>(
    client: Client,
    app: &str,
    election: &LeaderElection,
    requests: Arc<Requests>,
    run: impl FnOnce(Client, Leadership) -> F,
) -> anyhow::Result<()>
where
    F: Future<Output = anyhow::Result<()>>,
{
    let fence = Fence::new();
    let cluster = Cluster::new(client.clone(), app).counted(requests);
    let mut elector = Elector::new(cluster, app, election.clone(), fence.clone())?;
    let running = run(fence.client(client), fence.leadership());
    let ended = {
        let mut running = Box::pin(running);
        tokio::select! {
            ended = &mut running => ended,
            lost = elector.run() => return Err(lost),
        }
    };
    elector.release().await;
    ended
}
