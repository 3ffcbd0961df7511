//! What is measured of one operator. Everything is there from the start, at zero.

use std::{
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use jiff::Timestamp;
use prometheus_client::metrics::{counter::Counter, histogram::Histogram};
use tokio::time::Instant;

use super::{
    operations::Operations,
    requests::Requests,
    source::Source,
    watch::{Watch, WatchMeter},
};
use crate::{graph::Role, layer::Verb};

/// Upper bounds of all histograms, in seconds: those of Prometheus' clients, with two more at either end, since a pass that changes nothing
/// takes less than a millisecond, and one that makes something outside may take a minute.
const BUCKETS: [f64; 14] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0,
];

/// No round for so long, and the operator's loop is stuck.
const STUCK: Duration = Duration::from_mins(1);

pub(super) fn histogram() -> Histogram {
    Histogram::new(BUCKETS)
}

/// The measurements of one operator. Its parts are reached without a lookup.
pub(crate) struct Meter {
    pub(super) controller: Arc<str>,
    pub(super) kind: String,
    /// Known once the graph is.
    operations: OnceLock<Operations>,
    pub(super) errors: Counter,
    pub(super) panics: Counter,
    /// By [`Came::ALL`].
    pub(super) passes: [Counter; Came::ALL.len()],
    /// By direction and outcome.
    pub(super) events: [[Histogram; 2]; 2],
    /// Seconds since 1970.
    pub(super) last_reconciled: AtomicU64,
    pub(super) queue_time: Histogram,
    pub(super) latency: Histogram,
    pub(super) concurrency: AtomicU64,
    requests: Arc<Requests>,
    watches: Mutex<Vec<Arc<Watch>>>,
    source: OnceLock<Weak<dyn Source>>,
    beat: Mutex<Beat>,
    ready: AtomicBool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Beat {
    /// Seconds since 1970.
    at: i64,
    /// `None` while the loop does not run: before its start, and once it ends.
    since: Option<Instant>,
}

/// What a pass came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Came {
    /// Everything is as it should be; backwards: gone.
    Success,
    /// Something is waited for.
    Waiting,
    Error,
    /// A resource stopped it.
    Cancelled,
    /// The object is paused.
    Paused,
}

impl Came {
    pub(super) const ALL: [(Self, &'static str); 5] = [
        (Self::Success, "success"),
        (Self::Waiting, "waiting"),
        (Self::Error, "error"),
        (Self::Cancelled, "cancelled"),
        (Self::Paused, "paused"),
    ];
}

/// How something ended, as the label `result` has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Success,
    Error,
}

impl Outcome {
    pub(super) const ALL: [(Self, &'static str); 2] = [(Self::Success, "success"), (Self::Error, "error")];
}

impl Meter {
    /// Of an operator of this name, over this kind.
    pub(crate) fn new(controller: &str, kind: &str) -> Self {
        let controller: Arc<str> = controller.into();
        Self {
            requests: Arc::new(Requests::of_operator(controller.clone())),
            controller,
            kind: kind.to_owned(),
            operations: OnceLock::new(),
            errors: Counter::default(),
            panics: Counter::default(),
            passes: Default::default(),
            events: [[histogram(), histogram()], [histogram(), histogram()]],
            last_reconciled: AtomicU64::new(0),
            queue_time: histogram(),
            latency: histogram(),
            concurrency: AtomicU64::new(0),
            watches: Mutex::default(),
            source: OnceLock::new(),
            beat: Mutex::default(),
            ready: AtomicBool::new(false),
        }
    }

    /// The operator's name.
    pub(crate) fn controller(&self) -> &str {
        &self.controller
    }

    /// The operator has these resources.
    pub(crate) fn has(&self, resources: impl IntoIterator<Item = (&'static str, Role)>) {
        // The first ones stay: an operator has one graph.
        let _second = self.operations.set(Operations::new(resources));
    }

    /// An operation of a resource has ended.
    pub(crate) fn operation(&self, resource: &str, verb: Verb, outcome: Outcome, took: Duration) {
        if let Some(operations) = self.operations.get() {
            operations.ended(resource, verb, outcome, took);
        }
    }

    pub(super) fn operations(&self) -> Option<&Operations> {
        self.operations.get()
    }

    /// What the stores hold is read from here, as long as it lives.
    pub(crate) fn read_from(&self, source: Weak<dyn Source>) {
        // The first one stays: an operator has one.
        let _second = self.source.set(source);
    }

    pub(super) fn source(&self) -> Option<Arc<dyn Source>> {
        self.source.get()?.upgrade()
    }

    /// A pass begins that was due for so long.
    pub(crate) fn begins(&self, queued_for: Duration) {
        self.queue_time.observe(queued_for.as_secs_f64());
    }

    /// A pass has ended that a change brought, so long after the change was seen.
    pub(crate) fn handled(&self, latency: Duration) {
        self.latency.observe(latency.as_secs_f64());
    }

    /// A pass that ran came to this.
    pub(crate) fn came(&self, backwards: bool, came: Came, took: Duration) {
        self.passes[came as usize].inc();
        let outcome = match came {
            Came::Paused => return,
            Came::Error => {
                self.errors.inc();
                Outcome::Error
            }
            Came::Success | Came::Waiting | Came::Cancelled => {
                let now = u64::try_from(Timestamp::now().as_second()).unwrap_or_default();
                self.last_reconciled.store(now, Ordering::Relaxed);
                Outcome::Success
            }
        };
        self.events[usize::from(backwards)][outcome as usize].observe(took.as_secs_f64());
    }

    pub(crate) fn panicked(&self) {
        self.panics.inc();
    }

    /// Its requests to the API server.
    pub(crate) fn requests(&self) -> &Arc<Requests> {
        &self.requests
    }

    /// A watch begins.
    pub(crate) fn watch(self: &Arc<Self>, group: &str, kind: &str, namespace: Option<&str>) -> WatchMeter {
        WatchMeter::new(self.clone(), group, kind, namespace)
    }

    pub(super) fn watches(&self) -> MutexGuard<'_, Vec<Arc<Watch>>> {
        self.watches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Passes are about to run, so many at once.
    pub(crate) fn runs(&self, concurrency: usize) {
        self.concurrency.store(concurrency as u64, Ordering::Relaxed);
    }

    /// The stores are filled.
    pub(crate) fn is_filled(&self) {
        self.ready.store(true, Ordering::Relaxed);
    }

    /// The operator's loop makes its round.
    pub(crate) fn beats(&self) {
        *self.beat() = Beat {
            at: Timestamp::now().as_second(),
            since: Some(Instant::now()),
        };
    }

    /// The shutdown has begun: no pass begins any more.
    pub(crate) fn stops(&self) {
        self.ready.store(false, Ordering::Relaxed);
        self.beat().since = None;
    }

    pub(super) fn last_beat(&self) -> i64 {
        self.beat().at
    }

    pub(super) fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Relaxed)
    }

    /// Why the operator does not live, if so: nothing but a new start will help.
    pub(super) fn dead(&self) -> Option<String> {
        if self.beat().since.is_some_and(|since| since.elapsed() > STUCK) {
            return Some("its loop is stuck".to_owned());
        }
        let dead: Vec<_> = self
            .watches()
            .iter()
            .filter(|watch| watch.state().dead)
            .map(|watch| watch.kind.clone())
            .collect();
        (!dead.is_empty()).then(|| format!("dead watches: {}", dead.join(", ")))
    }

    fn beat(&self) -> MutexGuard<'_, Beat> {
        self.beat.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Meter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Meter")
            .field("controller", &self.controller)
            .finish_non_exhaustive()
    }
}
