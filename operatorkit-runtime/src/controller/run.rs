//! Starting an operator, running its passes, and stopping it.

use std::{sync::Arc, time::Duration};

use anyhow::Context as _;
use tokio::{
    task::JoinSet,
    time::{Instant, interval},
};
use tokio_util::sync::CancellationToken;

use super::{arrival, candidate, sink::ObjectSink};
use crate::{
    app::{Env, RunSettings},
    cluster::{self, Cluster, Events, Kind, Shown},
    context::Trigger,
    error::Result,
    executor::{Parts, Running, execute},
    metrics::Meter,
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

/// How often the loop of passes shows that it lives.
const ROUND: Duration = Duration::from_secs(10);

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
    waiting(&running.meter, &shutdown, arrival::ready(&running, &shutdown)).await;
    if !shutdown.is_cancelled() {
        running.meter.is_filled();
    }
    waiting(&running.meter, &shutdown, candidate::leads(&running, env.leadership())).await;
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

/// Waits for something, or until the shutdown, and shows meanwhile that it lives.
async fn waiting(meter: &Meter, shutdown: &CancellationToken, until: impl Future<Output = ()>) {
    let rounds = async {
        let mut round = interval(ROUND);
        loop {
            round.tick().await;
            meter.beats();
        }
    };
    tokio::select! {
        biased;
        () = shutdown.cancelled() => {}
        () = until => {}
        () = rounds => {}
    }
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
    let kind = <O::Object as kube::Resource>::kind(&());
    let meter = Arc::new(Meter::new(&name, &kind));
    let names = Names::new(&name).succeeding(O::FORMERLY, O::LEGACY_FINALIZERS);
    let cluster = Cluster::new(env.client(), &names.finalizer).measured(meter.clone());
    let (queue, children) = (Arc::new(Queue::new()), Arc::new(ChildStore::new(&names)));
    let watches = Watches::new(
        cluster.clone(),
        &names,
        settings.namespaces.clone(),
        children.clone(),
        queue.clone(),
        shutdown.clone(),
    );
    let limited = !settings.namespaces.is_empty();
    let reads = Reads::new(cluster.clone(), queue.clone(), limited, shutdown.clone());
    let events = Events::new(cluster.clone(), &name, reported.clone());
    let parts = Parts {
        names,
        namespaces: Namespaces::new(&Kind::of::<O::Object>(), &settings.namespaces),
        cluster,
        events,
        layers: env.layers().clone(),
        stopping: shutdown.clone(),
        reports: env.reports().clone(),
        children,
        watches,
        reads,
        queue,
        resync: settings.resync,
        meter: meter.clone(),
        onlooker: env.onlooker().clone(),
    };
    let running =
        Running::new(resources, parts).with_context(|| format!("the graph of the operator `{name}` cannot run"))?;
    let running = Arc::new(running);
    let source = Arc::downgrade(&running);
    meter.read_from(source);
    env.all_metrics().add(meter);
    Ok(running)
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
    let mut round = interval(ROUND);
    running.meter.runs(settings.concurrency);
    loop {
        tokio::select! {
            biased;
            () = &mut stopping => break,
            _ = round.tick() => running.meter.beats(),
            Some(ended) = passes.join_next(), if !passes.is_empty() => report_panic(&running.meter, ended),
            work = running.queue.next(), if passes.len() < settings.concurrency => {
                let Some(work) = work else { break };
                let running = running.clone();
                passes.spawn(async move {
                    tracing::trace!(uid = %work.uid(), queued_for = ?work.queued_for(), "pass begins");
                    running.meter.begins(work.queued_for());
                    let began = Instant::now();
                    let next = execute(&running, work.uid(), work.triggers()).await;
                    if work.triggers().contains(Trigger::ObjectChanged) || work.triggers().contains(Trigger::ChildChanged) {
                        running.meter.handled(work.queued_for() + began.elapsed());
                    }
                    work.done(next);
                });
            }
        }
    }
    running.meter.stops();
    running.queue.close();
    let rest = async {
        while let Some(ended) = passes.join_next().await {
            report_panic(&running.meter, ended);
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
fn report_panic(meter: &Meter, ended: Result<(), tokio::task::JoinError>) {
    if let Err(err) = ended
        && err.is_panic()
    {
        meter.panicked();
        tracing::error!("a pass panicked outside of its resources; please report this: {err}");
    }
}
