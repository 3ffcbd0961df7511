//! The changes of all tables, for controllers.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use tokio::sync::watch;

use crate::store::{Change, ChangeKind, Store, Stored, TableId, Watch};

/// One object that has changed.
#[derive(Clone, Debug)]
pub(crate) struct Changed {
    pub(crate) table: TableId,
    /// As it is now, or as it was last.
    pub(crate) object: Arc<Stored>,
    pub(crate) deleted: bool,
}

/// Follows all tables. What was there before it began comes first.
#[derive(Debug)]
pub(crate) struct Feed {
    store: Arc<Store>,
    wake: watch::Receiver<u64>,
    watches: BTreeMap<TableId, Watch>,
    /// The version up to which everything has been told.
    seen: u64,
    /// The version up to which its reader has done everything.
    done: Arc<AtomicU64>,
}

impl Feed {
    pub(crate) fn new(store: Arc<Store>) -> Self {
        Self {
            wake: store.wake(),
            store,
            watches: BTreeMap::new(),
            seen: 0,
            done: Arc::default(),
        }
    }

    /// The version up to which the reader of this feed has done everything that it had to.
    pub(crate) fn progress(&self) -> Arc<AtomicU64> {
        self.done.clone()
    }

    /// The version up to which the reader has been told of every change; it may know of later ones.
    pub(crate) fn seen(&self) -> u64 {
        self.seen
    }

    /// The next changes. That the reader asks for more says that it has done everything with the last ones.
    pub(crate) async fn next(&mut self) -> Vec<Changed> {
        loop {
            self.wake.mark_unchanged();
            // Before the look: all that is older is told by it. Objects of an earlier run woke nobody.
            let seen = self.store.version();
            let changes = self.take();
            self.seen = seen;
            if !changes.is_empty() {
                return changes;
            }
            self.done.fetch_max(seen, Ordering::SeqCst);
            self.store.settled_changed();
            if self.wake.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    fn take(&mut self) -> Vec<Changed> {
        let mut all = Vec::new();
        for table in self.store.tables() {
            let Some(watch) = self.watches.get_mut(&table) else {
                self.begin(&table, &mut all);
                continue;
            };
            match watch.take() {
                Ok(changes) => all.extend(changes.iter().map(|change| changed(&table, change))),
                Err(_compacted) => self.begin(&table, &mut all),
            }
        }
        all
    }

    /// Everything that is in a table, and from then on its changes.
    fn begin(&mut self, table: &TableId, all: &mut Vec<Changed>) {
        let watch = self.store.watch(table, self.store.version());
        let objects = self.store.all(table).into_iter();
        all.extend(objects.map(|object| Changed {
            table: table.clone(),
            object,
            deleted: false,
        }));
        self.watches.insert(table.clone(), watch);
    }
}

fn changed(table: &TableId, change: &Change) -> Changed {
    Changed {
        table: table.clone(),
        object: change.object.clone(),
        deleted: change.kind == ChangeKind::Deleted,
    }
}
