//! The changes since a version, as they come.

use std::sync::Arc;

use tokio::sync::watch;

use super::{Store, TableId, history::Change};

/// The most changes that are taken at once, so that one slow reader holds few of them.
const BATCH: usize = 256;

/// Follows a table. It keeps no queue: what it has not yet read stands in the table's history.
#[derive(Debug)]
pub struct Watch {
    store: Arc<Store>,
    table: TableId,
    after: u64,
    wake: watch::Receiver<u64>,
}

/// Some of the changes that a watch has not read are not known any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compacted {
    /// The version after which the watch wanted to know.
    pub after: u64,
    /// The version up to which changes are not known.
    pub compacted: u64,
}

impl Watch {
    pub(super) fn new(store: Arc<Store>, table: TableId, after: u64, wake: watch::Receiver<u64>) -> Self {
        Self {
            store,
            table,
            after,
            wake,
        }
    }

    /// The version up to which it has read.
    pub fn after(&self) -> u64 {
        self.after
    }

    /// The changes that are there now; none if there are none.
    ///
    /// # Errors
    ///
    /// If some are not known any more.
    pub fn take(&mut self) -> Result<Vec<Arc<Change>>, Compacted> {
        self.wake.mark_unchanged();
        let mut inner = self.store.lock();
        let now = inner.version;
        let table = inner.table(&self.table, self.store.history);
        let Some(changes) = table.since(self.after, BATCH) else {
            let compacted = table.compacted();
            return Err(Compacted {
                after: self.after,
                compacted,
            });
        };
        if changes.len() < BATCH {
            // Nothing of this table is between here and now, so a bookmark may say so.
            self.after = self.after.max(now);
        } else if let Some(last) = changes.last() {
            self.after = last.version();
        }
        Ok(changes)
    }

    /// Waits for the next changes.
    ///
    /// # Errors
    ///
    /// If some are not known any more.
    pub async fn next(&mut self) -> Result<Vec<Arc<Change>>, Compacted> {
        loop {
            let changes = self.take()?;
            if !changes.is_empty() {
                return Ok(changes);
            }
            if self.wake.changed().await.is_err() {
                // The table's sender lives as long as the store, which this watch holds.
                return Ok(Vec::new());
            }
        }
    }
}
