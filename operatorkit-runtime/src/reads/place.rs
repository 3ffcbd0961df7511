//! What the watch over one place has shown of what is read there; pure.
//!
//! A body that was handed out is dropped as soon as the watch shows something newer, and then, and only then, those who were given it are
//! told. So nobody misses a change, and nobody runs for what he has not seen yet.

mod entry;
mod lists;

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

use tokio_util::sync::CancellationToken;

pub(super) use self::entry::{Body, Object};
use self::{entry::Entry, lists::List};
use super::{
    key::{Interest, Key, ListKey},
    table::serial,
};
use crate::{
    cluster::{Failure, Kind},
    queue::Uid,
    store::Version,
};

/// The objects to run again.
pub(super) type Woken = HashSet<Uid>;

/// What is read of a kind, in a namespace or in all.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) kind: Arc<Kind>,
    serial: u64,
    stop: CancellationToken,
    filled: bool,
    failing: Option<Failure>,
    /// The objects that could not read, because of the watch.
    waiting: HashSet<Uid>,
    entries: HashMap<Key, Entry>,
    lists: HashMap<ListKey, List>,
    /// What of it the list that is going on has shown, and how much else.
    listed: HashSet<Key>,
    others: usize,
}

/// What a complete list came to.
#[derive(Debug)]
pub(super) struct Filled {
    /// Who was given what the list lacks.
    pub(super) woken: Woken,
    /// Who waited for it.
    pub(super) waited: Woken,
    /// How many objects are kept, and how many others it showed.
    pub(super) kept: usize,
    pub(super) others: usize,
}

/// Whether what is known of a place can be relied on.
#[derive(Debug)]
pub(super) enum Standing {
    Good,
    /// The watch has said nothing yet.
    Unknown,
    NotServed,
    Failing(Failure),
}

impl Place {
    pub(super) fn new(kind: Arc<Kind>, stop: CancellationToken) -> Self {
        Self {
            kind,
            serial: serial(),
            stop,
            filled: false,
            failing: None,
            waiting: HashSet::new(),
            entries: HashMap::new(),
            lists: HashMap::new(),
            listed: HashSet::new(),
            others: 0,
        }
    }

    pub(super) fn serial(&self) -> u64 {
        self.serial
    }

    /// Ends the watch.
    pub(super) fn stop(&self) -> &CancellationToken {
        &self.stop
    }

    /// Whether nobody reads here.
    pub(super) fn is_idle(&self) -> bool {
        self.entries.is_empty() && self.lists.is_empty()
    }

    pub(super) fn register(&mut self, interest: &Interest, uid: &Uid) {
        match interest {
            Interest::Object(_, key) => {
                let entry = self.entries.entry(key.clone()).or_default();
                entry.readers.insert(uid.clone());
            }
            Interest::List(_, key) => {
                let list = self.lists.entry(key.clone()).or_default();
                list.readers.insert(uid.clone());
            }
        }
    }

    pub(super) fn release(&mut self, interest: &Interest, uid: &Uid) {
        match interest {
            Interest::Object(_, key) => {
                if let Some(entry) = self.entries.get_mut(key) {
                    entry.readers.remove(uid);
                    self.drop_unread(key);
                }
            }
            Interest::List(_, key) => self.release_list(key, uid),
        }
    }

    /// How the watch is. Who cannot rely on it is run again once that changes.
    pub(super) fn standing(&mut self, uid: &Uid) -> Standing {
        let standing = match &self.failing {
            Some(failure) if failure.is_not_served() => Standing::NotServed,
            // What was seen before may be old by now, and nobody would know.
            Some(failure) if !self.filled || failure.is_refused() => Standing::Failing(failure.clone()),
            _ if self.filled => return Standing::Good,
            _ => return Standing::Unknown,
        };
        self.waiting.insert(uid.clone());
        standing
    }

    pub(super) fn begin(&mut self) {
        self.listed.clear();
        self.others = 0;
    }

