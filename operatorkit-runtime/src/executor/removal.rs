//! Removing children: with a policy and a UID precondition, and gone only when a live read says so.

use std::{sync::Arc, time::Duration};

use futures::future::join_all;

use super::{
    Backward, Pass,
    children::{is_unsure, terminating},
    creation::{proof, released},
    pass::Removal,
    release::{Release, release},
};
use crate::{
    cluster::{Deleted, Failure, Kind, PropagationPolicy},
    error::Result,
    flow::Flow,
    graph::{Propagation, Role},
    layer::Verb,
    operator::Operator,
    record::{Mark, Proof},
    store::{ChildEntry, Freshness},
};

/// When a child that was not what was known is looked at again.
const AGAIN: Duration = Duration::from_secs(1);

/// Removes the children of a resource, whether the code still knows it or not. `Ready` means that all are gone.
pub(super) async fn resource<O: Operator>(backward: &Backward<O>, resource: &str) -> Result<Flow<()>> {
    let pass = &backward.pass;
    let left_code = pass
        .running
        .node(resource)
        .is_none_or(|node| node.role() != Role::Manifest);
    let children = pass.running.children.of_owner(&pass.uid);
    let children: Vec<_> = children
        .into_iter()
        .filter(|entry| *entry.resource == *resource && backward.removal.takes_child(entry, left_code))
        .collect();
    if children.is_empty() {
        return Ok(Flow::Ready(()));
    }
    let propagation = propagation(backward, resource);
    let remove = || async {
        let ends = join_all(
            children
                .iter()
                .map(|entry| remove(backward, entry.clone(), propagation)),
        )
        .await;
        let ends = ends.into_iter().collect::<Result<Vec<_>>>()?;
        Ok(ends
            .into_iter()
            .find(|end| !matches!(end, Flow::Ready(())))
            .unwrap_or(Flow::Ready(())))
    };
    pass.call(resource, Verb::Delete, remove).await
}

/// Removes one child, if it is still ours.
async fn remove<O: Operator>(
    backward: &Backward<O>,
    entry: Arc<ChildEntry>,
    propagation: Option<Propagation>,
) -> Result<Flow<()>> {
    let pass = &backward.pass;
    let mut entry = entry;
    // Where only the cache says so, a live read decides, and tells if somebody released it.
    let sure = entry.freshness == Freshness::Known
        && matches!(proof(pass, &entry.key, &entry.meta()), Proof::Ours(_))
        && !is_unsure(pass, &entry);
    if !sure {
        match look(pass, &entry).await? {
            Some(live) => entry = live,
            None => return Ok(Flow::Ready(())),
        }
    }
    if is_kept(backward, &entry) {
        return leave(pass, &entry).await;
    }
    if entry.terminating {
        return Ok(Flow::Wait(terminating(pass, &entry)));
    }
    delete(pass, entry, propagation).await
}

/// Deletes a child of ours. An answer that contradicts what was known leads to a fresh look.
pub(super) async fn delete<O: Operator>(
    pass: &Pass<O>,
    entry: Arc<ChildEntry>,
    propagation: Option<Propagation>,
) -> Result<Flow<()>> {
    let key = &entry.key;
    let Some(kind) = pass.running.serving(&key.kind).await? else {
        pass.running.children.forget(&entry.uid);
        return Ok(Flow::Ready(()));
    };
    let policy = policy(&kind, propagation);
    let answer = pass
        .running
        .cluster
        .delete(&kind, key.namespace.as_deref(), &key.name, &entry.uid, policy)
        .await;
    match answer {
        Ok(Deleted::Gone) => {}
        Ok(Deleted::Accepted(object)) => {
            if object.metadata.deletion_timestamp.is_some()
                && object.metadata.finalizers.iter().flatten().next().is_some()
            {
                // Something holds it: the watch will tell.
                let entry = pass
                    .running
                    .children
                    .learned(&key.kind, &object, &pass.uid, &entry.resource)
                    .unwrap_or(entry);
                return Ok(Flow::Wait(terminating(pass, &entry)));
            }
        }
        // Another incarnation, or not there: the look below tells.
        Err(failure) if failure.is_conflict() || failure.is_not_found() || failure.is_not_served() => {}
        Err(failure) => return Err(failure.into()),
    }
    match look(pass, &entry).await? {
        Some(live) if live.terminating => Ok(Flow::Wait(terminating(pass, &live))),
        // It was not what was known: the next pass decides on what it is now.
        Some(live) => Ok(Flow::wait_for(AGAIN, format!("{} has changed meanwhile", live.key))),
        None => Ok(Flow::Ready(())),
    }
}

