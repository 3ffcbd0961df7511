//! Which owners of an object are there, gone, or waiting for it.

use serde_json::Value;

use super::collect::{Collector, FOREGROUND};
use crate::{object, store::Key};

/// The owners of an object by what is known of them: their UIDs.
#[derive(Debug, Default)]
pub(super) struct Owners {
    /// They are there.
    pub(super) solid: Vec<String>,
    /// They are gone, or never were.
    pub(super) dangling: Vec<String>,
    /// They are there until this object is gone.
    pub(super) waiting: Vec<String>,
}

/// Whether the owners are there cannot be said.
#[derive(Debug)]
pub(super) enum Unclear {
    /// Nothing is known of the kind of one of them.
    UnknownKind,
    /// The object is the cluster's, and this owner would be in a namespace.
    Namespaced(Value),
}

impl Collector {
    /// Looks up the owners of an object.
    pub(super) fn owners(&self, dependent: &Value) -> Result<Owners, Unclear> {
        let mut owners = Owners::default();
        let catalog = self.core.registry.catalog();
        for reference in object::owners(dependent) {
            let text = |field: &str| reference[field].as_str().unwrap_or_default();
            let uid = text("uid").to_owned();
            let served = catalog
                .by_kind(text("apiVersion"), text("kind"))
                .ok_or(Unclear::UnknownKind)?;
            let namespace = object::namespace(dependent);
            if namespace.is_empty() && served.namespaced {
                // An object of the cluster cannot be owned by one in a namespace: the real collector leaves it alone.
                return Err(Unclear::Namespaced(reference.clone()));
            }
            let key = Key::new(if served.namespaced { namespace } else { "" }, text("name"));
            let owner = self
                .core
                .store
                .get(&served.table, &key)
                .filter(|owner| owner.uid() == uid);
            let Some(owner) = owner.map(|owner| self.object(&served.table, &owner)) else {
                owners.dangling.push(uid);
                continue;
            };
            let waits =
                object::is_deleting(&owner) && object::finalizers(&owner).any(|finalizer| finalizer == FOREGROUND);
            if waits {
                owners.waiting.push(uid);
            } else {
                owners.solid.push(uid);
            }
        }
        Ok(owners)
    }
}
