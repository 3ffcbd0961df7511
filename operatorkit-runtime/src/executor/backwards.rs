//! A pass backwards: in delete order, by what is stored, and the finalizer last.

use std::{collections::BTreeSet, future::ready, sync::Arc, time::Duration};

use super::{
    Backward, Pass, Running,
    drive::{Ends, drive},
    ending::{End, step},
    external_removal, finalizer, look,
    pass::Removal,
    pause, removal,
};
use crate::{
    context::Triggers,
    error::Result,
    flow::{Flow, Wait},
    graph::Role,
    operator::{Operator, PausedDeletion},
    plan::Order,
    status::Phase,
    store::ObjectEntry,
};

/// What a pass backwards came to. A finished one has taken the finalizer off.
pub(super) async fn backwards<O: Operator>(
    running: &Arc<Running<O>>,
    entry: Arc<ObjectEntry<O>>,
    triggers: Triggers,
) -> Result<End> {
    // Nothing that deletion does depends on what was read.
    running.reads.forget(&entry.uid);
    let scope = running.scope(&entry, triggers).backwards();
    let pass = Pass::new(running.clone(), entry, scope);
    if let Some(wait) = paused_live(&pass).await? {
        return Ok(End::waiting(wait));
    }
    // After the live read, which may have shown more.
    let inventory = running.stored(&pass.entry());
    if let Some(wait) = look::ready(&pass, &inventory).await? {
        return Ok(End::waiting(wait));
    }
    look::by_mark(&pass, &inventory).await?;
    let order = running.deletion_order(&inventory).with_unplaced(known_names(&pass));
    let backward = Backward {
        pass,
        removal: Removal::All,
    };
    let ends = remove(&backward, &order).await;
    let pass = &backward.pass;
    let mut end = End::of(&order, &ends, Phase::Deleted, Phase::Deleting);
    end.locate(pass);
    end.kept = pass.scope.kept();
    if !end.is_finished() {
        return Ok(end);
    }
    if let Some(wait) = running.may_still_be_created(&pass.uid) {
        end.extend(End::waiting(wait));
        return Ok(end);
    }
    if let Some(wait) = look::nothing_left(pass, &inventory).await? {
        end.extend(End::waiting(wait));
        return Ok(end);
    }
    // Before it is sent: the watch may show the end before the answer comes.
    running.remember(&pass.uid, |memory| memory.released = true);
    let removed = finalizer::remove(pass).await;
    if !matches!(removed, Ok(true)) {
        running.remember(&pass.uid, |memory| memory.released = false);
    }
    if !removed? {
        let wait = Wait::new("what is stored of it has changed meanwhile").with_again(CHANGED);
        end.extend(End::waiting(wait));
    }
    Ok(end)
}

/// When to go by what has changed meanwhile; it is read already, so that no event need come.
const CHANGED: Duration = Duration::from_millis(200);

/// The resources that something exists for, whatever code and inventory say.
pub(super) fn known_names<O: Operator>(pass: &Pass<O>) -> BTreeSet<String> {
    let children = pass.running.children.of_owner(&pass.uid);
    let of_children = children.iter().map(|child| child.resource.to_string());
    of_children.chain(pass.entry().slots.keys().cloned()).collect()
}

/// Runs the delete plan over what the order names; what the code no longer knows is removed by what is stored.
pub(super) async fn remove<O: Operator>(backward: &Backward<O>, order: &Order) -> Ends {
    let pass = &backward.pass;
    let all = matches!(backward.removal, Removal::All);
    drive(
        order.edges(),
        |index| {
            if !all && pass.running.is_terminating(&pass.uid) {
                return Box::pin(ready(Ok(Flow::cancel("the object is being deleted"))));
            }
            Box::pin(remove_one(backward, order.name(index)))
        },
        |index, end| {
            if all {
                let step = || step(order.name(index), end, Phase::Deleted, Phase::Deleting);
                pass.running.tell(&pass.entry(), true, step);
            }
        },
    )
    .await
}

/// Removes what a resource has made. A name may have been another trait's in an older version, so all that can be stored for
/// it is looked at.
async fn remove_one<O: Operator>(backward: &Backward<O>, name: &str) -> Result<Flow<()>> {
    match removal::resource(backward, name).await? {
        Flow::Ready(()) => {}
        other => return Ok(other),
    }
    let node = backward.pass.running.node(name);
    let external = node.is_some_and(|node| node.role() == Role::External);
    if !external && backward.pass.entry().slots.contains_key(name) && matches!(backward.removal, Removal::All) {
        return external_removal::unknown(backward, name).await;
    }
    match node {
        Some(node) => node.delete(backward).await,
        None => Ok(Flow::Ready(())),
    }
}

/// The pause that holds up the deletion, if one does. It is read live once in a deletion, before the first DELETE; later the cache
/// will do.
async fn paused_live<O: Operator>(pass: &Pass<O>) -> Result<Option<Wait>> {
    let running = &pass.running;
    if O::PAUSED_DELETION == PausedDeletion::Proceed {
        return Ok(None);
    }
    if !running.remember(&pass.uid, |memory| memory.pause_read) {
        let entry = pass.entry();
        let live = running
            .cluster
            .get(&running.kind, entry.namespace(), entry.name())
            .await?;
        let live = live.filter(|live| live.metadata.uid.as_deref() == Some(&*pass.uid));
        if let Some(entry) = live.and_then(|live| running.take_in(live)) {
            pass.learn(entry);
        }
        running.remember(&pass.uid, |memory| memory.pause_read = true);
    }
    Ok(pause::holding(&pass.entry()))
}