/// Whether a child is left behind: as its mark says; on a live object also if the code says so now.
fn is_kept<O: Operator>(backward: &Backward<O>, entry: &ChildEntry) -> bool {
    let node = backward.pass.running.node(&entry.resource);
    let of_the_code = || node.is_some_and(|node| node.meta().settings.keep);
    let live = matches!(backward.removal, Removal::Unwanted(_));
    Mark::on(&entry.meta()).is_some_and(|mark| mark.keep) || live && of_the_code()
}

/// Leaves a child behind: it then counts as gone.
async fn leave<O: Operator>(pass: &Pass<O>, entry: &ChildEntry) -> Result<Flow<()>> {
    let running = &pass.running;
    let Some(kind) = running.serving(&entry.key.kind).await? else {
        running.children.forget(&entry.uid);
        return Ok(Flow::Ready(()));
    };
    match release(&running.cluster, &running.names, &kind, &entry.key, &entry.uid).await? {
        Release::Done => {
            let message = format!(
                "{} is left behind (`on_delete = \"keep\"`), without our marks",
                entry.key
            );
            pass.scope.events.normal("Kept", message);
        }
        Release::NotOurs => {}
        Release::Again => {
            return Ok(Flow::wait_for(
                AGAIN,
                format!("{} changes too fast to be released", entry.key),
            ));
        }
    }
    running.children.forget(&entry.uid);
    Ok(Flow::Ready(()))
}

/// The live child, if it is still there and ours; otherwise it is forgotten.
async fn look<O: Operator>(pass: &Pass<O>, entry: &Arc<ChildEntry>) -> Result<Option<Arc<ChildEntry>>, Failure> {
    let key = &entry.key;
    let cluster = &pass.running.cluster;
    let live = match pass.running.serving(&key.kind).await? {
        Some(kind) => match cluster.get(&kind, key.namespace.as_deref(), &key.name).await {
            // The watch has not noticed yet.
            Err(failure) if failure.is_not_served() && cluster.serving(&kind.group, &kind.kind).await?.is_none() => {
                None
            }
            live => live?,
        },
        None => None,
    };
    let ours = live.filter(|live| {
        let ours = matches!(proof(pass, key, &live.metadata), Proof::Ours(_));
        if !ours {
            released(pass, key, live);
        }
        ours
    });
    match ours {
        // The resource is the one it was filed under, also if the labels are gone.
        Some(live) => Ok(pass
            .running
            .children
            .learned(&key.kind, &live, &pass.uid, &entry.resource)),
        None => {
            pass.running.children.forget(&entry.uid);
            Ok(None)
        }
    }
}

/// What a DELETE says of dependents. Where the resource does not say it: `Foreground`, so that a child is gone only when its own
/// dependents are; `Background` for kinds without dependents that are worth waiting for (design, section 5).
pub(crate) fn policy(kind: &Kind, said: Option<Propagation>) -> PropagationPolicy {
    match (said, &*kind.group, &*kind.kind) {
        (Some(Propagation::Orphan), ..) => PropagationPolicy::Orphan,
        (Some(Propagation::Background), ..)
        | (None, "", "ConfigMap" | "Secret" | "Service" | "ServiceAccount")
        | (None, "rbac.authorization.k8s.io", _) => PropagationPolicy::Background,
        (Some(Propagation::Foreground) | None, ..) => PropagationPolicy::Foreground,
    }
}

/// What a resource says of dependents: in a deletion as it was stored with the object, so that another version of the code deletes
/// as the one that made them would have; in a prune as the code says it, where it still knows the resource.
fn propagation<O: Operator>(backward: &Backward<O>, resource: &str) -> Option<Propagation> {
    let running = &backward.pass.running;
    let stored = running.stored(&backward.pass.entry());
    let known = match backward.removal {
        Removal::All => None,
        Removal::Unwanted(_) => running.inventory.node(resource),
    };
    known.or_else(|| stored.node(resource))?.propagation
}
