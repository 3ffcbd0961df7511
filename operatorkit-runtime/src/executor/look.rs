//! Looking at the cluster itself: where the cache is no proof.

use std::sync::Arc;

use super::{Pass, creation::proof};
use crate::{
    cluster::{Failure, Kind},
    error::Result,
    flow::Wait,
    operator::Operator,
    record::{Inventory, Mark, OPERATOR_LABEL, OWNER_LABEL, Proof, StoredKind},
    store::{ChildEntry, ChildKey},
};

/// Whether the watches of all kinds in the inventory are filled; starts those that are missing.
/// A kind that is not served any more has no children.
pub(super) async fn ready<O: Operator>(pass: &Pass<O>, inventory: &Inventory) -> Result<Option<Wait>> {
    let running = &pass.running;
    for stored in &inventory.kinds {
        let Some(kind) = running.serving(&stored.kind).await? else {
            continue;
        };
        running.watches.ensure(&kind, stored.any_namespace);
        if let Some(wait) = running
            .watches
            .unready(&kind, namespace(pass, stored, &kind), &pass.uid)
        {
            return Ok(Some(wait));
        }
    }
    Ok(None)
}

/// For what existed before this process: labels may have been taken off while nobody watched, and the first list of a watch may
/// be older than a child. Each kind and namespace is listed once per process, by mark; what is found is filed under its owner.
/// Whoever comes meanwhile waits for it.
pub(super) async fn by_mark<O: Operator>(pass: &Pass<O>, inventory: &Inventory) -> Result<()> {
    let running = &pass.running;
    if !running.remember(&pass.uid, |memory| memory.preexisting) {
        return Ok(());
    }
    let mut looked = running.looked.lock().await;
    for stored in &inventory.kinds {
        let Some(kind) = running.serving(&stored.kind).await? else {
            continue;
        };
        let namespace = namespace(pass, stored, &kind);
        let place = (kind.to_string(), namespace.map(str::to_owned));
        if !looked.contains(&place) {
            file_unseen(pass, &kind, namespace).await?;
            looked.insert(place);
        }
    }
    Ok(())
}

/// Files every object of a kind that carries a mark of this operator, and not the labels that our watch goes by, or that it has not
/// shown.
async fn file_unseen<O: Operator>(pass: &Pass<O>, kind: &Arc<Kind>, namespace: Option<&str>) -> Result<()> {
    let running = &pass.running;
    for found in running.cluster.list_metadata(kind, namespace, None).await? {
        let meta = &found.metadata;
        let Some(mark) = Mark::put_on(meta, kind, &running.names) else {
            continue;
        };
        let label = |key: &str| meta.labels.as_ref().and_then(|labels| labels.get(key));
        let watched = label(OPERATOR_LABEL).is_some_and(|operator| running.names.is_ours(operator));
        let Some(name) = meta.name.as_deref() else {
            continue;
        };
        let is_it = |child: &Arc<ChildEntry>| Some(&*child.uid) == meta.uid.as_deref();
        let is_known = || running.children.of_owner(&mark.uid).iter().any(is_it);
        if watched && label(OWNER_LABEL) == Some(&mark.uid) && is_known() {
            continue;
        }
        if let Some(live) = running.cluster.get(kind, meta.namespace.as_deref(), name).await? {
            running.children.learned(kind, &live, &mark.uid, &mark.resource);
            running.queue_owner(&mark.uid);
        }
    }
    Ok(())
}

/// The last look before the finalizer goes: a live LIST per kind. What is found is filed and keeps the finalizer.
pub(super) async fn nothing_left<O: Operator>(pass: &Pass<O>, inventory: &Inventory) -> Result<Option<Wait>> {
    let running = &pass.running;
    let selector = format!("{OWNER_LABEL}={}", pass.uid);
    let mut left = None;
    for stored in &inventory.kinds {
        let Some(kind) = running.serving(&stored.kind).await? else {
            continue;
        };
        let listed = running
            .cluster
            .list_metadata(&kind, namespace(pass, stored, &kind), Some(&selector))
            .await;
        let listed = match listed {
            Err(failure) if failure.is_not_served() => continue,
            listed => listed?,
        };
        for found in listed {
            let Some(name) = found.metadata.name.as_deref() else {
                continue;
            };
            let key = ChildKey::new(&kind, found.metadata.namespace.as_deref(), name);
            let Proof::Ours(mark) = proof(pass, &key, &found.metadata) else {
                continue;
            };
            if let Some(live) = running.cluster.get(&kind, key.namespace.as_deref(), name).await? {
                running.children.learned(&kind, &live, &pass.uid, &mark.resource);
                left = Some(Wait::new(format!("{key} is still there")).with_reason("ChildrenLeft"));
            }
        }
    }
    Ok(left)
}

/// Where children of a kind are looked for: in the object's namespace, or everywhere.
fn namespace<'a, O: Operator>(pass: &'a Pass<O>, stored: &StoredKind, kind: &Kind) -> Option<&'a str> {
    let own = pass.scope.meta.namespace.as_deref();
    own.filter(|_| kind.namespaced && !stored.any_namespace)
}

/// Whether no child of this kind is left in the cluster, in whichever version it is served; for narrowing the inventory.
pub(super) async fn is_unused<O: Operator>(pass: &Pass<O>, stored: &StoredKind) -> Result<bool, Failure> {
    let selector = format!("{OWNER_LABEL}={}", pass.uid);
    let Some(kind) = pass.running.serving(&stored.kind).await? else {
        return Ok(true);
    };
    let listed = pass
        .running
        .cluster
        .list_metadata(&kind, namespace(pass, stored, &kind), Some(&selector))
        .await?;
    Ok(listed.is_empty())
}
