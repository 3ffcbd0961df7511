//! What one pass reads.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use kube::core::Selector;

use super::{
    Reading, Reads,
    key::{Interest, Key, ListKey},
    table::Asks,
};
use crate::{error::Result, operator::Object, queue::Uid};

/// The reads of a pass over one object, and which resources have run.
pub(crate) struct PassReads {
    reads: Reads,
    uid: Uid,
    ran: Mutex<HashMap<&'static str, HashSet<Interest>>>,
}

impl PassReads {
    pub(crate) fn new(reads: Reads, uid: Uid) -> Self {
        Self {
            reads,
            uid,
            ran: Mutex::default(),
        }
    }

    /// A resource runs: what it read in earlier passes counts no more.
    pub(crate) fn began(&self, resource: &'static str) {
        self.ran().entry(resource).or_default();
    }

    /// An object by name; `None` as its namespace for a cluster-scoped kind.
    pub(crate) async fn object<K: Object>(
        &self,
        resource: &'static str,
        namespace: Option<&str>,
        name: &str,
    ) -> Result<Reading<K>> {
        let (place, key) = (self.reads.place::<K>(namespace), Key::new(namespace, name));
        let by = self.register::<K>(resource, Interest::Object(place.clone(), key.clone()));
        self.reads.object(by, &place, &key).await
    }

    /// The objects with some labels.
    pub(crate) async fn list<K: Object>(
        &self,
        resource: &'static str,
        namespace: Option<&str>,
        selector: Selector,
    ) -> Result<Vec<Arc<K>>> {
        let key = ListKey::new(namespace, selector);
        let place = self.reads.place::<K>(namespace);
        let by = self.register::<K>(resource, Interest::List(place.clone(), key.clone()));
        self.reads.list(by, &place, &key).await
    }

    /// The resources have run: what they have not read again is let go.
    pub(crate) fn replace(&self) {
        let ran = std::mem::take(&mut *self.ran());
        self.reads.0.table().replace(&self.uid, ran);
    }

    /// Before anything is sent: what comes of it does not matter.
    fn register<K: Object>(&self, resource: &'static str, interest: Interest) -> Asks<'_> {
        let by = Asks {
            uid: &self.uid,
            resource,
        };
        self.reads.register::<K>(by, &interest);
        self.ran().entry(resource).or_default().insert(interest);
        by
    }

    fn ran(&self) -> MutexGuard<'_, HashMap<&'static str, HashSet<Interest>>> {
        self.ran.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for PassReads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PassReads").field(&self.uid).finish()
    }
}
