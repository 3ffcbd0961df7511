//! The objects, one resourceVersion for all of them, and what has changed.
//!
//! Bytes are produced and read outside of the lock: an object is stored as JSON without what differs from answer to answer
//! (`apiVersion`, `kind`, `resourceVersion`), and every answer is put together from it.
//!
//! | module | what |
//! |---|---|
//! | [`object`] | one version of one object, and its bytes |
//! | [`table`] | the objects of one resource, and its history |
//! | [`history`] | the changes of one resource, as far as they are kept |
//! | [`list`] | a page of a table as it was at a version |
//! | [`watch`] | the changes since a version, as they come |

pub mod history;
pub mod list;
pub mod object;
pub mod table;
pub mod watch;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

pub use history::{Change, ChangeKind};
pub use list::{Page, PageQuery};
pub use object::{Draft, Key, Stored};
pub use table::{Mismatch, Table};
pub use watch::Watch;

/// Names a table: group and plural of what is stored, `apps/deployments`, `/pods`.
pub type TableId = Arc<str>;

/// All that the server keeps.
#[derive(Debug)]
pub struct Store {
    inner: Mutex<Inner>,
    history: history::Limits,
    /// The version of the last change.
    wake: tokio::sync::watch::Sender<u64>,
    /// How often a controller has said that it has done everything.
    settled: tokio::sync::watch::Sender<u64>,
}

#[derive(Debug)]
struct Inner {
    version: u64,
    /// The history of a resource that nobody has asked for begins here: all is known that happened to it, which is nothing.
    compacted: u64,
    tables: HashMap<TableId, Table>,
}

/// What must be true of an object for a write to be made.
#[derive(Clone, Copy, Debug)]
pub enum Expect {
    /// There is none of this name.
    Absent,
    /// It is at this version.
    At(u64),
}

impl Store {
    /// Nothing, at version 1.
    pub fn new(history: history::Limits) -> Self {
        Self {
            inner: Mutex::new(Inner {
                version: 1,
                compacted: 1,
                tables: HashMap::new(),
            }),
            history,
            wake: tokio::sync::watch::Sender::new(1),
            settled: tokio::sync::watch::Sender::new(0),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Every change of `Inner` is one step that cannot panic half-way.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The version of the last change of anything.
    pub fn version(&self) -> u64 {
        self.lock().version
    }

    /// An object as it is now.
    pub fn get(&self, table: &TableId, key: &Key) -> Option<Arc<Stored>> {
        self.lock().tables.get(table)?.get(key)
    }

    /// Writes an object if `expect` holds; the object as it was written.
    ///
    /// # Errors
    ///
    /// With what is there, if that is not what was expected.
    pub fn put(&self, table: &TableId, expect: Expect, draft: Draft) -> Result<Arc<Stored>, Mismatch> {
        let mut inner = self.lock();
        let version = inner.version + 1;
        let written = inner.table(table, self.history).put(version, expect, draft)?;
        inner.version = version;
        drop(inner);
        self.wake.send_replace(version);
        Ok(written)
    }

    /// Removes an object if it is at this version; `last` is how the event shows it. The object, at the version of its deletion.
    ///
    /// # Errors
    ///
    /// With what is there, if that is not what was expected.
    pub fn remove(&self, table: &TableId, at: u64, last: Draft) -> Result<Arc<Stored>, Mismatch> {
        let mut inner = self.lock();
        let version = inner.version + 1;
        let removed = inner.table(table, self.history).remove(version, at, last)?;
        inner.version = version;
        drop(inner);
        self.wake.send_replace(version);
        Ok(removed)
    }

    /// A page of a table.
    ///
    /// # Errors
    ///
    /// If the version that is asked for is no longer known, or not yet.
    pub fn page(&self, table: &TableId, query: &PageQuery<'_>) -> Result<Page, list::Unavailable> {
        let mut inner = self.lock();
        let version = inner.version;
        inner.table(table, self.history).page(version, query)
    }

    /// The objects of a table, now.
    pub fn all(&self, table: &TableId) -> Vec<Arc<Stored>> {
        let inner = self.lock();
        inner.tables.get(table).map(Table::all).unwrap_or_default()
    }

    /// The changes of a table after a version that are still known, oldest first.
    pub fn changes(&self, table: &TableId, after: u64) -> Vec<Arc<Change>> {
        let inner = self.lock();
        let known = inner.tables.get(table).map(|table| table.changes(after));
        known.unwrap_or_default()
    }

    /// The changes of a table after a version.
    pub fn watch(self: &Arc<Self>, table: &TableId, after: u64) -> Watch {
        let wake = self.lock().table(table, self.history).wake();
        Watch::new(self.clone(), table.clone(), after, wake)
    }

    /// Begins the history of a resource now: nobody can have seen it before.
    pub fn begin(&self, table: &TableId) {
        let mut inner = self.lock();
        let version = inner.version;
        inner.table(table, self.history).compact(version);
    }

    /// Forgets all changes up to this version, or up to now if that is sooner, as etcd's compaction does.
    pub fn compact(&self, version: u64) {
        self.lock().compact(version);
    }

    /// The tables that have, or had, objects.
    pub fn tables(&self) -> Vec<TableId> {
        let inner = self.lock();
        let mut tables: Vec<_> = inner.tables.keys().cloned().collect();
        tables.sort();
        tables
    }

    /// The version of the last change of anything, as it changes.
    pub fn wake(&self) -> tokio::sync::watch::Receiver<u64> {
        self.wake.subscribe()
    }

    /// Says that a controller has done everything that it had to.
    pub(crate) fn settled_changed(&self) {
        self.settled.send_modify(|times| *times += 1);
    }

    /// Changes when a controller has done everything that it had to.
    pub(crate) fn settled(&self) -> tokio::sync::watch::Receiver<u64> {
        self.settled.subscribe()
    }

    /// Puts back what was stored by an earlier run: objects at their versions, without history.
    pub fn restore(&self, version: u64, objects: impl IntoIterator<Item = (TableId, Stored)>) {
        let mut inner = self.lock();
        inner.version = inner.version.max(version);
        for (table, object) in objects {
            inner.version = inner.version.max(object.version);
            inner.table(&table, self.history).restore(object);
        }
        inner.compact(u64::MAX);
    }
}

impl Inner {
    fn table(&mut self, id: &TableId, limits: history::Limits) -> &mut Table {
        if !self.tables.contains_key(id) {
            self.tables.insert(id.clone(), Table::new(self.compacted, limits));
        }
        self.tables.get_mut(id).expect("it was just put there")
    }

    fn compact(&mut self, version: u64) {
        let version = version.min(self.version).max(self.compacted);
        self.compacted = version;
        self.tables.values_mut().for_each(|table| table.compact(version));
    }
}
