//! The objects of one resource, and its history.

use std::{collections::BTreeMap, sync::Arc};

use tokio::sync::watch;

use super::{
    Expect,
    history::{Change, ChangeKind, History, Limits},
    list::{Page, PageQuery, Unavailable},
    object::{Draft, Key, Stored},
};

/// What is there instead of what a write expected.
#[derive(Debug)]
pub struct Mismatch(pub Option<Arc<Stored>>);

/// The objects of one resource.
#[derive(Debug)]
pub struct Table {
    objects: BTreeMap<Key, Arc<Stored>>,
    history: History,
    wake: watch::Sender<u64>,
}

impl Table {
    /// An empty table whose history begins at this version.
    pub fn new(version: u64, limits: Limits) -> Self {
        Self {
            objects: BTreeMap::new(),
            history: History::after(version, limits),
            wake: watch::Sender::new(version),
        }
    }

    /// An object.
    pub fn get(&self, key: &Key) -> Option<Arc<Stored>> {
        self.objects.get(key).cloned()
    }

    /// All objects, by namespace and name.
    pub fn all(&self) -> Vec<Arc<Stored>> {
        self.objects.values().cloned().collect()
    }

    /// Whether there is no object.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    pub(super) fn put(&mut self, version: u64, expect: Expect, draft: Draft) -> Result<Arc<Stored>, Mismatch> {
        let previous = self.objects.get(draft.key()).cloned();
        match (expect, &previous) {
            (Expect::Absent, None) => {}
            (Expect::At(at), Some(there)) if there.version == at => {}
            _ => return Err(Mismatch(previous)),
        }
        let object = Arc::new(draft.at(version));
        self.objects.insert(object.key().clone(), object.clone());
        let kind = if previous.is_some() {
            ChangeKind::Modified
        } else {
            ChangeKind::Added
        };
        self.changed(Change {
            kind,
            object: object.clone(),
            previous,
        });
        Ok(object)
    }

    pub(super) fn remove(&mut self, version: u64, at: u64, last: Draft) -> Result<Arc<Stored>, Mismatch> {
        let previous = self.objects.get(last.key()).cloned();
        if previous.as_ref().is_none_or(|there| there.version != at) {
            return Err(Mismatch(previous));
        }
        let object = Arc::new(last.at(version));
        self.objects.remove(object.key());
        self.changed(Change {
            kind: ChangeKind::Deleted,
            object: object.clone(),
            previous,
        });
        Ok(object)
    }

    fn changed(&mut self, change: Change) {
        let version = change.version();
        self.history.push(change);
        self.wake.send_replace(version);
    }

    pub(super) fn restore(&mut self, object: Stored) {
        self.objects.insert(object.key().clone(), Arc::new(object));
    }

    pub(super) fn compact(&mut self, version: u64) {
        self.history.compact(version);
        // A watch that is behind learns that it has missed something.
        self.wake.send_modify(|_| {});
    }

    /// The version up to which changes are not known.
    pub(super) fn compacted(&self) -> u64 {
        self.history.compacted()
    }

    pub(super) fn wake(&self) -> watch::Receiver<u64> {
        self.wake.subscribe()
    }

    /// At most `limit` changes after a version; `None` if some are not known any more.
    pub(super) fn since(&self, version: u64, limit: usize) -> Option<Vec<Arc<Change>>> {
        Some(self.history.since(version)?.take(limit).cloned().collect())
    }

    /// The changes after a version, as far as they are known.
    pub(super) fn changes(&self, version: u64) -> Vec<Arc<Change>> {
        let known = self.history.since(version.max(self.history.compacted()));
        known.map(|changes| changes.cloned().collect()).unwrap_or_default()
    }

    pub(super) fn page(&self, now: u64, query: &PageQuery<'_>) -> Result<Page, Unavailable> {
        super::list::page(&self.objects, &self.history, now, query)
    }
}
