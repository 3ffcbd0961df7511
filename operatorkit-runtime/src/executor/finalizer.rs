//! The finalizer: first in, together with the inventory, and last out; by JSON patch with `test`.

use serde_json::{Value, json};

use super::{Pass, turns};
pub(super) use crate::cluster::pointer;
use crate::{
    cluster::{Failure, Op},
    error::Result,
    operator::Operator,
    record::Inventory,
    store::ObjectEntry,
};

/// How often a lost race leads to another look within one pass.
pub(super) const TRIES: usize = 4;

/// What came of storing something on the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stored {
    Yes,
    /// The object is gone, is another one, or is being deleted: this pass has nothing more to do.
    NoLonger,
}

/// Stores finalizer and inventory, if one of them is not there as it should be. Other people's finalizers are never
/// touched: the patch tests the list as it was.
pub(super) async fn store<O: Operator>(pass: &Pass<O>, inventory: &Inventory) -> Result<Stored> {
    let running = &pass.running;
    let text = inventory.to_text();
    for _ in 0..TRIES {
        let entry = pass.entry();
        if entry.terminating() {
            return Ok(Stored::NoLonger);
        }
        let finalizer = entry.has_finalizer(&running.names.finalizer);
        if finalizer && entry.annotation(&running.names.inventory) == Some(&text) {
            return Ok(Stored::Yes);
        }
        let mut ops = vec![Op::test("/metadata/uid", json!(*pass.uid))];
        if !finalizer {
            ops.extend(add_finalizer(&entry, &running.names.finalizer));
        }
        ops.extend(set_annotation(&entry, &running.names.inventory, &text));
        match patch(pass, None, ops).await? {
            Patched::Done => {
                if !finalizer {
                    turns::taken_on();
                }
                // Its deletion may have begun before the patch, which nobody had shown yet.
                let terminating = pass.entry().terminating();
                return Ok(if terminating { Stored::NoLonger } else { Stored::Yes });
            }
            Patched::Again => {}
            Patched::Gone => return Ok(Stored::NoLonger),
        }
    }
    Err(anyhow::anyhow!(
        "the object changes too fast for its finalizer to be stored"
    ))
}

/// Takes our finalizer off, also under an earlier name and those that are treated as ours. One that is gone already is a success.
///
/// The patch rests on the version that was read: what another process, such as the leader before, has stored meanwhile has to be undone
/// first. `false`: so it is, and the next pass goes by that.
pub(super) async fn remove<O: Operator>(pass: &Pass<O>) -> Result<bool> {
    let names = &pass.running.names;
    let gone_by = pass.entry();
    if pass.running.has_vanished(&pass.uid) {
        return Ok(true);
    }
    let inventory = pass.running.stored(&gone_by);
    for _ in 0..TRIES {
        let entry = pass.entry();
        if entry.slots != gone_by.slots || pass.running.stored(&entry) != inventory {
            return Ok(false);
        }
        let all = entry.meta.finalizers.iter().flatten().enumerate();
        let ours: Vec<_> = all.filter(|(_, it)| names.is_finalizer(it)).collect();
        if ours.is_empty() {
            return Ok(true);
        }
        let path = |at: usize| format!("/metadata/finalizers/{at}");
        let mut ops = Vec::from(Op::as_read(&entry.meta));
        ops.extend(ours.iter().map(|(at, name)| Op::test(&path(*at), json!(name))));
        // From the last, so that the places before it stay what they are.
        ops.extend(ours.iter().rev().map(|(at, _)| Op::remove(&path(*at))));
        match patch(pass, None, ops).await? {
            Patched::Done | Patched::Gone => return Ok(true),
            Patched::Again => {}
        }
    }
    Err(anyhow::anyhow!(
        "the object changes too fast for its finalizer to be removed"
    ))
}

/// What came of a patch that tests what it changes.
pub(super) enum Patched {
    Done,
    /// The object was not as it was known; it has been read live: decide again. Neither error nor backoff.
    Again,
    /// The object is gone, or is another one of the same name.
    Gone,
}

/// Patches the object and takes in the answer.
pub(super) async fn patch<O: Operator>(
    pass: &Pass<O>,
    subresource: Option<&str>,
    ops: Vec<Op>,
) -> Result<Patched, Failure> {
    let running = &pass.running;
    let entry = pass.entry();
    let (namespace, name) = (entry.namespace(), entry.name());
    let answer = running
        .cluster
        .json_patch(&running.kind, namespace, name, subresource, ops)
        .await;
    let (object, patched) = match answer {
        Ok(object) => (Some(object), Patched::Done),
        Err(failure) if failure.is_not_found() => (None, Patched::Gone),
        Err(failure) if failure.is_lost_race() || failure.is_terminating() => (
            running.cluster.get(&running.kind, namespace, name).await?,
            Patched::Again,
        ),
        Err(failure) => return Err(failure),
    };
    let object = object.filter(|object| object.metadata.uid.as_deref() == Some(&*pass.uid));
    match object.and_then(|object| running.take_in(object)) {
        Some(entry) => {
            pass.learn(entry);
            Ok(patched)
        }
        None => Ok(Patched::Gone),
    }
}

fn add_finalizer<O: Operator>(entry: &ObjectEntry<O>, name: &str) -> [Op; 2] {
    let before = entry.meta.finalizers.clone().filter(|list| !list.is_empty());
    match before {
        Some(list) => [
            Op::test("/metadata/finalizers", json!(list)),
            Op::add("/metadata/finalizers/-", json!(name)),
        ],
        None => [
            Op::test("/metadata/finalizers", Value::Null),
            Op::add("/metadata/finalizers", json!([name])),
        ],
    }
}

/// Sets an annotation, and makes the map where there is none.
pub(super) fn set_annotation<O: Operator>(entry: &ObjectEntry<O>, key: &str, value: &str) -> [Op; 2] {
    match entry.meta.annotations.as_ref() {
        Some(annotations) => {
            let path = format!("/metadata/annotations/{}", pointer(key));
            [
                Op::test(&path, json!(annotations.get(key))),
                Op::add(&path, json!(value)),
            ]
        }
        None => {
            let map = Value::Object([(key.to_owned(), json!(value))].into_iter().collect());
            [
                Op::test("/metadata/annotations", Value::Null),
                Op::add("/metadata/annotations", map),
            ]
        }
    }
}
