//! The store of the objects of the operator's kind, by UID.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::ObjectEntry;
use crate::operator::Operator;

/// The objects that an operator reconciles. A newer version wins over an older one, whichever way it comes.
pub(crate) struct ObjectStore<O: Operator> {
    by_uid: Mutex<HashMap<Arc<str>, Arc<ObjectEntry<O>>>>,
}

impl<O: Operator> Default for ObjectStore<O> {
    fn default() -> Self {
        Self {
            by_uid: Mutex::default(),
        }
    }
}

impl<O: Operator> ObjectStore<O> {
    /// Takes in what a watch, an answer or a live read has shown. Returns whether it is news.
    pub(crate) fn put(&self, entry: ObjectEntry<O>) -> (Arc<ObjectEntry<O>>, bool) {
        let mut objects = self.lock();
        if let Some(before) = objects.get(&entry.uid)
            && (!entry.version.replaces(before.version) || entry.version == before.version)
        {
            return (before.clone(), false);
        }
        let entry = Arc::new(entry);
        objects.insert(entry.uid.clone(), entry.clone());
        (entry, true)
    }

    /// Takes in what an answer or a live read has shown of an object that is there: the watch may have shown its end before.
    pub(crate) fn renew(&self, entry: ObjectEntry<O>) -> Arc<ObjectEntry<O>> {
        if self.lock().contains_key(&entry.uid) {
            self.put(entry).0
        } else {
            Arc::new(entry)
        }
    }

    pub(crate) fn get(&self, uid: &str) -> Option<Arc<ObjectEntry<O>>> {
        self.lock().get(uid).cloned()
    }

    /// All objects, as they are now.
    pub(crate) fn all(&self) -> Vec<Arc<ObjectEntry<O>>> {
        self.lock().values().cloned().collect()
    }

    pub(crate) fn remove(&self, uid: &str) -> Option<Arc<ObjectEntry<O>>> {
        self.lock().remove(uid)
    }

    /// The UIDs of the objects in a namespace (`None`: everywhere) that a new list did not show.
    pub(crate) fn missing(&self, namespace: Option<&str>, listed: &HashSet<Arc<str>>) -> Vec<Arc<str>> {
        let objects = self.lock();
        let inside = objects
            .values()
            .filter(|entry| namespace.is_none() || entry.namespace() == namespace);
        inside
            .filter(|entry| !listed.contains(&entry.uid))
            .map(|entry| entry.uid.clone())
            .collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Arc<str>, Arc<ObjectEntry<O>>>> {
        self.by_uid.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<O: Operator> fmt::Debug for ObjectStore<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ObjectStore")
            .field("objects", &self.lock().len())
            .finish()
    }
}
