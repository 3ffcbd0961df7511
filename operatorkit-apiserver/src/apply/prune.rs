//! Removes what a manager applied before, and applies no more (`structured-merge-diff`, `merge.Updater.prune`).

use std::{borrow::Cow, collections::BTreeMap};

use serde_json::Value;

use super::{
    managed::{Managed, Owned},
    mentioned::mentioned,
    remove::remove,
    request::Request,
    set::FieldSet,
    updater::{Refusal, Typed},
    version::Inconvertible,
};

/// The merged object without what `last` has, unless someone owns it. `managed` has the manager's new set already.
///
/// # Errors
///
/// The object cannot be converted.
pub(super) fn prune(
    merged: Value,
    managed: &Managed,
    last: Option<&Owned>,
    request: &Request<'_>,
) -> Result<Value, Refusal> {
    let Some(last) = last.filter(|it| !it.set.is_empty()) else {
        return Ok(merged);
    };
    let typed = Typed::of(&merged, request);
    let Some(converted) = at(
        &typed,
        &last.api_version,
        request,
        "failed to convert merged object to last applied version",
    )?
    else {
        return Ok(merged);
    };
    let pruned = without(&converted, &last.set.with_named_parents(converted.place));
    let pruned = keep_owned(&converted, pruned, &last.api_version, managed, request)?;
    let pruned = keep_foreign(&converted, &pruned, last, request)?;
    match pruned.at(request.api_version, request) {
        Ok(pruned) => Ok(pruned.value.into_owned()),
        Err(error) => Err(wrong(error, "failed to prune fields")),
    }
}

/// Adds back what was removed and someone owns, the manager's new set included.
fn keep_owned<'s>(
    merged: &Typed<'_, 's>,
    pruned: Typed<'static, 's>,
    last: &str,
    managed: &Managed,
    request: &Request<'s>,
) -> Result<Typed<'static, 's>, Refusal> {
    let mut sets: BTreeMap<&str, FieldSet> = BTreeMap::new();
    for owned in managed.owners.values() {
        let set = sets.entry(&owned.api_version).or_default();
        *set = std::mem::take(set).union(&owned.set);
    }
    // The version of the last apply comes first: what another version needs for its conversion is there then.
    let first = sets.remove_entry(last);
    let mut pruned = pruned;
    for (version, owned) in first.into_iter().chain(sets) {
        let what = |it: &str| format!("failed to convert {it} object at version {version}");
        let Some(merged) = at(merged, version, request, &what("merged"))? else {
            continue;
        };
        let Some(there) = at(&pruned, version, request, &what("pruned"))? else {
            continue;
        };
        let place = merged.place;
        let kept = mentioned(place, &there.value).with_named_parents(place);
        let kept = kept.union(&owned.with_named_parents(place));
        let all = mentioned(place, &merged.value).with_named_parents(place);
        pruned = without(&merged, &all.difference(&kept));
    }
    Ok(pruned)
}

/// Adds back what was removed and did not belong to the manager before.
fn keep_foreign<'s>(
    merged: &Typed<'_, 's>,
    pruned: &Typed<'static, 's>,
    last: &Owned,
    request: &Request<'s>,
) -> Result<Typed<'static, 's>, Refusal> {
    let place = merged.place;
    let what = "failed to convert pruned object to last applied version";
    let Some(there) = at(pruned, &last.api_version, request, what)? else {
        return Ok(merged.with(merged.value.clone().into_owned()));
    };
    let kept = mentioned(place, &there.value).with_named_parents(place);
    let all = mentioned(place, &merged.value).with_named_parents(place);
    let last = last.set.with_named_parents(place);
    Ok(without(merged, &all.difference(&kept).intersection(&last)))
}

fn without<'s>(typed: &Typed<'_, 's>, set: &FieldSet) -> Typed<'static, 's> {
    Typed {
        value: Cow::Owned(remove(typed.place, &typed.value, set).unwrap_or_default()),
        place: typed.place,
    }
}

/// The object at a version, or nothing if there is no such version.
fn at<'a, 's>(
    typed: &'a Typed<'_, 's>,
    version: &str,
    request: &Request<'s>,
    what: &str,
) -> Result<Option<Typed<'a, 's>>, Refusal> {
    match typed.at(version, request) {
        Ok(typed) => Ok(Some(typed)),
        Err(Inconvertible::Unknown) => Ok(None),
        Err(error) => Err(wrong(error, &format!("failed to prune fields: {what}"))),
    }
}

fn wrong(error: Inconvertible, what: &str) -> Refusal {
    let error = match error {
        Inconvertible::Unknown => "no corresponding type".to_owned(),
        Inconvertible::Failed(error) => error,
    };
    Refusal::Wrong(format!("{what}: {error}"))
}
