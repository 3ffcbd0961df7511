//! The watches over an operator's children: one per kind and namespace in use, limited by the operator's label.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use kube::core::DynamicObject;
use tokio::sync::watch;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    cluster::{self, Cluster, Failure, Kind, Shown, Sink},
    context::Trigger,
    flow::Wait,
    queue::Queue,
    record::{Inventory, Names, OPERATOR_LABEL, StoredKind},
    store::{ChildStore, Relist},
};

/// Starts watches as kinds come into use, and knows which of them can be relied on.
#[derive(Clone)]
pub(crate) struct Watches(Arc<Shared>);

struct Shared {
    cluster: Cluster,
    selector: String,
    /// The namespaces that the operator is limited to; empty: all.
    namespaces: Vec<String>,
    children: Arc<ChildStore>,
    queue: Arc<Queue>,
    shutdown: CancellationToken,
    tasks: TaskTracker,
    states: Mutex<HashMap<Place, State>>,
    /// How many watches have never been filled: usually none, and then nobody has to ask for theirs.
    unfilled: AtomicUsize,
    changed: watch::Sender<()>,
}

/// What a watch is over.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Place {
    kind: Arc<Kind>,
    namespace: Option<String>,
}

#[derive(Debug, Default)]
struct State {
    filled: bool,
    failing: Option<Failing>,
    /// The objects whose pass could not rely on this watch.
    waiting: HashSet<Arc<str>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Failing {
    message: String,
    reason: &'static str,
    unserved: bool,
}

impl Watches {
    pub(crate) fn new(
        cluster: Cluster,
        names: &Names,
        namespaces: Vec<String>,
        children: Arc<ChildStore>,
        queue: Arc<Queue>,
        shutdown: CancellationToken,
    ) -> Self {
        Self(Arc::new(Shared {
            cluster,
            selector: selector(names),
            namespaces,
            children,
            queue,
            shutdown,
            tasks: TaskTracker::new(),
            states: Mutex::default(),
            unfilled: AtomicUsize::new(0),
            changed: watch::Sender::new(()),
        }))
    }

    /// Watches a kind, if it is not watched yet: in the operator's namespaces, or everywhere.
    pub(crate) fn ensure(&self, kind: &Arc<Kind>, any_namespace: bool) {
        let everywhere = !kind.namespaced || any_namespace || self.0.namespaces.is_empty();
        let namespaces = if everywhere {
            vec![None]
        } else {
            self.0.namespaces.iter().cloned().map(Some).collect()
        };
        for namespace in namespaces {
            let place = Place {
                kind: kind.clone(),
                namespace,
            };
            let mut states = self.0.states();
            if states.contains_key(&place) {
                continue;
            }
            states.insert(place.clone(), State::default());
            self.0.unfilled.fetch_add(1, Ordering::AcqRel);
            drop(states);
            let sink = Arc::new(ChildSink {
                shared: self.0.clone(),
                place: place.clone(),
                relist: Mutex::default(),
            });
            let shown = Shown::labelled(self.0.selector.clone());
            let shutdown = self.0.shutdown.clone();
            let cluster = self.0.cluster.clone();
            self.0.tasks.spawn(cluster::watch(
                cluster,
                place.kind,
                place.namespace,
                shown,
                sink,
                shutdown,
            ));
        }
    }

    /// Why the children of a kind in a namespace (`None`: everywhere) cannot be relied on, if so. The object is run
    /// again once they can.
    pub(crate) fn unready(&self, kind: &Kind, namespace: Option<&str>, object: &Arc<str>) -> Option<Wait> {
        if self.0.unfilled.load(Ordering::Acquire) == 0 {
            return None;
        }
        let mut states = self.0.states();
        let (_, state) = states.iter_mut().find(|(place, state)| {
            *place.kind == *kind && !state.filled && covers(place.namespace.as_deref(), namespace)
        })?;
        state.waiting.insert(object.clone());
        Some(match &state.failing {
            Some(failing) => Wait::new(failing.message.clone()).with_reason(failing.reason),
            None => Wait::new(format!("the watch of {kind} is not filled yet")).with_reason("WatchNotReady"),
        })
    }

    /// Whether the API server does not serve this kind, as far as its watch knows. The object is run again once it does.
    pub(crate) fn is_absent(&self, kind: &Kind, object: &Arc<str>) -> bool {
        let absent = self.is_unserved(kind);
        if absent {
            self.await_kind(kind, object);
        }
        absent
    }

    /// Runs an object again when the watch of a kind lists anew.
    pub(crate) fn await_kind(&self, kind: &Kind, object: &Arc<str>) {
        let mut states = self.0.states();
        for (_, state) in states.iter_mut().filter(|(place, _)| *place.kind == *kind) {
            state.waiting.insert(object.clone());
        }
    }

