//! What a create, an update or a patch comes to own (`managedfields`, `FieldManager.Update`).

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{
    compare::Comparison,
    conform::conform,
    managed::{Given, Managed, Owned},
    manager::Manager,
    request::Request,
    strip,
    updater::{Refusal, Typed, reconcile, take_from_others},
    zero,
};

/// Managers who update, beside those who apply: the oldest are merged when there are more.
const MAX_UPDATE_MANAGERS: usize = 10;

/// Writes `metadata.managedFields` into `new`, the object as it is to be stored: decoded, defaulted, not yet prepared by
/// the strategy. `live` is what is stored; `None` for a create.
///
/// The manager owns what differs from `live`, and nobody else does any more. Entries that `new` brings along count instead
/// of those of `live` (except on a subresource); none, or ones that cannot be read, leave those of `live`; `[]` and `[{}]`
/// forget them all, and an object without entries stays so until someone applies.
///
/// It does not fail: what cannot be compared keeps the entries of `live`.
pub fn update(live: Option<&Value>, new: &mut Value, request: &Request<'_>) {
    let managed = decode(live, new, request);
    let Some(metadata) = new.get_mut("metadata").and_then(Value::as_object_mut) else {
        return;
    };
    metadata.remove("managedFields");
    if managed.owners.is_empty() && live.is_some() {
        return;
    }
    let tracked = match live {
        Some(live) => track(live, new, managed, request.manager, request),
        None => track(&empty(request), new, managed, request.manager, request),
    };
    match tracked {
        Ok(managed) => managed.encode(new),
        Err(_) => {
            let entries = live.and_then(|it| it["metadata"].get("managedFields"));
            if let (Some(entries), Some(metadata)) = (entries, new.get_mut("metadata")) {
                metadata["managedFields"] = entries.clone();
            }
        }
    }
}

/// An object of the kind that says nothing.
pub(super) fn empty(request: &Request<'_>) -> Value {
    json!({ "apiVersion": request.api_version, "kind": request.kind })
}

fn decode(live: Option<&Value>, new: &Value, request: &Request<'_>) -> Managed {
    if request.subresource.is_empty() {
        match Given::of(new) {
            Given::Reset => return Managed::default(),
            Given::Entries(managed) => return managed,
            Given::Nothing | Given::Wrong(_) => {}
        }
    }
    match live.map(Given::of) {
        Some(Given::Entries(managed)) => managed,
        _ => Managed::default(),
    }
}

/// Gives what changes between the objects to the manager.
///
/// # Errors
///
/// The objects do not fit the schema, or cannot be converted.
pub(super) fn track(
    live: &Value,
    new: &Value,
    mut managed: Managed,
    name: &str,
    request: &Request<'_>,
) -> Result<Managed, Refusal> {
    let comparison = if request.built_in {
        let (mut live, mut new) = (live.clone(), new.clone());
        zero::fill(request.schema, &mut live);
        zero::fill(request.schema, &mut new);
        take(&live, &new, &mut managed, request)?
    } else {
        take(live, new, &mut managed, request)?
    };
    let Comparison { modified, added, .. } = comparison;
    let mut set = modified.union(&added);
    if let Some(reset) = request.reset {
        set = set.recursive_difference(reset);
    }
    let set = set.difference(&strip::stripped());
    if !set.is_empty() {
        let me = manager(name, false, request);
        let owned = managed.owners.entry(me.clone()).or_default();
        owned.set = set.union(&owned.set);
        request.api_version.clone_into(&mut owned.api_version);
        managed.times.insert(me, request.now);
    }
    cap(&mut managed);
    Ok(managed)
}

/// The manager of a request.
pub(super) fn manager(name: &str, applies: bool, request: &Request<'_>) -> Manager {
    let name = if name.is_empty() { "unknown" } else { name };
    Manager::new(name, applies, request.api_version, request.subresource)
}

/// Takes what changes from everyone, from earlier updates of the same manager, too.
fn take(live: &Value, new: &Value, managed: &mut Managed, request: &Request<'_>) -> Result<Comparison, Refusal> {
    for object in [live, new] {
        let place = Typed::of(object, request).place;
        conform(place, object, true).check().map_err(Refusal::Wrong)?;
    }
    reconcile(live, managed, request)?;
    take_from_others((live, new), managed, &Manager::default(), true, request)
}

/// Merges the oldest entries of updates into one for each version, until there are not more than the maximum.
fn cap(managed: &mut Managed) {
    let mut updaters: Vec<_> = managed.owners.keys().filter(|it| !it.applies).cloned().collect();
    let mut count = updaters.len();
    if count <= MAX_UPDATE_MANAGERS {
        return;
    }
    managed.by_time(&mut updaters);
    let mut firsts: BTreeMap<String, Manager> = BTreeMap::new();
    for updater in updaters {
        if count <= MAX_UPDATE_MANAGERS {
            break;
        }
        let Some(version) = managed.owners.get(&updater).map(|it| it.api_version.clone()) else {
            continue;
        };
        let Some(first) = firsts.get(&version) else {
            firsts.insert(version, updater);
            continue;
        };
        let bucket = Manager::new("ancient-changes", false, &version, "");
        if !managed.owners.contains_key(&bucket) {
            let owned = managed.owners.remove(first).unwrap_or_default();
            managed.owners.insert(bucket.clone(), owned);
        }
        let Owned { set, api_version } = managed.owners.remove(&updater).unwrap_or_default();
        let merged = managed.owners.entry(bucket.clone()).or_default();
        merged.set = set.union(&merged.set);
        merged.api_version = api_version;
        match managed.times.get(&updater).copied() {
            Some(time) => managed.times.insert(bucket, time),
            None => managed.times.remove(&bucket),
        };
        count -= 1;
    }
}
