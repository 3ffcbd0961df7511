//! `External` as a node, forwards: intent, token, State.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, anyhow, bail};
use futures::future::BoxFuture;
use serde_json::Value;

use super::{Backward, Forward, Pass, external_removal, slots};
use crate::{
    context::{Cx, DeleteCx},
    error::{ErrorExt as _, Result},
    flow::{Flow, Wait},
    graph::{IsExternal, Role, Runs},
    layer::Verb,
    operator::Operator,
    record::{Decision, Slot, Token},
    resource::{External, Observed},
};

impl<O: Operator, R: External<Operator = O>> Runs<O, IsExternal> for R {
    const ROLE: Role = Role::External;

    fn apply<'a>(&'a self, pass: &'a Forward<O>, index: usize) -> BoxFuture<'a, Result<Flow<()>>> {
        Box::pin(apply(self, pass, index))
    }

    fn delete<'a>(&'a self, pass: &'a Backward<O>) -> BoxFuture<'a, Result<Flow<()>>> {
        Box::pin(external_removal::delete(self, pass))
    }
}

async fn apply<O: Operator, R: External<Operator = O>>(
    resource: &R,
    forward: &Forward<O>,
    index: usize,
) -> Result<Flow<()>> {
    let pass = &forward.pass;
    let cx = Cx::new(pass.scope.clone());
    let wanted = || async {
        let keep = resource.keep_on_delete(&forward.object);
        Ok(Flow::Ready((resource.wanted(&forward.object, &cx).await?, keep)))
    };
    let keep = match pass.call(R::NAME, Verb::Wanted, wanted).await? {
        Flow::Ready((true, keep)) => keep,
        Flow::Ready((false, _)) => {
            forward.do_not_want(R::NAME);
            return Ok(Flow::Ready(()));
        }
        other => return Ok(other.map(|_| ())),
    };
    let stored = match slot::<O, R>(pass) {
        None => None,
        Some(slot) => match recover(resource, pass, &slot).await? {
            Flow::Ready(stored) => stored,
            other => return Ok(other.map(|_| ())),
        },
    };
    let flow = match stored {
        Some(state) => observe(resource, forward, &cx, state, keep).await?,
        None => create(resource, forward, &cx, keep).await?,
    };
    Ok(flow.map(|state| pass.scope.outputs.set(index, state)))
}

/// What is stored for a resource. An existing kind keeps it in an annotation, which a replace drops: there nothing stored may
/// still mean that something was made, and the provider is asked, where it can be.
pub(super) fn slot<O: Operator, R: External>(pass: &Pass<O>) -> Option<Slot> {
    let stored = pass.entry().slots.get(R::NAME).cloned();
    let lost = || (!pass.running.own && !R::META.settings.manual_recovery).then(|| Slot::intent(&pass.uid));
    stored.or_else(lost)
}

/// The State in a slot; for an intent, what `find` says: `None`, if nothing exists. The intent may stay for the next create.
pub(super) async fn recover<O: Operator, R: External<Operator = O>>(
    resource: &R,
    pass: &Pass<O>,
    slot: &Slot,
) -> Result<Flow<Option<R::State>>> {
    if let Some(state) = &slot.state {
        return Ok(Flow::Ready(Some(decode::<R>(state)?)));
    }
    if R::META.settings.manual_recovery {
        return Ok(decide(pass, R::NAME, slot).await?.map(|()| None));
    }
    let found = find(resource, pass, slot).await?;
    if let Flow::Ready(Some(state)) = &found {
        // Found: it is ours to keep, also if this process ends now. A restored intent stays one of a restored slot, until
        // `observe` has confirmed it.
        let found = Slot::with_state(intent_uid(pass, slot), encode::<R>(state)?).kept(slot.keep);
        // What is too large to be stored is found again each time, so that its deletion gets through.
        if slots::fits(&found)? {
            slots::write(pass, R::NAME, Some(&found)).await?;
        }
    }
    Ok(found)
}

/// Asks the provider for the thing with the token. A slot of another UID was tagged with that UID's token; that of an
/// existing kind is an annotation, which others may edit, so there only the object's own token counts.
pub(super) async fn find<O: Operator, R: External<Operator = O>>(
    resource: &R,
    pass: &Pass<O>,
    slot: &Slot,
) -> Result<Flow<Option<R::State>>> {
    let uid = intent_uid(pass, slot);
    let token = Token::new(uid, R::NAME);
    let cx = DeleteCx::new(pass.scope.clone());
    pass.call(R::NAME, Verb::Find, || async {
        resource.find(&token, &cx).await.map(Flow::Ready)
    })
    .await
}

/// The UID that an intent was stored for. That of an existing kind is in an annotation, which others may edit.
fn intent_uid<'a, O: Operator>(pass: &'a Pass<O>, slot: &'a Slot) -> &'a str {
    if slot.uid.is_empty() || !pass.running.own {
        &pass.uid
    } else {
        &slot.uid
    }
}

