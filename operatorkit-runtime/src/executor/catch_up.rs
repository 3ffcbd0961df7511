//! Knowing an object's children as they are now, without waiting for what the watches show.

use std::collections::HashSet;

use super::Running;
use crate::{
    error::Result,
    operator::Operator,
    record::OWNER_LABEL,
    store::{ObjectEntry, Version},
};

impl<O: Operator> Running<O> {
    /// Lists the children of an object and files what is not known of them yet; the watches that a pass relies on are filled.
    pub(crate) async fn catch_up(&self, entry: &ObjectEntry<O>) -> Result<()> {
        let inventory = self.stored(entry);
        for stored in &inventory.kinds {
            self.watches
                .ensure(&self.interned(stored.kind.clone()), stored.any_namespace);
        }
        self.watches.settled().await;
        let selector = format!("{OWNER_LABEL}={}", entry.uid);
        let mut listed = HashSet::new();
        for stored in &inventory.kinds {
            let Some(kind) = self.serving(&stored.kind).await? else {
                continue;
            };
            let namespace = entry.namespace().filter(|_| kind.namespaced && !stored.any_namespace);
            for found in self.cluster.list_metadata(&kind, namespace, Some(&selector)).await? {
                let meta = &found.metadata;
                let (Some(uid), Some(name)) = (meta.uid.as_deref(), meta.name.as_deref()) else {
                    continue;
                };
                listed.insert(uid.to_owned());
                let known = self.children.of_owner(&entry.uid);
                let version = Version::of(meta.resource_version.as_deref());
                if known.iter().any(|child| *child.uid == *uid && child.version == version) {
                    continue;
                }
                if let Some(live) = self.cluster.get(&kind, meta.namespace.as_deref(), name).await? {
                    self.children.seen(&kind, &live);
                }
            }
        }
        for child in self.children.of_owner(&entry.uid) {
            if listed.contains(&*child.uid) {
                continue;
            }
            let key = &child.key;
            match self.cluster.get(&key.kind, key.namespace.as_deref(), &key.name).await? {
                Some(live) if live.metadata.uid.as_deref() == Some(&*child.uid) => {
                    self.children.seen(&key.kind, &live);
                }
                _ => self.children.forget(&child.uid),
            }
        }
        Ok(())
    }
}
