//! `External` as a node, backwards: deleted by its stored State alone.

use serde_json::Value;

use super::{
    Backward, Pass,
    external::{decode, encode, find, recover, slot},
    pass::Removal,
    slots,
};
use crate::{
    context::DeleteCx,
    error::Result,
    flow::{Flow, Wait},
    layer::Verb,
    operator::Operator,
    record::{Decision, Slot},
    resource::External,
};

pub(super) async fn delete<O: Operator, R: External<Operator = O>>(
    resource: &R,
    backward: &Backward<O>,
) -> Result<Flow<()>> {
    let pass = &backward.pass;
    if !backward.removal.takes_external(R::NAME) || pass.running.is_forgotten(&pass.uid, R::NAME) {
        return Ok(Flow::Ready(()));
    }
    let Some(slot) = slot::<O, R>(pass) else {
        return Ok(Flow::Ready(()));
    };
    if is_kept(resource, backward).await? {
        return left_behind(backward, R::NAME).await;
    }
    let slot = readable::<O, R>(pass, slot);
    let state = match recover(resource, pass, &slot).await? {
        Flow::Ready(Some(state)) => state,
        Flow::Ready(None) => {
            slots::write(pass, R::NAME, None).await?;
            return Ok(Flow::Ready(()));
        }
        other => return Ok(given_up::<O, R>(backward, other.map(|_| ()))),
    };
    match confirm(resource, pass, &slot, &state).await? {
        Flow::Ready(()) => {}
        Flow::Wait(wait) => return abandoned(pass, R::NAME, &slot, wait).await,
        other => return Ok(given_up::<O, R>(backward, other)),
    }
    let cx = DeleteCx::new(pass.scope.clone());
    match pass
        .call(R::NAME, Verb::Delete, || resource.delete(&state, &cx))
        .await?
    {
        Flow::Ready(()) => {
            slots::write(pass, R::NAME, None).await?;
            Ok(Flow::Ready(()))
        }
        other => Ok(given_up::<O, R>(backward, other)),
    }
}

/// What is stored, as it can be read. A State that does not decode waits for a version of the operator that can read it; for an object that
/// went none will, and its provider is asked by the token instead.
fn readable<O: Operator, R: External>(pass: &Pass<O>, slot: Slot) -> Slot {
    let lost = |state: &Value| pass.running.has_vanished(&pass.uid) && decode::<R>(state).is_err();
    if slot.state.as_ref().is_some_and(lost) {
        Slot { state: None, ..slot }
    } else {
        slot
    }
}

/// What is skipped at a deletion counts as gone: an Event says what is thereby given up.
fn given_up<O: Operator, R: External<Operator = O>>(backward: &Backward<O>, flow: Flow<()>) -> Flow<()> {
    if let (Flow::Skip(why), Removal::All) = (&flow, &backward.removal) {
        let message = format!(
            "`{}` gives up what it stored and leaves the thing behind: {why}",
            R::NAME
        );
        backward.pass.scope.events.warning("StateGivenUp", message);
        backward.pass.running.forget_slot(&backward.pass.uid, R::NAME);
    }
    match flow {
        Flow::Wait(wait) if wait.reason == "DecisionNeeded" => undecided(&backward.pass, R::NAME, wait),
        flow => flow,
    }
}

/// Waits for a person. Of an object that went nobody can decide any more: the thing is left behind, and that is told.
fn undecided<O: Operator>(pass: &Pass<O>, name: &str, wait: Wait) -> Flow<()> {
    if !pass.running.has_vanished(&pass.uid) {
        return Flow::Wait(wait);
    }
    let message = format!(
        "`{name}` gives up what it stored and leaves the thing behind, since its object is gone and nobody can decide: {}",
        wait.message
    );
    tracing::warn!("{message}");
    pass.scope.events.warning("StateGivenUp", message);
    pass.running.forget_slot(&pass.uid, name);
    Flow::Ready(())
}

/// Whether the thing is left behind: as it was stored; on a live object also if the code says so now. Where the slot was lost, what the
/// object says, as far as it decodes.
async fn is_kept<O: Operator, R: External<Operator = O>>(resource: &R, backward: &Backward<O>) -> Result<bool> {
    let pass = &backward.pass;
    let entry = pass.entry();
    let of_the_code = R::META.settings.keep;
    let live = matches!(backward.removal, Removal::Unwanted(_));
    match (entry.slots.get(R::NAME), &entry.typed) {
        (Some(slot), _) => Ok(slot.keep || live && of_the_code),
        (None, Ok(object)) => {
            let keep = || async { Ok(Flow::Ready(resource.keep_on_delete(object))) };
            let keep = pass.call(R::NAME, Verb::Wanted, keep).await?;
            Ok(matches!(keep, Flow::Ready(true)))
        }
        (None, Err(_)) => Ok(of_the_code),
    }
}

