//! What the controller of an object wants.

use jiff::Timestamp;

use super::{
    Item,
    cache::{
        CLAIMS, Cache, DAEMON_SETS, DEPLOYMENTS, ENDPOINTS, JOBS, NODES, PODS, REPLICA_SETS, REVISIONS, SERVICES,
        SLICES, STATEFUL_SETS,
    },
};
use crate::control::workloads::{
    Plan, reconcile_daemon_set, reconcile_deployment, reconcile_endpoint_slices, reconcile_endpoints, reconcile_job,
    reconcile_left_endpoints, reconcile_pod, reconcile_replica_set, reconcile_stateful_set,
};

/// The plans of the controllers of an object; `None` if it is gone or has none.
pub(super) fn look(
    cache: &Cache,
    item: &Item,
    failure: Option<&str>,
    number: u32,
    now: Timestamp,
) -> Option<Vec<Plan>> {
    let object = cache.get(item)?;
    let list = |table: &str| cache.list(table, &item.1.namespace);
    let nodes = || cache.list(NODES, "");
    let plan = match &*item.0 {
        DEPLOYMENTS => reconcile_deployment(object, &list(REPLICA_SETS), &list(PODS), failure, now),
        REPLICA_SETS => reconcile_replica_set(object, &list(PODS), &list(REPLICA_SETS), failure, now),
        STATEFUL_SETS => reconcile_stateful_set(object, &list(PODS), &list(CLAIMS), &list(REVISIONS), now),
        DAEMON_SETS => reconcile_daemon_set(object, &list(PODS), &nodes(), &list(REVISIONS), now),
        JOBS => reconcile_job(object, &list(PODS), now),
        PODS => reconcile_pod(object, &nodes(), number, now),
        SERVICES => {
            let slices = reconcile_endpoint_slices(object, &list(PODS), &nodes(), &list(SLICES), now);
            let endpoints = reconcile_endpoints(object, &list(PODS), &list(ENDPOINTS), now);
            return Some(vec![slices, endpoints]);
        }
        _ => return None,
    };
    Some(vec![plan])
}

/// What is to become of the Endpoints of a Service that is not there; `ended` if it was there until now.
pub(super) fn look_left(cache: &Cache, (table, key): &Item, ended: bool) -> Option<Vec<Plan>> {
    let endpoints = (&**table == SERVICES).then(|| cache.get(&(ENDPOINTS.into(), key.clone())))?;
    endpoints.map(|endpoints| vec![reconcile_left_endpoints(endpoints, ended)])
}