    /// Whether the API server does not serve this kind, as far as its watch knows.
    pub(crate) fn is_unserved(&self, kind: &Kind) -> bool {
        let states = self.0.states();
        let mut of_kind = states.iter().filter(|(place, _)| *place.kind == *kind);
        of_kind.any(|(_, state)| state.failing.as_ref().is_some_and(|failing| failing.unserved))
    }

    /// All kinds that are watched.
    pub(crate) fn inventory(&self) -> Inventory {
        let mut inventory = Inventory::default();
        for place in self.0.states().keys() {
            inventory.add_kind(StoredKind {
                kind: (*place.kind).clone(),
                any_namespace: false,
            });
        }
        inventory
    }

    /// Until each watch is filled, or has said why it is not.
    pub(crate) async fn settled(&self) {
        let mut changed = self.0.changed.subscribe();
        loop {
            if self
                .0
                .states()
                .values()
                .all(|state| state.filled || state.failing.is_some())
            {
                return;
            }
            if changed.changed().await.is_err() {
                return;
            }
        }
    }

    /// Until all watches have ended, after the shutdown.
    pub(crate) async fn ended(&self) {
        self.0.tasks.close();
        self.0.tasks.wait().await;
    }
}

/// The children of an operator, also those that still carry an earlier name.
fn selector(names: &Names) -> String {
    if names.former.is_empty() {
        return format!("{OPERATOR_LABEL}={}", names.operator);
    }
    let all: Vec<_> = names.latest_first().map(|names| names.operator.as_str()).collect();
    format!("{OPERATOR_LABEL} in ({})", all.join(","))
}

/// Whether a watch over `watched` shows what is in `asked`; either may be everywhere.
fn covers(watched: Option<&str>, asked: Option<&str>) -> bool {
    watched.is_none() || asked.is_none() || watched == asked
}

impl Shared {
    fn states(&self) -> MutexGuard<'_, HashMap<Place, State>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Watches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Watches").field(&*self.0.states()).finish()
    }
}

/// Files what a watch shows, and queues the owners.
struct ChildSink {
    shared: Arc<Shared>,
    place: Place,
    relist: Mutex<Relist>,
}

impl ChildSink {
    fn relist(&self) -> MutexGuard<'_, Relist> {
        self.relist.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn queue(&self, owners: impl IntoIterator<Item = Arc<str>>, trigger: Trigger) {
        owners
            .into_iter()
            .filter(|owner| !owner.is_empty())
            .for_each(|owner| self.shared.queue.add(owner, trigger));
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        if let Some(state) = self.shared.states().get_mut(&self.place) {
            change(state);
        }
        self.shared.changed.send_replace(());
    }
}

impl Sink for ChildSink {
    fn begin(&self) {
        *self.relist() = Relist::default();
    }

    fn seen(&self, object: DynamicObject) {
        self.relist().saw(&object);
        self.applied(object);
    }

    fn filled(&self) {
        let relist = std::mem::take(&mut *self.relist());
        let Place { kind, namespace } = &self.place;
        self.queue(
            self.shared.children.relisted(kind, namespace.as_deref(), &relist),
            Trigger::ChildChanged,
        );
        let mut waiting = HashSet::new();
        self.change(|state| {
            if !state.filled {
                self.shared.unfilled.fetch_sub(1, Ordering::AcqRel);
            }
            state.filled = true;
            state.failing = None;
            waiting = std::mem::take(&mut state.waiting);
        });
        self.queue(waiting, Trigger::WatchReady);
    }

    fn applied(&self, object: DynamicObject) {
        self.queue(
            self.shared.children.seen(&self.place.kind, &object),
            Trigger::ChildChanged,
        );
    }

    fn deleted(&self, object: DynamicObject) {
        self.queue(self.shared.children.left(&object), Trigger::ChildChanged);
    }

    fn failing(&self, failure: &Failure) {
        let remedy = failure.remedy().map(|remedy| format!(": {remedy}")).unwrap_or_default();
        let failing = Failing {
            message: format!("{failure}{remedy}"),
            reason: failure.reason(),
            unserved: failure.is_not_served(),
        };
        let mut waiting = HashSet::new();
        self.change(|state| {
            if state.failing.replace(failing.clone()) != Some(failing) {
                waiting = std::mem::take(&mut state.waiting);
            }
        });
        // They show why they wait, and wait again.
        self.queue(waiting, Trigger::WatchReady);
    }

    fn recovered(&self) {
        self.change(|state| state.failing = None);
    }
}
