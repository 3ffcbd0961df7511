//! Server-side apply (`managedfields`, `FieldManager.Apply`).

use serde_json::Value;

use crate::failure::Failure;

use super::{
    conflict,
    conform::conform,
    last_applied,
    managed::{Given, Managed, Owned},
    mentioned::mentioned,
    merge::merge,
    order::equal,
    prune::prune,
    request::Request,
    strip,
    update::{empty, manager, track},
    updater::{Refusal, Typed, reconcile, take_from_others},
};

/// The live object with what is applied: `applied` laid over it, without what the manager applied before and nobody owns
/// any more, and with `metadata.managedFields` written. `live` is what is stored; `None` for a create.
///
/// The result is to be treated as the body of an update: nulls dropped as the kind does it, defaults set, strategy,
/// validation; then [`keep_times`](super::keep_times), and if the object is the stored one then, nothing is written.
///
/// # Errors
///
/// - 400: `applied` is of another version or kind, or has `managedFields`.
/// - 409: someone else owns what is applied with another value, and `force` is not set; one cause for each field.
/// - 500 without a reason, as the real server says it: `applied` does not fit the schema.
pub fn apply(live: Option<&Value>, applied: &Value, force: bool, request: &Request<'_>) -> Result<Value, Failure> {
    let created;
    let live = match live {
        Some(live) => live,
        None => {
            created = empty(request);
            &created
        }
    };
    let managed = match Given::of(live) {
        Given::Entries(managed) => managed,
        Given::Nothing | Given::Reset => Managed::default(),
        Given::Wrong(error) => return Err(wrong(format!("failed to decode managed fields: {error}"))),
    };
    check_kind(applied, request)?;
    let managed = before_first_apply(live, managed, request).map_err(conflict::failure)?;
    check_entries(applied)?;
    let done = match once(live, applied, managed.clone(), force, request) {
        Err(Refusal::Conflicts(conflicts)) if request.manager == last_applied::MANAGER => {
            match last_applied::remaining(conflicts, live, request) {
                remaining if remaining.is_empty() => once(live, applied, managed, true, request),
                remaining => Err(Refusal::Conflicts(remaining)),
            }
        }
        done => done,
    };
    let (mut object, managed) = done.map_err(conflict::failure)?;
    if request.manager == last_applied::MANAGER {
        last_applied::renew(&mut object, applied);
    }
    managed.encode(&mut object);
    Ok(object)
}

pub(super) fn wrong(message: impl Into<String>) -> Failure {
    Failure::new(500, "", message)
}

fn check_kind(applied: &Value, request: &Request<'_>) -> Result<(), Failure> {
    let text = |name: &str| applied[name].as_str().unwrap_or_default();
    if text("apiVersion") == request.api_version && text("kind") == request.kind {
        return Ok(());
    }
    let kind = conflict::group_version_kind(text("apiVersion"), text("kind"));
    Err(Failure::bad_request(format!("invalid object type: {kind}")))
}

fn check_entries(applied: &Value) -> Result<(), Failure> {
    match applied["metadata"].get("managedFields") {
        Some(Value::Array(_)) => Err(Failure::bad_request("metadata.managedFields must be nil")),
        _ => Ok(()),
    }
}

/// An object that nobody was tracked on is owned by a manager of that name.
fn before_first_apply(live: &Value, managed: Managed, request: &Request<'_>) -> Result<Managed, Refusal> {
    if !managed.owners.is_empty() {
        return Ok(managed);
    }
    track(&empty(request), live, managed, "before-first-apply", request)
        .map_err(|error| error.context("failed to create manager for existing fields"))
}

/// One attempt. The object comes without `managedFields`.
fn once(
    live: &Value,
    applied: &Value,
    mut managed: Managed,
    force: bool,
    request: &Request<'_>,
) -> Result<(Value, Managed), Refusal> {
    let place = Typed::of(live, request).place;
    for (object, which, duplicates) in [(applied, "patch", false), (live, "live", true)] {
        conform(place, object, duplicates).check().map_err(|error| {
            let name = conflict::name(object, request);
            Refusal::Wrong(format!("failed to create typed {which} object ({name}): {error}"))
        })?;
    }
    reconcile(live, &mut managed, request)?;
    let merged =
        merge(place, live, applied).map_err(|error| Refusal::Wrong(format!("failed to merge config: {error}")))?;
    let mut set = mentioned(place, applied);
    if let Some(reset) = request.reset {
        set = set.recursive_difference(reset);
    }
    let me = manager(request.manager, true, request);
    let api_version = request.api_version.to_owned();
    let last = managed.owners.insert(me.clone(), Owned { set, api_version });
    let merged = prune(merged, &managed, last.as_ref(), request)?;
    take_from_others((live, &merged), &mut managed, &me, force, request)?;
    if let Some(owned) = managed.owners.get_mut(&me) {
        owned.set = owned.set.difference(&strip::stripped());
        managed.drop_empty();
    }
    let mut object = merged;
    if equal(live, &object) {
        object = live.clone();
    } else {
        managed.times.insert(me, request.now);
    }
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("managedFields");
    }
    Ok((object, managed))
}