    pub(super) fn seen(&mut self, key: Key, version: Version, labels: &BTreeMap<String, String>) -> Woken {
        let woken = self.applied(&key, version, labels);
        if self.entries.contains_key(&key) {
            self.listed.insert(key);
        } else {
            self.others += 1;
        }
        woken
    }

    /// A list is complete: what it lacks is in question.
    pub(super) fn filled(&mut self) -> Filled {
        self.filled = true;
        let listed = std::mem::take(&mut self.listed);
        let mut woken = Woken::new();
        for (_, entry) in self.entries.iter_mut().filter(|(key, _)| !listed.contains(*key)) {
            let given = matches!(entry.body, Some(Body::Present { .. }));
            entry.question();
            if given {
                woken.extend(readers(entry, &self.lists));
            }
        }
        self.lists.values_mut().for_each(List::question);
        Filled {
            woken,
            waited: std::mem::take(&mut self.waiting),
            kept: self.entries.len(),
            others: self.others,
        }
    }

    /// The watch fails. Those who have read here look again, if what they were given cannot be relied on any more.
    pub(super) fn failing(&mut self, failure: &Failure) -> Woken {
        let ends = failure.is_not_served() || failure.is_refused();
        let news = self.failing.as_ref().is_none_or(|known| !known.is_like(failure));
        self.failing = Some(failure.clone());
        let mut woken = Woken::new();
        if news {
            woken.extend(std::mem::take(&mut self.waiting));
        }
        if ends && self.filled {
            self.filled = false;
            for entry in self.entries.values_mut() {
                entry.question();
                woken.extend(readers(entry, &self.lists));
            }
            woken.extend(self.lists.values().flat_map(|list| list.readers.iter().cloned()));
            self.lists.values_mut().for_each(List::forget);
        }
        woken
    }

    /// What failed works again.
    pub(super) fn recovered(&mut self) -> Woken {
        self.failing = None;
        if self.filled {
            std::mem::take(&mut self.waiting)
        } else {
            Woken::new()
        }
    }

    /// An object was made or changed.
    pub(super) fn applied(&mut self, key: &Key, version: Version, labels: &BTreeMap<String, String>) -> Woken {
        if self.entries.get(key).is_some_and(|entry| entry.knows(version)) {
            return Woken::new();
        }
        let mut woken = self.sort_into_lists(key, version, labels);
        if let Some(entry) = self.entries.get_mut(key) {
            entry.told(version);
            if entry.body.take().is_some() {
                woken.extend(readers(entry, &self.lists));
            }
        }
        self.drop_unread(key);
        woken
    }

    /// An object was deleted.
    pub(super) fn deleted(&mut self, key: &Key, version: Version) -> Woken {
        let mut woken = Woken::new();
        self.lists.values_mut().for_each(|list| list.left(key, version));
        let Some(entry) = self.entries.get_mut(key) else {
            return woken;
        };
        if entry.knows(version) {
            return woken;
        }
        entry.told(version);
        if let Some(Body::Present { .. }) = entry.body.replace(Body::Absent) {
            woken.extend(readers(entry, &self.lists));
        }
        entry.lists.clear();
        self.drop_unread(key);
        woken
    }

    /// What is read and known of an object.
    pub(super) fn entry(&mut self, key: &Key) -> Option<&mut Entry> {
        self.entries.get_mut(key)
    }

    fn drop_unread(&mut self, key: &Key) {
        if self.entries.get(key).is_some_and(Entry::is_unread) {
            self.entries.remove(key);
        }
    }
}

/// Who was given an object: those who read it by name, and those who read a list that it is in.
fn readers<'a>(entry: &'a Entry, lists: &'a HashMap<ListKey, List>) -> impl Iterator<Item = Uid> + 'a {
    let of_lists = entry.lists.iter().filter_map(|key| lists.get(key));
    let of_lists = of_lists.flat_map(|list| list.readers.iter());
    entry.readers.iter().chain(of_lists).cloned()
}
