//! Who owns what after a change, and who is in its way (`structured-merge-diff`, `merge.Updater`).

use std::{borrow::Cow, collections::BTreeMap};

use serde_json::Value;

use super::{
    atom::Place,
    compare::{Comparison, compare},
    conform::conform,
    element::PathElement,
    managed::{Managed, Owned},
    manager::Manager,
    request::Request,
    set::FieldSet,
    version::Inconvertible,
};

/// Why a change is not made.
#[derive(Debug)]
pub(super) enum Refusal {
    /// Others own these fields, with other values.
    Conflicts(Vec<Conflict>),
    /// Something is wrong, in words.
    Wrong(String),
}

/// A field that someone else owns.
#[derive(Clone, Debug)]
pub(super) struct Conflict {
    pub(super) manager: Manager,
    pub(super) path: Vec<PathElement>,
}

/// An object at one version, with the schema there.
#[derive(Clone, Debug)]
pub(super) struct Typed<'v, 's> {
    pub(super) value: Cow<'v, Value>,
    pub(super) place: Place<'s>,
}

impl<'s> Typed<'_, 's> {
    pub(super) fn of<'v>(value: &'v Value, request: &Request<'s>) -> Typed<'v, 's> {
        Typed {
            value: Cow::Borrowed(value),
            place: Place::root(request.schema),
        }
    }

    /// Another value of the same version.
    pub(super) fn with<'v>(&self, value: Value) -> Typed<'v, 's> {
        Typed {
            value: Cow::Owned(value),
            place: self.place,
        }
    }

    /// The object at another version.
    pub(super) fn at(&self, api_version: &str, request: &Request<'s>) -> Result<Typed<'_, 's>, Inconvertible> {
        if self.value["apiVersion"].as_str() == Some(api_version) {
            return Ok(Typed {
                value: Cow::Borrowed(&self.value),
                place: self.place,
            });
        }
        if api_version == request.api_version {
            // Back from another version.
            let mut value = self.value.clone().into_owned();
            value["apiVersion"] = api_version.into();
            return Ok(Typed {
                value: Cow::Owned(value),
                place: Place::root(request.schema),
            });
        }
        if api_version.matches('/').count() > 1 {
            let message = format!("unexpected GroupVersion string: {api_version}");
            return Err(Inconvertible::Failed(message));
        }
        let (value, schema) = request.versions.convert(&self.value, api_version)?;
        let place = Place::root(schema);
        conform(place, &value, false).check().map_err(Inconvertible::Failed)?;
        Ok(Typed {
            value: Cow::Owned(value),
            place,
        })
    }
}

/// Takes what changes between the objects from everyone but `me`: all who own it, if `force`.
///
/// # Errors
///
/// Without `force`, someone owns what changes. Or an object cannot be converted or compared.
pub(super) fn take_from_others(
    (old, new): (&Value, &Value),
    managed: &mut Managed,
    me: &Manager,
    force: bool,
    request: &Request<'_>,
) -> Result<Comparison, Refusal> {
    let (old, new) = (Typed::of(old, request), Typed::of(new, request));
    let mine = differences(&old, &new, request.reset)?;
    let mut versions = BTreeMap::from([(request.api_version.to_owned(), mine.clone())]);
    let mut conflicts = BTreeMap::new();
    for (manager, owned) in &managed.owners {
        if manager == me {
            continue;
        }
        let version = &owned.api_version;
        if !versions.contains_key(version) {
            let (Some(old), Some(new)) = (
                known(old.at(version, request), "old")?,
                known(new.at(version, request), "new")?,
            ) else {
                conflicts.insert(manager.clone(), None);
                continue;
            };
            versions.insert(version.clone(), differences(&old, &new, None)?);
        }
        let comparison = &versions[version];
        let changed = comparison.modified.clone().union(&comparison.added);
        conflicts.insert(manager.clone(), Some(owned.set.intersection(&changed)));
    }
    if !force {
        let conflicts = in_the_way(&conflicts);
        if !conflicts.is_empty() {
            return Err(Refusal::Conflicts(conflicts));
        }
    }
    for (manager, conflict) in conflicts {
        let (Some(conflict), Some(owned)) = (conflict, managed.owners.get_mut(&manager)) else {
            managed.owners.remove(&manager);
            continue;
        };
        owned.set = owned
            .set
            .difference(&conflict)
            .difference(&versions[&owned.api_version].removed);
    }
    managed.drop_empty();
    Ok(mine)
}

fn differences(old: &Typed<'_, '_>, new: &Typed<'_, '_>, reset: Option<&FieldSet>) -> Result<Comparison, Refusal> {
    let comparison = compare(new.place, &old.value, &new.value)
        .map_err(|error| Refusal::Wrong(format!("failed to compare objects: {error}")))?;
    Ok(comparison.without(reset))
}

/// The object, or nothing if its version is not known.
fn known<T>(converted: Result<T, Inconvertible>, which: &str) -> Result<Option<T>, Refusal> {
    match converted {
        Ok(it) => Ok(Some(it)),
        Err(Inconvertible::Unknown) => Ok(None),
        Err(Inconvertible::Failed(error)) => Err(Refusal::Wrong(format!("failed to convert {which} object: {error}"))),
    }
}

fn in_the_way(conflicts: &BTreeMap<Manager, Option<FieldSet>>) -> Vec<Conflict> {
    let paths = |set: &Option<FieldSet>| set.as_ref().map(FieldSet::paths).unwrap_or_default();
    let mut conflicts: Vec<_> = conflicts
        .iter()
        .flat_map(|(manager, set)| {
            let manager = manager.clone();
            paths(set).into_iter().map(move |path| Conflict {
                manager: manager.clone(),
                path,
            })
        })
        .collect();
    conflicts.sort_by_cached_key(|it| it.manager.identifier());
    conflicts
}

/// Brings every set up to the schema as it is now. Managers at versions that are no more are forgotten.
///
/// # Errors
///
/// The object cannot be converted.
pub(super) fn reconcile(live: &Value, managed: &mut Managed, request: &Request<'_>) -> Result<(), Refusal> {
    let live = Typed::of(live, request);
    for (manager, Owned { set, api_version }) in std::mem::take(&mut managed.owners) {
        match live.at(&api_version, request) {
            Err(Inconvertible::Unknown) => {}
            Err(Inconvertible::Failed(error)) => return Err(Refusal::Wrong(error)),
            Ok(typed) => {
                let set = super::reconcile::reconcile(typed.place, set);
                managed.owners.insert(manager, Owned { set, api_version });
            }
        }
    }
    Ok(())
}
