//! What has happened to the objects, for those who check that it was right.

use serde_json::Value;

use super::ApiServer;
use crate::{
    registry::Served,
    store::{ChangeKind, Stored},
};

/// One change of one object.
#[derive(Clone, Debug)]
pub struct ObjectChange {
    /// What happened.
    pub kind: ChangeKind,
    /// Its resource: the plural, with the group if it has one (`deployments.apps`).
    pub resource: String,
    /// The object after the change, in the version that is stored; for a deletion as it was last.
    pub object: Value,
    /// The version of the change: its place in the order of all changes.
    pub version: u64,
}

impl ApiServer {
    /// The changes of all objects after a version, whoever made them, in order. What the [history](super::Builder::history) no longer has is
    /// missing.
    pub fn changes_since(&self, version: u64) -> Vec<ObjectChange> {
        let catalog = self.core.registry.catalog();
        let mut all = Vec::new();
        for table in self.core.store.tables() {
            let Some(served) = catalog.of_table(&table) else {
                continue;
            };
            let changes = self.core.store.changes(&table, version);
            all.extend(changes.iter().map(|change| seen(served, change.kind, &change.object)));
        }
        all.sort_by_key(|change| change.version);
        all
    }

    /// All objects as they are now, as if each had just been made.
    pub fn objects(&self) -> Vec<ObjectChange> {
        let catalog = self.core.registry.catalog();
        let mut all = Vec::new();
        for table in self.core.store.tables() {
            let Some(served) = catalog.of_table(&table) else {
                continue;
            };
            let objects = self.core.store.all(&table);
            all.extend(objects.iter().map(|object| seen(served, ChangeKind::Added, object)));
        }
        all
    }
}

fn seen(served: &Served, kind: ChangeKind, object: &Stored) -> ObjectChange {
    let resource = match &*served.group {
        "" => served.plural.to_string(),
        group => format!("{}.{group}", served.plural),
    };
    ObjectChange {
        kind,
        resource,
        object: object.value(&served.api_version, &served.kind),
        version: object.version,
    }
}
