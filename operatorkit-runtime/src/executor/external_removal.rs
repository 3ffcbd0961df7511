//! `External` as a node, backwards: deleted by its stored State alone.

use anyhow::anyhow;

use super::{
    Backward, Pass,
    external::{Recovered, encode, find, recover, slot},
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
    if !backward.removal.takes_external(R::NAME) {
        return Ok(Flow::Ready(()));
    }
    let Some(slot) = slot::<O, R>(pass) else {
        return Ok(Flow::Ready(()));
    };
    let state = match recover(resource, pass, &slot).await? {
        Recovered::State(state) => state,
        Recovered::Nothing => {
            slots::write(pass, R::NAME, None).await?;
            return Ok(Flow::Ready(()));
        }
        Recovered::Wait(wait) => return Ok(Flow::Wait(wait)),
    };
    if let Some(wait) = confirm(resource, pass, &slot, &state).await? {
        return abandoned(pass, R::NAME, &slot, wait).await;
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
        Flow::Skip(why) if matches!(backward.removal, Removal::All) => {
            let message = format!(
                "`{}` gives up what it stored and leaves the thing behind: {why}",
                R::NAME
            );
            pass.scope.events.warning("StateGivenUp", message);
            Ok(Flow::Skip(why))
        }
        other => Ok(other),
    }
}

/// Where what is stored is not proof enough, the provider has to confirm it by the token: an existing kind's annotation
/// can be edited by whoever may edit the object, and a slot with another UID comes from a restored backup.
pub(super) async fn confirm<O: Operator, R: External<Operator = O>>(
    resource: &R,
    pass: &Pass<O>,
    slot: &Slot,
    state: &R::State,
) -> Result<Option<Wait>> {
    let restored = *slot.uid != *pass.uid;
    if pass.running.own && !restored {
        return Ok(None);
    }
    if R::META.settings.manual_recovery {
        return Ok(Some(unconfirmed(R::NAME)));
    }
    match find(
        resource,
        pass,
        &Slot {
            uid: pass.uid.to_string(),
            ..slot.clone()
        },
    )
    .await?
    {
        Flow::Ready(Some(found)) if encode::<R>(&found)? == encode::<R>(state)? => Ok(None),
        Flow::Ready(_) => Ok(Some(unconfirmed(R::NAME))),
        Flow::Wait(wait) => Ok(Some(wait)),
        Flow::Skip(why) | Flow::Cancel(why) => Err(anyhow!("a layer left out `find`: {why}")),
    }
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
    pass.scope.events.warning(&wait.reason, wait.message.clone());
    Ok(Flow::Wait(wait))
}

/// An `External` that the code does not know any more: its slot keeps the finalizer.
pub(super) async fn unknown<O: Operator>(pass: &Pass<O>, name: &str) -> Result<Flow<()>> {
    let Some(slot) = pass.entry().slots.get(name).cloned() else {
        return Ok(Flow::Ready(()));
    };
    let message = format!(
        "`{name}` is an `External` that this version of the operator does not know, and something may exist for it: bring the resource back \
         into the code (later marked `retired`), or set `decision: abandon` in its slot under status.operatorkit.state"
    );
    abandoned(pass, name, &slot, Wait::new(message).with_reason("UnknownExternal")).await
}
