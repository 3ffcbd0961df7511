//! Whom a change concerns.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{
    Item,
    cache::{
        CLAIMS, Cache, DAEMON_SETS, DEPLOYMENTS, ENDPOINTS, JOBS, NODES, PODS, REPLICA_SETS, REVISIONS, SERVICES,
        SLICES, STATEFUL_SETS,
    },
};
use crate::{object, store::Key, validation::selector};

/// The objects whose controllers must look again because this one has changed.
pub(super) fn concerned(cache: &Cache, item: &Item, object: &Value) -> BTreeSet<Item> {
    let (table, key) = item;
    let mut due = BTreeSet::from([item.clone()]);
    let all = |due: &mut BTreeSet<Item>, table: &str| due.extend(cache.items(table, Some(&key.namespace)));
    match &**table {
        PODS => {
            owned(
                &mut due,
                cache,
                key,
                object,
                &[REPLICA_SETS, STATEFUL_SETS, DAEMON_SETS, JOBS],
            );
            let selects = |item: &Item| {
                let service = cache.get(item).unwrap_or(&Value::Null);
                selector::map_matches(&service["spec"]["selector"], &object["metadata"]["labels"])
            };
            due.extend(
                cache
                    .items(SERVICES, Some(&key.namespace))
                    .into_iter()
                    .filter(|item| selects(item)),
            );
        }
        REPLICA_SETS => owned(&mut due, cache, key, object, &[DEPLOYMENTS]),
        REVISIONS => owned(&mut due, cache, key, object, &[STATEFUL_SETS, DAEMON_SETS]),
        CLAIMS => all(&mut due, STATEFUL_SETS),
        SLICES => {
            let name = object["metadata"]["labels"]["kubernetes.io/service-name"]
                .as_str()
                .unwrap_or_default();
            due.insert((SERVICES.into(), Key::new(&key.namespace, name)));
        }
        ENDPOINTS => {
            due.insert((SERVICES.into(), key.clone()));
        }
        NODES => {
            due.extend(cache.items(DAEMON_SETS, None));
            due.extend(cache.items(PODS, None));
        }
        _ => {}
    }
    due
}

/// Its controller; all that could adopt it, if it has none.
fn owned(due: &mut BTreeSet<Item>, cache: &Cache, key: &Key, object: &Value, owners: &[&str]) {
    let controller = object::owners(object).find(|owner| owner["controller"] == true);
    let Some(controller) = controller else {
        owners
            .iter()
            .for_each(|table| due.extend(cache.items(table, Some(&key.namespace))));
        return;
    };
    let table = match controller["kind"].as_str() {
        Some("Deployment") => DEPLOYMENTS,
        Some("ReplicaSet") => REPLICA_SETS,
        Some("StatefulSet") => STATEFUL_SETS,
        Some("DaemonSet") => DAEMON_SETS,
        Some("Job") => JOBS,
        _ => return,
    };
    let owner = (
        table.into(),
        Key::new(&key.namespace, controller["name"].as_str().unwrap_or_default()),
    );
    // A Pod counts for the Deployment above its ReplicaSet, too.
    if let Some(parent) = cache.get(&owner).filter(|_| table == REPLICA_SETS) {
        owned(due, cache, key, parent, &[]);
    }
    due.insert(owner);
}
