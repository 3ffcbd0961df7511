//! Letting an object go: what is stored on it comes off, its finalizer last, and what is outside of Kubernetes is told before that.

use anyhow::bail;
use kube::core::{DynamicObject, ObjectMeta};
use serde_json::{Value, json};

use super::{Run, TRIES, shown};
use crate::{
    cluster::{Failure, Op, pointer},
    executor::without_managers,
    record::{Slot, Token},
};

/// Where what is stored of an own kind is.
const STORED: &str = "/status/operatorkit";

/// Whether an object carries something of ours.
pub(super) fn carries(run: &Run<'_>, object: &DynamicObject) -> bool {
    let meta = &object.metadata;
    meta.finalizers.iter().flatten().any(|it| run.names.is_finalizer(it))
        || annotations(run, meta).next().is_some()
        || stored(run, object).is_some()
        || without_managers(meta, &run.names).is_some()
}

/// Lets an object go, if it is still there and carries something of ours. It may be in deletion: then it goes with its last finalizer.
pub(super) async fn release(run: &Run<'_>, object: DynamicObject) -> anyhow::Result<()> {
    let mut told = Vec::new();
    let mut tries = TRIES;
    let mut known = object;
    if run.asked.dry_run {
        tell_left(run, &known, &mut told)?;
        return run.line(format!(
            "{} would be released{}",
            shown(&run.kind, &known.metadata),
            going(&known)
        ));
    }
    loop {
        let Some(live) = live(run, &known).await? else {
            return Ok(());
        };
        known = live;
        if !carries(run, &known) {
            return Ok(());
        }
        // Before anything of it goes: nothing else leads to it.
        tell_left(run, &known, &mut told)?;
        // With the finalizer an object that is being deleted goes: so it is the last.
        let stored = stored(run, &known).is_some();
        let patched = if stored {
            patch(run, &known, Some("status"), vec![Op::remove(STORED)]).await?
        } else {
            patch(run, &known, None, ops(run, &known.metadata)).await?
        };
        match patched {
            true if stored => {}
            true => {
                run.let_go_of(&known.metadata);
                return run.line(format!(
                    "{} released{}",
                    shown(&run.kind, &known.metadata),
                    going(&known)
                ));
            }
            false if tries > 1 => tries -= 1,
            false => bail!("it changes too fast to be released"),
        }
    }
}

fn going(object: &DynamicObject) -> &'static str {
    if object.metadata.deletion_timestamp.is_some() {
        ", which is being deleted: it goes without its children"
    } else {
        ""
    }
}

/// The object as it is now; `None` if it is gone, or another one of its name.
async fn live(run: &Run<'_>, object: &DynamicObject) -> Result<Option<DynamicObject>, Failure> {
    let meta = &object.metadata;
    let name = meta.name.as_deref().unwrap_or_default();
    let live = run
        .cluster
        .get_part(&run.kind, meta.namespace.as_deref(), name, run.part())
        .await?;
    Ok(live.filter(|live| live.metadata.uid == meta.uid))
}

/// Changes an object, if it is as it was read. Returns whether it was.
async fn patch(
    run: &Run<'_>,
    object: &DynamicObject,
    subresource: Option<&str>,
    changes: Vec<Op>,
) -> Result<bool, Failure> {
    let meta = &object.metadata;
    let mut ops = Op::as_read(meta).to_vec();
    ops.extend(changes);
    let (namespace, name) = (meta.namespace.as_deref(), meta.name.as_deref().unwrap_or_default());
    match run
        .cluster
        .json_patch(&run.kind, namespace, name, subresource, ops)
        .await
    {
        Ok(_) => Ok(true),
        // Whether it is gone the next look tells.
        Err(failure) if failure.is_lost_race() || failure.is_not_found() => Ok(false),
        Err(failure) => Err(failure),
    }
}

/// Annotations, finalizers, and what our field managers own.
fn ops(run: &Run<'_>, meta: &ObjectMeta) -> Vec<Op> {
    let remove = |(key, _): (&str, &str)| Op::remove(&format!("/metadata/annotations/{}", pointer(key)));
    let mut ops: Vec<_> = annotations(run, meta).map(remove).collect();
    let finalizers = meta.finalizers.iter().flatten();
    let others: Vec<_> = finalizers.clone().filter(|it| !run.names.is_finalizer(it)).collect();
    if others.len() < finalizers.count() {
        ops.push(Op::add("/metadata/finalizers", json!(others)));
    }
    ops.extend(without_managers(meta, &run.names));
    ops
}

/// Those of ours that it has, with their values.
fn annotations<'a>(run: &'a Run<'_>, meta: &'a ObjectMeta) -> impl Iterator<Item = (&'a str, &'a str)> {
    let keys = run
        .names
        .latest_first()
        .flat_map(|names| [&names.inventory, &names.state]);
    keys.filter_map(move |key| Some((key.as_str(), meta.annotations.as_ref()?.get(key)?.as_str())))
}

/// What the status of an own kind has stored.
fn stored<'a>(run: &Run<'_>, object: &'a DynamicObject) -> Option<&'a Value> {
    object
        .data
        .pointer(STORED)
        .filter(|stored| run.own && !stored.is_null())
}

/// Tells what the object's `External`s leave behind, each once.
fn tell_left(run: &Run<'_>, object: &DynamicObject, told: &mut Vec<String>) -> anyhow::Result<()> {
    let slots = stored(run, object).map(|stored| stored["state"].clone());
    let states = run.names.latest_first().map(|names| &names.state);
    let texts = states.filter_map(|key| object.metadata.annotations.as_ref()?.get(key));
    let of_texts = texts.filter_map(|text| serde_json::from_str(text).ok());
    for slots in slots.into_iter().chain(of_texts) {
        for (resource, slot) in slots.as_object().into_iter().flatten() {
            let line = format!("{}: {}", shown(&run.kind, &object.metadata), left(resource, slot));
            if !told.contains(&line) {
                run.line(line.clone())?;
                told.push(line);
            }
        }
    }
    Ok(())
}

/// What a slot leads to: by its State, and by the token that the thing was made with.
fn left(resource: &str, slot: &Value) -> String {
    let read: Slot = serde_json::from_value(slot.clone()).unwrap_or_default();
    let token = Token::new(&read.uid, resource);
    match (&read.state, read.uid.is_empty()) {
        (Some(state), _) => format!("`{resource}` leaves {state} (token {token})"),
        (None, false) => format!("`{resource}` may have begun to make something (token {token})"),
        (None, true) => format!("`{resource}` leaves what cannot be read: {slot}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_told_by_what_leads_to_it() {
        let token = Token::new("u", "store");
        let made = left("store", &json!({ "uid": "u", "state": { "id": "b-1" } }));
        assert_eq!(made, format!("`store` leaves {{\"id\":\"b-1\"}} (token {token})"));
        let intent = left("store", &json!({ "uid": "u" }));
        assert_eq!(
            intent,
            format!("`store` may have begun to make something (token {token})")
        );
        let odd = left("store", &json!("odd"));
        assert_eq!(odd, "`store` leaves what cannot be read: \"odd\"");
    }
}
