//! The store of an operator's children, by owner.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use kube::core::DynamicObject;

use super::{
    ChildEntry, ChildKey, Freshness, Version,
    child::{Filing, belongs},
};
use crate::{cluster::Kind, record::Names};

/// All children that carry the operator's label, and those that an answer or a live read has shown.
///
/// A newer version always wins over an older one, whichever way it comes: an own write is never forgotten for a watch
/// that lags behind.
#[derive(Debug)]
pub(crate) struct ChildStore {
    names: Names,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    by_owner: HashMap<Arc<str>, Vec<Arc<ChildEntry>>>,
    /// Which owner a child (by UID) is filed under.
    owner_of: HashMap<Arc<str>, Arc<str>>,
}

/// The UIDs that a watch's new list has shown so far.
#[derive(Debug, Default)]
pub(crate) struct Relist(HashSet<Arc<str>>);

impl Relist {
    pub(crate) fn saw(&mut self, object: &DynamicObject) {
        self.0.extend(object.metadata.uid.as_deref().map(Arc::from));
    }
}

impl ChildStore {
    pub(crate) fn new(names: &Names) -> Self {
        Self {
            names: names.clone(),
            inner: Mutex::default(),
        }
    }

    /// An object that a watch has shown. Returns the owners that have to look: the one it belongs to, and the one it left.
    pub(crate) fn seen(&self, kind: &Arc<Kind>, object: &DynamicObject) -> Vec<Arc<str>> {
        match belongs(kind, &object.metadata, &self.names) {
            Filing::To { owner, resource } => self.put(kind, object, &owner, &resource).1,
            Filing::OtherView => Vec::new(),
            // If it was one before, a live read tells.
            Filing::Nobody => self.left(object).into_iter().collect(),
        }
    }

    /// An object that an answer or a live read has shown, and that is proved to belong to this owner and resource.
    pub(crate) fn learned(
        &self,
        kind: &Arc<Kind>,
        object: &DynamicObject,
        owner: &str,
        resource: &str,
    ) -> Option<Arc<ChildEntry>> {
        self.put(kind, object, owner, resource).0
    }

    fn put(
        &self,
        kind: &Arc<Kind>,
        object: &DynamicObject,
        owner: &str,
        resource: &str,
    ) -> (Option<Arc<ChildEntry>>, Vec<Arc<str>>) {
        let Some(entry) = ChildEntry::new(kind, object, owner, resource) else {
            return (None, Vec::new());
        };
        let mut inner = self.lock();
        let mut owners = vec![entry.owner.clone()];
        if let Some(before) = inner.by_uid(&entry.uid) {
            if !entry.version.replaces(before.version) {
                return (Some(before), Vec::new());
            }
            let unchanged = entry.version == before.version && before.freshness == Freshness::Known;
            let same_place = before.owner == entry.owner && before.resource == entry.resource;
            if unchanged && same_place && entry.version != Version::default() {
                // What was found out about this version still holds, and nobody has to look again.
                return (Some(before), Vec::new());
            }
            inner.remove(&entry.uid);
            if before.owner != entry.owner {
                owners.push(before.owner.clone());
            }
        }
        let entry = Arc::new(entry);
        inner.insert(entry.clone());
        (Some(entry), owners)
    }

    /// A watch says that the object left its selection: deleted, or no longer labelled. Returns the owner that has to
    /// look.
    pub(crate) fn left(&self, object: &DynamicObject) -> Option<Arc<str>> {
        let uid = object.metadata.uid.as_deref()?;
        let mut inner = self.lock();
        let before = inner.by_uid(uid)?;
        let version = Version::of(object.metadata.resource_version.as_deref());
        if !version.replaces(before.version) {
            return None;
        }
        // An older answer that comes later must not end the question.
        inner.question(&before, version);
        Some(before.owner.clone())
    }

    /// A watch has listed anew: children of this kind and namespace that the list lacks are in question.
    /// Returns the owners that have to look.
    pub(crate) fn relisted(&self, kind: &Kind, namespace: Option<&str>, relist: &Relist) -> Vec<Arc<str>> {
        let mut inner = self.lock();
        let missing: Vec<_> = inner
            .by_owner
            .values()
            .flatten()
            .filter(|entry| entry.key.kind.is_same(kind))
            .filter(|entry| namespace.is_none() || entry.key.namespace.as_deref() == namespace)
            .filter(|entry| entry.freshness == Freshness::Known && !relist.0.contains(&entry.uid))
            .cloned()
            .collect();
        missing.iter().for_each(|entry| inner.question(entry, entry.version));
        missing.iter().map(|entry| entry.owner.clone()).collect()
    }

    /// A live read has proved that this incarnation is gone, or not ours.
    pub(crate) fn forget(&self, uid: &str) {
        self.lock().remove(uid);
    }

    /// The UIDs of all owners.
    pub(crate) fn owners(&self) -> Vec<Arc<str>> {
        self.lock().by_owner.keys().cloned().collect()
    }

    /// All children filed under an owner.
    pub(crate) fn of_owner(&self, owner: &str) -> Vec<Arc<ChildEntry>> {
        self.lock().by_owner.get(owner).cloned().unwrap_or_default()
    }

    /// A child of an owner.
    pub(crate) fn find(&self, owner: &str, key: &ChildKey) -> Option<Arc<ChildEntry>> {
        let inner = self.lock();
        inner
            .by_owner
            .get(owner)?
            .iter()
            .find(|entry| entry.key == *key)
            .cloned()
    }

    /// Looks at every child. Nothing else can happen meanwhile.
    pub(crate) fn each(&self, look: impl FnMut(&ChildEntry)) {
        let inner = self.lock();
        inner.by_owner.values().flatten().map(|entry| &**entry).for_each(look);
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn by_uid(&self, uid: &str) -> Option<Arc<ChildEntry>> {
        let owner = self.owner_of.get(uid)?;
        self.by_owner
            .get(owner)?
            .iter()
            .find(|entry| *entry.uid == *uid)
            .cloned()
    }

    fn insert(&mut self, entry: Arc<ChildEntry>) {
        let same_name = |other: &Arc<ChildEntry>| other.key == entry.key;
        // A new incarnation replaces the one before it.
        if let Some(old) = self
            .by_owner
            .get(&entry.owner)
            .and_then(|all| all.iter().find(|e| same_name(e)).cloned())
        {
            self.remove(&old.uid);
        }
        self.owner_of.insert(entry.uid.clone(), entry.owner.clone());
        self.by_owner.entry(entry.owner.clone()).or_default().push(entry);
    }

    fn remove(&mut self, uid: &str) {
        let Some(owner) = self.owner_of.remove(uid) else {
            return;
        };
        if let Some(entries) = self.by_owner.get_mut(&owner) {
            entries.retain(|entry| *entry.uid != *uid);
            if entries.is_empty() {
                self.by_owner.remove(&owner);
            }
        }
    }

    fn question(&mut self, entry: &ChildEntry, version: Version) {
        self.remove(&entry.uid);
        self.insert(Arc::new(entry.questioned(version)));
    }
}
