//! A pass forwards: finalizer and inventory, the resources in create order, then prune.

use std::{collections::BTreeSet, future::ready, sync::Arc};

use anyhow::anyhow;

use super::{
    Backward, Forward, Pass, Running, backwards,
    drive::drive,
    ending::{End, step},
    finalizer::Stored,
    inventory, optional, overdue,
    pass::{Removal, Wanted},
};
use crate::{
    context::Triggers,
    error::{ErrorExt as _, Result},
    flow::Flow,
    graph::Role,
    operator::Operator,
    status::Phase,
    store::{ChildEntry, ObjectEntry},
};

/// What a pass forwards came to, and the object as it was when the resources ran. `None`: there is nothing to do
/// forwards any more, since the object is gone or is being deleted.
pub(super) type Came<O> = Option<(End, Arc<ObjectEntry<O>>, Option<<O as Operator>::Status>)>;

pub(super) async fn forwards<O: Operator>(
    running: &Arc<Running<O>>,
    entry: Arc<ObjectEntry<O>>,
    triggers: Triggers,
) -> Result<Came<O>> {
    decoded(&entry)?;
    let scope = running.scope(&entry, triggers);
    let pass = Pass::new(running.clone(), entry.clone(), scope);
    if inventory::prepare(&pass).await? == Stored::NoLonger {
        return Ok(None);
    }
    // The pass goes on from the answer, which may be newer than the cache.
    let used = pass.entry();
    let object = decoded(&used)?;
    let pass = if Arc::ptr_eq(&used, &entry) {
        pass
    } else {
        Pass::new(running.clone(), used.clone(), running.scope(&used, triggers))
    };
    let forward = Forward::new(pass, object);
    let order = &running.shape.create;
    let ends = drive(
        order.edges(),
        |index| {
            let node = &running.nodes[index];
            if running.is_terminating(&used.uid) {
                return Box::pin(ready(Ok(Flow::cancel("the object is being deleted"))));
            }
            if node.meta().settings.retired {
                forward.retire(node.meta().name);
                return Box::pin(ready(Ok(Flow::Ready(()))));
            }
            node.apply(&forward, index)
        },
        |index, end| {
            let step = || step(order.name(index), end, Phase::Ready, Phase::Waiting);
            running.tell(&used, false, step);
        },
    )
    .await;
    if running.is_terminating(&used.uid) {
        return Ok(None);
    }
    forward.pass.scope.reads.replace();
    let mut end = End::of(order, &ends, Phase::Ready, Phase::Waiting);
    overdue::judge(running, &used, &mut end);
    end.lines.retain(|line| !running.is_retired(&line.name));
    let (pass, wanted) = forward.into_parts();
    end.look_again = wanted.unserved.then_some(optional::AGAIN);
    end.locate(&pass);
    let status = pass.scope.take_status();
    let manifests = running
        .nodes
        .iter()
        .filter(|node| node.role() == Role::Manifest)
        .map(|node| node.meta().name);
    let unread: BTreeSet<_> = end.unread.iter().map(|(name, _)| name.as_str()).collect();
    let all_said = manifests
        .into_iter()
        .all(|name| wanted.resolved.contains(name) || unread.contains(name));
    if all_said && end.is_resolved(&wanted.unwanted) && !is_settled(&pass, &wanted) {
        // Boxed, as all that is rarely needed: a pass that changes nothing is small.
        match Box::pin(prune(pass, wanted)).await {
            Ok(pruned) => end.extend(pruned),
            Err(err) => end.extend(End::failed(&err)),
        }
        if running.is_terminating(&used.uid) {
            return Ok(None);
        }
    }
    Ok(Some((end, used, status)))
}

/// The typed object.
fn decoded<O: Operator>(entry: &ObjectEntry<O>) -> Result<Arc<O::Object>> {
    entry.typed.clone().map_err(|why| {
        anyhow!("the stored object does not fit its type: {why}. Nothing is done for it until it is corrected")
            .reason("Undecodable")
            .permanent()
    })
}

/// Whether this pass wants exactly what there is, and the inventory says no more than the code: the usual case.
fn is_settled<O: Operator>(pass: &Pass<O>, wanted: &Wanted) -> bool {
    let running = &pass.running;
    let entry = pass.entry();
    let children = running.children.of_owner(&pass.uid);
    running.is_stored(&entry)
        && !children.iter().any(|child| is_extra(running, wanted, child))
        && !wanted.unwanted.iter().any(|name| entry.slots.contains_key(*name))
}

/// Removes, in delete order, what this pass no longer wants; then the inventory forgets what is gone.
async fn prune<O: Operator>(pass: Pass<O>, wanted: Wanted) -> Result<End> {
    let running = pass.running.clone();
    let stored = running.stored(&pass.entry());
    let order = running
        .prune_order(&stored)
        .with_unplaced(backwards::known_names(&pass));
    let backward = Backward {
        pass,
        removal: Removal::Unwanted(wanted),
    };
    let ends = backwards::remove(&backward, &order).await;
    let mut end = End::of(&order, &ends, Phase::Deleted, Phase::Deleting);
    end.locate(&backward.pass);
    end.lines.clear();
    let Backward { pass, removal } = backward;
    if let Removal::Unwanted(wanted) = removal
        && end.is_finished()
        && stored != running.inventory
    {
        inventory::narrow(&pass, &wanted).await?;
    }
    Ok(end)
}

/// Whether nobody wants a child any more: its resource said so, or left the code.
fn is_extra<O: Operator>(running: &Running<O>, wanted: &Wanted, child: &ChildEntry) -> bool {
    if wanted.children.contains_key(&child.key) {
        return false;
    }
    let left = || {
        running
            .node(&child.resource)
            .is_none_or(|node| node.role() != Role::Manifest)
    };
    wanted.resolved.contains(&*child.resource) || left()
}
