//! Objects that carry our finalizer and that the selector does not match (any more): handled all the same.

use std::sync::Arc;

use crate::{
    cluster::Failure,
    executor::Running,
    operator::{Operator, has_selector},
    store::ObjectEntry,
};

/// Looks once, when a namespace was seen for the first time, for objects that left the selector while nobody watched: a finalizer that nobody takes
/// off would hang them, and their namespace, for ever.
pub(super) async fn find<O: Operator>(running: &Arc<Running<O>>, namespace: Option<&str>) {
    // Without a selector there is none to leave.
    if !has_selector::<O>() {
        return;
    }
    if let Err(failure) = find_in(running, namespace).await {
        tracing::warn!(
            controller = %running.names.operator,
            "cannot look for objects that left the selector with our finalizer on them: {failure}"
        );
    }
}

async fn find_in<O: Operator>(running: &Arc<Running<O>>, namespace: Option<&str>) -> Result<(), Failure> {
    for found in running.cluster.list_metadata(&running.kind, namespace, None).await? {
        let meta = &found.metadata;
        let ours = meta
            .finalizers
            .iter()
            .flatten()
            .any(|name| running.names.is_finalizer(name));
        let (Some(name), Some(uid)) = (meta.name.as_deref(), meta.uid.as_deref()) else {
            continue;
        };
        if !ours || running.objects.get(uid).is_some() {
            continue;
        }
        let live = running
            .cluster
            .get(&running.kind, meta.namespace.as_deref(), name)
            .await?;
        if let Some(entry) = live.and_then(|live| ObjectEntry::new(live, &running.names, running.own)) {
            let (entry, _) = running.objects.put(entry);
            running.remember(&entry.uid, |memory| memory.preexisting = true);
            running.lost_sight(&entry.uid);
        }
    }
    Ok(())
}
