//! Owners and dependents, as they were seen last.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

use super::{super::feed::Changed, Item};
use crate::object;

/// Who is owned by whom.
#[derive(Debug, Default)]
pub(super) struct Graph {
    places: HashMap<String, Item>,
    dependents: HashMap<String, BTreeSet<Item>>,
    owners: HashMap<Item, Vec<String>>,
}

impl Graph {
    /// Takes a change in; the objects that must be looked at because of it.
    pub(super) fn update(&mut self, changed: &Changed, object: &Value) -> BTreeSet<Item> {
        let item: Item = (changed.table.clone(), changed.object.key().clone());
        let uid = object::uid(object).to_owned();
        let mut due = BTreeSet::new();
        let before = self.owners.remove(&item).unwrap_or_default();
        for owner in &before {
            if let Some(dependents) = self.dependents.get_mut(owner) {
                dependents.remove(&item);
                if dependents.is_empty() {
                    self.dependents.remove(owner);
                }
            }
            // An owner that waits for its dependents may now go.
            due.extend(self.places.get(owner).cloned());
        }
        if changed.deleted {
            due.extend(self.dependents_of(&uid).cloned());
            if self.places.get(&uid) == Some(&item) {
                self.places.remove(&uid);
            }
            return due;
        }
        let owners: Vec<String> = object::owners(object)
            .filter_map(|owner| owner["uid"].as_str())
            .map(str::to_owned)
            .collect();
        for owner in &owners {
            self.dependents.entry(owner.clone()).or_default().insert(item.clone());
        }
        if object::is_deleting(object) {
            due.extend(self.dependents_of(&uid).cloned());
        }
        if !owners.is_empty() {
            self.owners.insert(item.clone(), owners);
        }
        self.places.insert(uid, item.clone());
        due.insert(item);
        due
    }

    /// The objects that name this UID as their owner.
    pub(super) fn dependents_of(&self, uid: &str) -> impl Iterator<Item = &Item> {
        self.dependents.get(uid).into_iter().flatten()
    }
}