/// Forgets what was stored of a thing; the thing stays.
async fn left_behind<O: Operator>(backward: &Backward<O>, name: &str) -> Result<Flow<()>> {
    let pass = &backward.pass;
    // In an annotation nothing stored may mean that it was lost: there it goes with the object.
    if pass.running.own || matches!(backward.removal, Removal::Unwanted(_)) {
        slots::write(pass, name, None).await?;
    }
    let message =
        format!("`{name}`: the thing is left behind (`on_delete = \"keep\"`), what was stored of it is forgotten");
    pass.scope.events.normal("Kept", message);
    Ok(Flow::Ready(()))
}

/// Where what is stored is not proof enough, the provider has to confirm it by the token: an existing kind's annotation
/// can be edited by whoever may edit the object, a slot with another UID comes from a restored backup, and what a State names may be the thing
/// of another object where its own went.
pub(super) async fn confirm<O: Operator, R: External<Operator = O>>(
    resource: &R,
    pass: &Pass<O>,
    slot: &Slot,
    state: &R::State,
) -> Result<Flow<()>> {
    let restored = *slot.uid != *pass.uid;
    let vanished = pass.running.has_vanished(&pass.uid);
    let replaced = pass.running.is_replaced(&pass.entry());
    let sure = !vanished || R::META.settings.manual_recovery && !replaced;
    if pass.running.own && !restored && sure {
        return Ok(Flow::Ready(()));
    }
    if R::META.settings.manual_recovery {
        return Ok(Flow::Wait(unconfirmed(R::NAME)));
    }
    let slot = Slot {
        uid: pass.uid.to_string(),
        ..slot.clone()
    };
    Ok(match find(resource, pass, &slot).await? {
        Flow::Ready(Some(found)) if encode::<R>(&found)? == encode::<R>(state)? => Flow::Ready(()),
        Flow::Ready(None) if vanished => Flow::skip("its provider does not find it any more"),
        Flow::Ready(_) => Flow::Wait(unconfirmed(R::NAME)),
        other => other.map(|_| ()),
    })
}

fn unconfirmed(name: &str) -> Wait {
    let message = format!(
        "the State of `{name}` is not confirmed by its provider (edited, or from a restored backup), so nothing is deleted by it: delete the \
         thing by hand if it is yours, then set `decision: abandon` in its slot"
    );
    Wait::new(message).with_reason("StateNotConfirmed")
}

/// Waits for a person, unless the person has decided to let go.
async fn abandoned<O: Operator>(pass: &Pass<O>, name: &str, slot: &Slot, wait: Wait) -> Result<Flow<()>> {
    if slot.decision() == Some(Decision::Abandon) {
        slots::write(pass, name, None).await?;
        pass.scope.events.warning(
            "Abandoned",
            format!("`{name}`: what it stored is let go of, as a person decided"),
        );
        return Ok(Flow::Ready(()));
    }
    if !pass.running.has_vanished(&pass.uid) {
        pass.scope.events.warning(&wait.reason, wait.message.clone());
    }
    Ok(undecided(pass, name, wait))
}

/// An `External` that the code does not know any more: its slot keeps the finalizer.
pub(super) async fn unknown<O: Operator>(backward: &Backward<O>, name: &str) -> Result<Flow<()>> {
    let pass = &backward.pass;
    let Some(slot) = pass.entry().slots.get(name).cloned() else {
        return Ok(Flow::Ready(()));
    };
    if pass.running.is_forgotten(&pass.uid, name) {
        return Ok(Flow::Ready(()));
    }
    if slot.keep {
        return left_behind(backward, name).await;
    }
    if slot.state.is_none() && slot.decision() == Some(Decision::Create) {
        slots::write(pass, name, None).await?;
        let message = format!("`{name}`: nothing was made, as a person decided");
        pass.scope.events.normal("Decided", message);
        return Ok(Flow::Ready(()));
    }
    let message = format!(
        "`{name}` is an `External` that this version of the operator does not know, and something may exist for it: bring the resource back \
         into the code, marked `retired`, or set `decision: abandon` in its slot under status.operatorkit.state"
    );
    abandoned(pass, name, &slot, Wait::new(message).with_reason("UnknownExternal")).await
}
