//! The objects that the workload controllers look at, as they were seen last.

use std::{
    collections::{BTreeMap, HashMap},
    ops::Bound::{Included, Unbounded},
};

use serde_json::Value;

use super::Item;
use crate::store::{Key, TableId};

pub(super) const DEPLOYMENTS: &str = "apps/deployments";
pub(super) const REPLICA_SETS: &str = "apps/replicasets";
pub(super) const STATEFUL_SETS: &str = "apps/statefulsets";
pub(super) const DAEMON_SETS: &str = "apps/daemonsets";
pub(super) const REVISIONS: &str = "apps/controllerrevisions";
pub(super) const JOBS: &str = "batch/jobs";
pub(super) const PODS: &str = "/pods";
pub(super) const NODES: &str = "/nodes";
pub(super) const CLAIMS: &str = "/persistentvolumeclaims";
pub(super) const SERVICES: &str = "/services";
pub(super) const ENDPOINTS: &str = "/endpoints";
pub(super) const SLICES: &str = "discovery.k8s.io/endpointslices";

const ALL: [&str; 12] = [
    DEPLOYMENTS,
    REPLICA_SETS,
    STATEFUL_SETS,
    DAEMON_SETS,
    REVISIONS,
    JOBS,
    PODS,
    NODES,
    CLAIMS,
    SERVICES,
    ENDPOINTS,
    SLICES,
];

/// Whether a table's objects are looked at.
pub(super) fn is_looked_at(table: &str) -> bool {
    ALL.contains(&table)
}

/// The objects, by table, namespace and name.
#[derive(Debug, Default)]
pub(super) struct Cache(HashMap<TableId, BTreeMap<Key, Value>>);

impl Cache {
    /// Takes an object in, or out if there is none; what was there before.
    pub(super) fn put(&mut self, (table, key): &Item, object: Option<Value>) -> Option<Value> {
        let table = self.0.entry(table.clone()).or_default();
        match object {
            Some(object) => table.insert(key.clone(), object),
            None => table.remove(key),
        }
    }

    /// An object.
    pub(super) fn get(&self, (table, key): &Item) -> Option<&Value> {
        self.0.get(table)?.get(key)
    }

    /// The objects of a table in a namespace.
    pub(super) fn list<'a>(&'a self, table: &str, namespace: &'a str) -> Vec<&'a Value> {
        let start = Included(Key::new(namespace, ""));
        let objects = self
            .0
            .get(table)
            .into_iter()
            .flat_map(|table| table.range((start.clone(), Unbounded)));
        objects
            .take_while(|(key, _)| *key.namespace == *namespace)
            .map(|(_, object)| object)
            .collect()
    }

    /// The names of the objects of a table in a namespace; of all of them without one.
    pub(super) fn items(&self, table: &str, namespace: Option<&str>) -> Vec<Item> {
        let Some((id, objects)) = self.0.get_key_value(table) else {
            return Vec::new();
        };
        let here = |key: &&Key| namespace.is_none_or(|namespace| *key.namespace == *namespace);
        objects
            .keys()
            .filter(here)
            .map(|key| (id.clone(), key.clone()))
            .collect()
    }
}