/// What a person decided on an intent that cannot be recovered; it takes effect once.
async fn decide<O: Operator>(pass: &Pass<O>, name: &str, slot: &Slot) -> Result<Flow<()>> {
    let Some(decision) = slot.decision() else {
        let message = format!(
            "`{name}` was being made when the operator stopped, and its provider cannot be asked whether it exists: look there, then \
             set `decision: create` (nothing was made) or `decision: abandon` (leave it) in its slot under status.operatorkit.state"
        );
        return Ok(Flow::Wait(Wait::new(message).with_reason("DecisionNeeded")));
    };
    slots::write(pass, name, None).await?;
    let what = match decision {
        Decision::Create => "nothing was made, it is made anew where it is wanted",
        Decision::Abandon => "whatever was made is left to the person who decided",
    };
    pass.scope.events.normal("Decided", format!("`{name}`: {what}"));
    Ok(Flow::Ready(()))
}

async fn observe<O: Operator, R: External<Operator = O>>(
    resource: &R,
    forward: &Forward<O>,
    cx: &Cx<R>,
    state: R::State,
    keep: bool,
) -> Result<Flow<R::State>> {
    let pass = &forward.pass;
    let observed = pass
        .call(R::NAME, Verb::Observe, || resource.observe(&forward.object, &state, cx))
        .await?;
    let observed = match observed {
        Flow::Ready(observed) => observed,
        other => return Ok(other.map(|_| state)),
    };
    let restored = slot::<O, R>(pass).is_some_and(|slot| *slot.uid != *pass.uid);
    if restored && !matches!(observed, Observed::Absent) {
        let message = format!(
            "`{}` has a State from another incarnation of this object, and what it names exists: it is taken over",
            R::NAME
        );
        pass.scope.events.normal("StateConfirmed", message);
    }
    match observed {
        Observed::Matches(state) => store::<O, R>(pass, state, keep).await,
        Observed::Differs(state) => {
            if !pass.running.own
                && let Some(slot) = slot::<O, R>(pass)
            {
                match external_removal::confirm(resource, pass, &slot, &state).await? {
                    Flow::Ready(()) => {}
                    other => return Ok(other.map(|()| state)),
                }
            }
            match pass
                .call(R::NAME, Verb::Update, || resource.update(&forward.object, &state, cx))
                .await?
            {
                Flow::Ready(state) => store::<O, R>(pass, state, keep).await,
                other => Ok(other),
            }
        }
        Observed::Absent => create(resource, forward, cx, keep).await,
    }
}

/// Stores the intent, creates, and stores the State at once.
async fn create<O: Operator, R: External<Operator = O>>(
    resource: &R,
    forward: &Forward<O>,
    cx: &Cx<R>,
    keep: bool,
) -> Result<Flow<R::State>> {
    let pass = &forward.pass;
    let intent = Slot::intent(&pass.uid).kept(keep);
    if !slots::write(pass, R::NAME, Some(&intent)).await? {
        return Ok(Flow::cancel("the object is gone, or is being deleted"));
    }
    let token = Token::new(&pass.uid, R::NAME);
    let begun = AtomicBool::new(false);
    let create = || async {
        if begun.swap(true, Ordering::Relaxed)
            && let Some(found) = made_before(resource, pass).await?
        {
            return Ok(found);
        }
        resource.create(&forward.object, &token, cx).await
    };
    match pass.call(R::NAME, Verb::Create, create).await? {
        Flow::Ready(state) => store::<O, R>(pass, state, keep).await,
        other => Ok(other),
    }
}

/// What a layer finds that runs `create` again: the run before may have made the thing, whatever it answered, so the provider is asked
/// first. `None`: it was not made.
async fn made_before<O: Operator, R: External<Operator = O>>(
    resource: &R,
    pass: &Pass<O>,
) -> Result<Option<Flow<R::State>>> {
    if R::META.settings.manual_recovery {
        let why = "`create` is not run again: the run before may have made the thing, and its provider cannot be asked";
        return Err(anyhow!(why).reason("DecisionNeeded").permanent());
    }
    Ok(match find(resource, pass, &Slot::intent(&pass.uid)).await? {
        Flow::Ready(found) => found.map(Flow::Ready),
        Flow::Wait(wait) => Some(Flow::Wait(wait)),
        Flow::Skip(why) => Some(Flow::Skip(why)),
        Flow::Cancel(why) => Some(Flow::Cancel(why)),
    })
}

/// Stores a State, and whether its thing is left behind, if that is not what is stored.
async fn store<O: Operator, R: External<Operator = O>>(
    pass: &Pass<O>,
    state: R::State,
    keep: bool,
) -> Result<Flow<R::State>> {
    let slot = Slot::with_state(&pass.uid, encode::<R>(&state)?).kept(keep);
    slots::write(pass, R::NAME, Some(&slot)).await?;
    Ok(Flow::Ready(state))
}

pub(super) fn encode<R: External>(state: &R::State) -> Result<Value> {
    let value =
        serde_json::to_value(state).with_context(|| format!("the State of `{}` does not serialise", R::NAME))?;
    if value.is_null() {
        bail!(
            "the State of `{}` is stored as null, which looks as if nothing had been made: make it a struct",
            R::NAME
        );
    }
    Ok(value)
}

pub(super) fn decode<R: External>(state: &Value) -> Result<R::State> {
    serde_json::from_value(state.clone()).with_context(|| {
        format!(
            "the stored State of `{}` does not decode: its type must be able to read what older versions stored",
            R::NAME
        )
    })
}
