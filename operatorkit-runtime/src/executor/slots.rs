//! Writing the slot of an `External`: one JSON patch, which tests that the object is as it was read.

use anyhow::{anyhow, bail};
use serde_json::json;

use super::{
    Pass,
    finalizer::{Patched, patch, pointer, set_annotation},
};
use crate::{
    cluster::Op,
    error::{ErrorExt as _, Result},
    operator::Operator,
    record::{SLOT_MAX, Slot},
    store::ObjectEntry,
};

const TRIES: usize = 4;
/// Where the slots of an own kind are (design, section 6).
const PATH: [&str; 3] = ["status", "operatorkit", "state"];

/// Stores a slot, or takes it off. Returns whether the object is still there; for an intent, whether it is not being deleted either, since
/// then nothing is made any more.
///
/// # Errors
/// If the slot was changed by somebody else meanwhile: then what was decided on it does not hold.
pub(super) async fn write<O: Operator>(pass: &Pass<O>, resource: &str, slot: Option<&Slot>) -> Result<bool> {
    if let Some(slot) = slot {
        check_size(resource, slot)?;
    }
    if pass.running.has_vanished(&pass.uid) {
        if slot.is_none() {
            pass.running.forget_slot(&pass.uid, resource);
        }
        return Ok(false);
    }
    let _one_at_a_time = pass.patching.lock().await;
    let before = pass.entry().slots.get(resource).cloned();
    if before.as_ref() == slot {
        return Ok(true);
    }
    for _ in 0..TRIES {
        let entry = pass.entry();
        if slot.is_some_and(|slot| slot.state.is_none()) && entry.terminating() {
            return Ok(false);
        }
        if entry.slots.get(resource) != before.as_ref() {
            bail!("the slot of `{resource}` was changed meanwhile by somebody else");
        }
        let (subresource, changes) = if pass.running.own {
            (Some("status"), in_status(&entry, resource, slot))
        } else {
            (None, in_annotation(pass, &entry, resource, slot))
        };
        // The version stands for all that was read: the API server compares bytes, and escapes `<`, `>` and `&` in what it has
        // stored, so a State itself cannot be tested (tried).
        let mut ops = vec![
            Op::test("/metadata/uid", json!(*pass.uid)),
            Op::test("/metadata/resourceVersion", json!(entry.meta.resource_version)),
        ];
        ops.extend(changes);
        match patch(pass, subresource, ops).await? {
            Patched::Done => return Ok(true),
            Patched::Again => {}
            Patched::Gone => return Ok(false),
        }
    }
    Err(anyhow!(
        "the object changes too fast for the slot of `{resource}` to be stored"
    ))
}

/// Whether a slot is small enough to be stored.
pub(super) fn fits(slot: &Slot) -> Result<bool> {
    Ok(size(slot)? <= SLOT_MAX)
}

fn size(slot: &Slot) -> Result<usize> {
    Ok(serde_json::to_vec(slot)?.len())
}

fn check_size(resource: &str, slot: &Slot) -> Result<()> {
    if fits(slot)? {
        return Ok(());
    }
    let size = size(slot)?;
    Err(anyhow!(
        "the State of `{resource}` has {size} bytes of JSON, {SLOT_MAX} are allowed: keep only what identifies the thing"
    )
    .reason("StateTooLarge")
    .permanent())
}

fn in_status<O: Operator>(entry: &ObjectEntry<O>, resource: &str, slot: Option<&Slot>) -> Vec<Op> {
    let depth = entry.slot_depth;
    let path = format!("/{}/{}", PATH.join("/"), pointer(resource));
    match (PATH.get(depth..).filter(|missing| !missing.is_empty()), slot) {
        (Some(_), None) => Vec::new(),
        // The deepest parent that is there gets the rest as one value.
        (Some(missing), Some(slot)) => {
            let path = format!("/{}", PATH[..=depth].join("/"));
            let inner = missing[1..]
                .iter()
                .rev()
                .fold(json!({ resource: slot }), |value, part| json!({ *part: value }));
            vec![Op::add(&path, inner)]
        }
        (None, Some(slot)) => vec![Op::add(&path, json!(slot))],
        (None, None) => vec![Op::remove(&path)],
    }
}

fn in_annotation<O: Operator>(pass: &Pass<O>, entry: &ObjectEntry<O>, resource: &str, slot: Option<&Slot>) -> Vec<Op> {
    let mut slots = (*entry.slots).clone();
    match slot {
        Some(slot) => slots.insert(resource.to_owned(), slot.clone()),
        None => slots.remove(resource),
    };
    let text = serde_json::to_string(&slots).expect("slots always serialise");
    let names = &pass.running.names;
    let former = names
        .former
        .iter()
        .filter(|former| entry.annotation(&former.state).is_some());
    let taken_off = former.map(|former| Op::remove(&format!("/metadata/annotations/{}", pointer(&former.state))));
    set_annotation(entry, &names.state, &text)
        .into_iter()
        .filter(|op| !op.is_test())
        .chain(taken_off)
        .collect()
}
