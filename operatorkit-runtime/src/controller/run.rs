//! Starting an operator, running its passes, and stopping it.

use std::{sync::Arc, time::Duration};

use anyhow::Context as _;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::{arrival, candidate, sink::ObjectSink};
use crate::{
    app::{Env, RunSettings},
    cluster::{self, Cluster, Events, Kind, Shown},
    error::Result,
    executor::{Parts, Running, execute},
    namespaces::Namespaces,
    operator::{Operator, Selector, name_of},
    queue::Queue,
    reads::Reads,
    record::Names,
    store::ChildStore,
    watches::Watches,
};

/// How long watches may still end after the passes have.
const WATCHES_END: Duration = Duration::from_secs(1);

/// Runs an operator until the shutdown: it never ends by itself.
pub(crate) async fn run<O: Operator>(
    resources: O::Resources,
    env: Env,
    settings: RunSettings,
    shutdown: CancellationToken,
) -> Result<()> {
    let reported = CancellationToken::new();
    let running = start::<O>(resources, &env, &settings, &shutdown, &reported)?;
    let sinks: Vec<_> = running
        .namespaces
        .all()
        .into_iter()
        .map(|namespace| {
            let sink = Arc::new(ObjectSink::new(running.clone(), namespace.clone()));
            let shown = Shown {
                labels: match O::SELECTOR {
                    Selector::All => None,
                    Selector::Labels(selector) => Some(selector.to_owned()),
                },
                fields: O::FIELD_SELECTOR.map(str::to_owned),
                metadata_only: false,
            };
            tokio::spawn(cluster::watch(
                running.cluster.clone(),
                running.kind.clone(),
                namespace,
                shown,
                sink,
                shutdown.clone(),
            ))
        })
        .collect();
    for stored in &running.inventory.kinds {
        running
            .watches
            .ensure(&running.interned(stored.kind.clone()), stored.any_namespace);
    }
    tokio::select! {
        () = arrival::ready(&running, &shutdown) => {}
        () = shutdown.cancelled() => {}
    }
    tokio::select! {
        () = candidate::leads(&running, env.leadership()) => {}
        () = shutdown.cancelled() => {}
    }
    if !shutdown.is_cancelled() {
        tracing::info!(controller = %running.names.operator, kind = %running.kind, "running");
    }
    if passes(&running, &settings, &shutdown).await == Ended::CutOff {
        env.leadership().cut_off();
    }
    let ended = async {
        for sink in sinks {
            let _ended = sink.await;
        }
        running.watches.ended().await;
        running.reads.ended().await;
    };
    let _late = tokio::time::timeout(WATCHES_END, ended).await;
    reported.cancel();
    running.events.flushed().await;
    Ok(())
}

pub(super) fn start<O: Operator>(
    resources: O::Resources,
    env: &Env,
    settings: &RunSettings,
    shutdown: &CancellationToken,
    reported: &CancellationToken,
) -> Result<Arc<Running<O>>> {
    let name = name_of::<O>();
    // The finalizer's name is the field manager, too (design, section 6).
    let cluster = Cluster::new(env.client(), &Names::new(&name).finalizer);
    let (queue, children) = (Arc::new(Queue::new()), Arc::new(ChildStore::new(&name)));
    let watches = Watches::new(
        cluster.clone(),
        &name,
        settings.namespaces.clone(),
        children.clone(),
        queue.clone(),
        shutdown.clone(),
    );
    let limited = !settings.namespaces.is_empty();
    let reads = Reads::new(cluster.clone(), queue.clone(), limited, shutdown.clone());
    let events = Events::new(cluster.clone(), &name, reported.clone());
    let parts = Parts {
        name: name.clone(),
        namespaces: Namespaces::new(&Kind::of::<O::Object>(), &settings.namespaces),
        cluster,
        events,
        layers: env.layers().clone(),
        stopping: shutdown.clone(),
        children,
        watches,
        reads,
        queue,
        resync: settings.resync,
        onlooker: env.onlooker().clone(),
    };
    let running =
        Running::new(resources, parts).with_context(|| format!("the graph of the operator `{name}` cannot run"))?;
    Ok(Arc::new(running))
}

/// How the passes ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    All,
    /// Some were dropped while they ran.
    CutOff,
}

/// Runs passes, so many at a time, until the shutdown; then waits for those that run, within a limit.
async fn passes<O: Operator>(running: &Arc<Running<O>>, settings: &RunSettings, shutdown: &CancellationToken) -> Ended {
    let mut passes = JoinSet::new();
    let stopping = shutdown.cancelled();
    tokio::pin!(stopping);
    loop {
        tokio::select! {
            biased;
            () = &mut stopping => break,
            Some(ended) = passes.join_next(), if !passes.is_empty() => report_panic(ended),
            work = running.queue.next(), if passes.len() < settings.concurrency => {
                let Some(work) = work else { break };
                let running = running.clone();
                passes.spawn(async move {
                    tracing::trace!(uid = %work.uid(), queued_for = ?work.queued_for(), "pass begins");
                    let next = execute(&running, work.uid(), work.triggers()).await;
                    work.done(next);
                });
            }
        }
    }
    running.queue.close();
    let rest = async {
        while let Some(ended) = passes.join_next().await {
            report_panic(ended);
        }
    };
    if tokio::time::timeout(settings.shutdown_timeout, rest).await.is_err() {
        tracing::warn!(
            controller = %running.names.operator,
            passes = passes.len(),
            "stopped while passes were still running: they go on where they were at the next start"
        );
        passes.abort_all();
        return Ended::CutOff;
    }
    Ended::All
}

/// A panic outside of user code is a fault of ours: the object is run again, and the log has it.
fn report_panic(ended: Result<(), tokio::task::JoinError>) {
    if let Err(err) = ended
        && err.is_panic()
    {
        tracing::error!("a pass panicked outside of its resources; please report this: {err}");
    }
}
