//! All operators of an app, side by side: they end together.

use std::{collections::BTreeMap, time::Duration};

use anyhow::{Context as _, anyhow};
use tokio::{
    task::{Id, JoinError, JoinSet},
    time::sleep,
};
use tokio_util::sync::CancellationToken;
use tracing::{error, info};

use super::{Env, RunSettings, panics, runnable::Runnable};

/// An operator keeps to the shutdown timeout by itself; this much later it is dropped.
const GRACE: Duration = Duration::from_secs(4);

/// Runs operators until the token is cancelled or one of them fails, and then until all have ended. The first error counts.
pub(super) async fn run_all(
    operators: Vec<Box<dyn Runnable>>,
    env: &Env,
    settings: &RunSettings,
    shutdown: &CancellationToken,
) -> anyhow::Result<()> {
    let stop = shutdown.child_token();
    // However this function ends, nothing of it goes on.
    let _stop = stop.clone().drop_guard();
    let mut tasks = JoinSet::new();
    let mut names = BTreeMap::new();
    for operator in operators {
        let name = operator.name();
        let task = tasks.spawn(operator.run(env.clone(), settings.clone(), stop.clone()));
        names.insert(task.id(), name);
    }
    let mut result = Ok(());
    let late = async {
        stop.cancelled().await;
        sleep(settings.shutdown_timeout + GRACE).await;
    };
    let mut late = std::pin::pin!(late);
    loop {
        tokio::select! {
            ended = tasks.join_next_with_id() => match ended {
                None => return result,
                Some(ended) => note(ended, &mut names, &mut result, &stop),
            },
            () = &mut late => {
                env.leadership().cut_off();
                let names = names.into_values().collect::<Vec<_>>().join("`, `");
                let late = anyhow!("operator `{names}` did not stop within {:?}: dropped as it was", settings.shutdown_timeout);
                return result.and(Err(late));
            }
        }
    }
}

/// Takes in how one operator ended; a failure stops the others.
fn note(
    ended: Result<(Id, anyhow::Result<()>), JoinError>,
    names: &mut BTreeMap<Id, String>,
    result: &mut anyhow::Result<()>,
    stop: &CancellationToken,
) {
    let (id, ended) = match ended {
        Ok(ended) => ended,
        Err(err) => (err.id(), Err(panics::of_task(err))),
    };
    let name = names.remove(&id).unwrap_or_default();
    let Err(err) = ended.with_context(|| format!("operator `{name}`")) else {
        info!(controller = name, "stopped");
        return;
    };
    if result.is_ok() {
        if !names.is_empty() {
            error!(controller = name, "failed, stopping the other operators: {err:#}");
        }
        *result = Err(err);
    } else {
        // Only the first one is returned.
        error!(controller = name, "failed while stopping: {err:#}");
    }
    stop.cancel();
}

#[cfg(test)]
mod tests;
