//! The changes of one resource, as far as they are kept.

use std::{collections::VecDeque, sync::Arc};

use super::object::{Key, Stored};

/// How much history is kept for each resource.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most changes.
    pub changes: usize,
    /// The most bytes of objects in these changes.
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            changes: 10_000,
            bytes: 32 << 20,
        }
    }
}

/// What happened to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// It was created.
    Added,
    /// It was changed.
    Modified,
    /// It is gone.
    Deleted,
}

/// One change of one object.
#[derive(Debug)]
pub struct Change {
    /// What happened.
    pub kind: ChangeKind,
    /// The object after it; for a deletion as it was last, at the version of the deletion.
    pub object: Arc<Stored>,
    /// The object before it.
    pub previous: Option<Arc<Stored>>,
}

impl Change {
    /// The version of the change.
    pub fn version(&self) -> u64 {
        self.object.version
    }
}

/// The last changes of one resource, oldest first.
#[derive(Debug)]
pub struct History {
    changes: VecDeque<Arc<Change>>,
    /// Changes up to this version are not known.
    compacted: u64,
    bytes: usize,
    limits: Limits,
}

impl History {
    /// An empty history that begins after this version.
    pub fn after(version: u64, limits: Limits) -> Self {
        Self {
            changes: VecDeque::new(),
            compacted: version,
            bytes: 0,
            limits,
        }
    }

    /// The version up to which changes are not known.
    pub fn compacted(&self) -> u64 {
        self.compacted
    }

    /// Adds a change; forgets the oldest if there are too many.
    pub fn push(&mut self, change: Change) {
        self.bytes += change.object.len();
        self.changes.push_back(Arc::new(change));
        while self.changes.len() > self.limits.changes || self.bytes > self.limits.bytes && self.changes.len() > 1 {
            let Some(oldest) = self.changes.pop_front() else { break };
            self.forget(&oldest);
        }
    }

    fn forget(&mut self, change: &Change) {
        self.bytes -= change.object.len();
        self.compacted = change.version();
    }

    /// Forgets the changes up to a version.
    pub fn compact(&mut self, version: u64) {
        while let Some(oldest) = self.changes.pop_front_if(|change| change.version() <= version) {
            self.forget(&oldest);
        }
        self.compacted = self.compacted.max(version);
    }

    /// The changes after a version; `None` if some of them are not known any more.
    pub fn since(&self, version: u64) -> Option<impl Iterator<Item = &Arc<Change>>> {
        (version >= self.compacted).then(|| {
            let start = self.changes.partition_point(|change| change.version() <= version);
            self.changes.range(start..)
        })
    }

    /// How the objects that changed after a version were at it, `None` for those that were not there; the first entry of a key counts.
    pub fn before(&self, version: u64) -> Option<impl Iterator<Item = (&Key, Option<&Arc<Stored>>)>> {
        let changes = self.since(version)?;
        Some(changes.map(|change| (change.object.key(), change.previous.as_ref())))
    }
}
