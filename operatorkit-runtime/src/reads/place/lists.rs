//! Lists by label that are read.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

use super::{
    super::key::{Key, ListKey},
    Place, Woken,
    entry::Object,
    readers,
};
use crate::{queue::Uid, store::Version};

/// A list that is read.
#[derive(Debug, Default)]
pub(super) struct List {
    pub(super) readers: HashSet<Uid>,
    /// Whether a live list has shown what is in it.
    known: bool,
    /// While a live list is under way: what left meanwhile, and at which version.
    under_way: Option<HashMap<Key, Version>>,
    /// Who lists: one at a time.
    turn: Arc<tokio::sync::Mutex<()>>,
}

impl List {
    /// Something left, or is not in it.
    pub(super) fn left(&mut self, key: &Key, version: Version) {
        if let Some(left) = &mut self.under_way {
            left.insert(key.clone(), version);
        }
    }

    /// A live list that is under way may be older than what was just listed.
    pub(super) fn question(&mut self) {
        self.under_way = None;
    }

    /// What is in it has to be found out anew.
    pub(super) fn forget(&mut self) {
        self.known = false;
        self.under_way = None;
    }
}

impl Place {
    /// Who lists: one at a time.
    pub(in crate::reads) fn list_turn(&self, key: &ListKey) -> Option<Arc<tokio::sync::Mutex<()>>> {
        Some(self.lists.get(key)?.turn.clone())
    }

    /// What is in a list, by name; `None` if that has to be found out.
    pub(in crate::reads) fn members(&self, key: &ListKey) -> Option<Vec<Key>> {
        self.lists.get(key).filter(|list| list.known)?;
        let inside = self.entries.iter().filter(|(_, entry)| entry.lists.contains(key));
        let mut members: Vec<_> = inside.map(|(key, _)| key.clone()).collect();
        members.sort();
        Some(members)
    }

    /// A live list begins.
    pub(in crate::reads) fn listing(&mut self, key: &ListKey) {
        if let Some(list) = self.lists.get_mut(key) {
            list.under_way = Some(HashMap::new());
        }
    }

    /// Takes in what a live list has shown; what left meanwhile apart. `None`: it may be too old.
    pub(in crate::reads) fn took_list(&mut self, key: &ListKey, found: &[(Key, Version, Object)]) -> Option<Woken> {
        let list = self.lists.get_mut(key)?;
        let left = list.under_way.take()?;
        list.known = true;
        let mut woken = Woken::new();
        for (object_key, version, object) in found {
            if left.get(object_key).is_some_and(|left| left >= version) {
                continue;
            }
            let entry = self.entries.entry(object_key.clone()).or_default();
            if entry.listed(*version, object) {
                woken.extend(readers(entry, &self.lists));
            }
            entry.lists.insert(key.clone());
        }
        Some(woken)
    }

    /// A live read has shown that an object is not in a list any more.
    pub(in crate::reads) fn not_in_list(&mut self, list: &ListKey, key: &Key) {
        if let Some(entry) = self.entries.get_mut(key) {
            entry.lists.remove(list);
            self.drop_unread(key);
        }
    }

    /// Puts an object that the watch has shown into the lists that it belongs to, and takes it out of the others.
    pub(super) fn sort_into_lists(&mut self, key: &Key, version: Version, labels: &BTreeMap<String, String>) -> Woken {
        let mut woken = Woken::new();
        for (id, list) in self.lists.iter_mut().filter(|(id, _)| id.covers(key)) {
            let is_in = self.entries.get(key).is_some_and(|entry| entry.lists.contains(id));
            let belongs = id.selects(labels);
            if !belongs {
                list.left(key, version);
            }
            match (is_in, belongs) {
                (false, true) => {
                    let entry = self.entries.entry(key.clone()).or_default();
                    entry.lists.insert(id.clone());
                }
                (true, false) => {
                    if let Some(entry) = self.entries.get_mut(key) {
                        entry.lists.remove(id);
                    }
                }
                _ => continue,
            }
            if list.known {
                woken.extend(list.readers.iter().cloned());
            }
        }
        woken
    }

    pub(super) fn release_list(&mut self, key: &ListKey, uid: &Uid) {
        let Some(list) = self.lists.get_mut(key) else {
            return;
        };
        list.readers.remove(uid);
        if list.readers.is_empty() {
            self.lists.remove(key);
            self.entries.retain(|_, entry| {
                entry.lists.remove(key);
                !entry.is_unread()
            });
        }
    }
}
