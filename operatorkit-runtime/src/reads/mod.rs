//! Tracked reads: what resources read beside their children, kept current by watches over metadata.
//!
//! One watch per kind and namespace in use, shared by all resources of the operator; it ends when nobody reads there any more. What nobody
//! reads is dropped as it arrives; a body is fetched once per version and kept only while somebody reads it.

mod fetch;
mod key;
mod pass;
mod place;
mod sink;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use fetch::Reading;
pub(crate) use pass::PassReads;

use std::{
    any::TypeId,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::watch;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use self::{
    key::{Interest, PlaceKey},
    place::Place,
    sink::ReadSink,
    table::{Asks, Table},
};
use crate::{
    cluster::{self, Cluster, Kind, Shown},
    context::Trigger,
    operator::Object,
    queue::{Queue, Uid},
};

/// What the objects of an operator read.
#[derive(Clone)]
pub(crate) struct Reads(Arc<Shared>);

struct Shared {
    cluster: Cluster,
    queue: Arc<Queue>,
    /// Whether the operator is limited to namespaces: then each namespace has a watch of its own, so that no right is needed for more.
    limited: bool,
    shutdown: CancellationToken,
    tasks: TaskTracker,
    table: Mutex<Table>,
    changed: watch::Sender<()>,
}

impl Reads {
    pub(crate) fn new(cluster: Cluster, queue: Arc<Queue>, limited: bool, shutdown: CancellationToken) -> Self {
        Self(Arc::new(Shared {
            cluster,
            queue,
            limited,
            shutdown,
            tasks: TaskTracker::new(),
            table: Mutex::default(),
            changed: watch::Sender::new(()),
        }))
    }

    /// An object is gone, or is being deleted: it reads nothing any more.
    pub(crate) fn forget(&self, uid: &str) {
        self.0.table().forget(uid);
    }

    /// Until all watches have ended, after the shutdown.
    pub(crate) async fn ended(&self) {
        self.0.tasks.close();
        self.0.tasks.wait().await;
    }

    /// Where something is read: an operator that is limited to namespaces has a watch for each, others have one for all.
    fn place<K: Object>(&self, namespace: Option<&str>) -> PlaceKey {
        PlaceKey {
            type_: TypeId::of::<K>(),
            namespace: namespace.filter(|_| self.0.limited).map(Arc::from),
        }
    }

    /// Notes that a resource reads something, and sees to it that it is watched. From now on no change of it is lost.
    fn register<K: Object>(&self, by: Asks<'_>, interest: &Interest) {
        let new = || Place::new(Arc::new(Kind::of::<K>()), self.0.shutdown.child_token());
        let mut table = self.0.table();
        if let Some(place) = table.register(by, interest, new) {
            self.watch(interest.place(), place);
        }
    }

    /// Starts the watch of a new place.
    fn watch(&self, key: &PlaceKey, place: &Place) {
        let sink = Arc::new(ReadSink::new(self.0.clone(), key.clone(), place.serial()));
        let namespace = key.namespace.as_deref().map(str::to_owned);
        let (kind, stop) = (place.kind.clone(), place.stop().clone());
        let cluster = self.0.cluster.clone();
        self.0
            .tasks
            .spawn(cluster::watch(cluster, kind, namespace, Shown::metadata(), sink, stop));
    }
}

impl Shared {
    /// No lock is held across an await, and no code of others runs under it, so a poisoned lock is whole.
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake(&self, readers: impl IntoIterator<Item = Uid>, trigger: Trigger) {
        readers.into_iter().for_each(|uid| self.queue.add(uid, trigger));
    }
}

impl fmt::Debug for Reads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reads").field(&*self.0.table()).finish()
    }
}
