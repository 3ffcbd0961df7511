//! What must hold at every moment.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use super::{
    Author,
    model::{Model, Seen},
    record::kind,
};
use crate::explorer::{outside::Thing, plan::Place};

/// One change of an object, before it is taken into the model.
pub(super) struct Moment<'a> {
    pub(super) model: &'a Model,
    pub(super) owing: &'a BTreeMap<String, String>,
    pub(super) unchangeable: &'a BTreeSet<String>,
    pub(super) place: &'a Place,
    pub(super) before: Option<&'a Seen>,
    /// `None` if it is gone.
    pub(super) after: Option<&'a Seen>,
    pub(super) author: Author,
    pub(super) at: Duration,
}

/// What says if a rule is broken, and by what.
type Check = fn(&Moment<'_>) -> Option<String>;

/// The rules about changes of objects.
pub(super) const OF_CHANGES: &[(&str, Check)] = &[
    ("what is foreign is left alone", foreign),
    ("the finalizer goes last", finalizer),
    ("the delete order holds", order),
    ("nothing exists before it can be found again", covered),
    ("the inventory covers all children", narrowed),
    ("nothing is pruned after a failure", pruned),
    (PAUSED, paused),
    (KEPT, kept),
];

const PAUSED: &str = "what is paused is left alone";
const KEPT: &str = "what is kept is not deleted";
pub(super) const TWICE: &str = "nothing is made twice";
pub(super) const LEFT: &str = "nothing is left behind";
const INTENT: &str = "an intent is stored before the first create";

/// How long a pass that has begun before a pause or a deletion may go on.
const GRACE: Duration = Duration::from_secs(5);

impl Moment<'_> {
    fn by_operator(&self) -> bool {
        self.author == Author::Operator
    }

    /// Whether the operator has just deleted it, or asked for it.
    fn is_delete(&self) -> bool {
        self.by_operator()
            && self
                .before
                .is_some_and(|before| !before.is_terminating() && self.after.is_none_or(Seen::is_terminating))
    }

    /// Whether it cannot be changed, so that the operator may delete it to make it again.
    fn is_unchangeable(&self) -> bool {
        let itself = format!(" {}", self.place);
        self.unchangeable.iter().any(|what| what.ends_with(&itself))
    }
}

/// The operator changes only what it looks after, what it has made, and what carries a mark that was put on it.
fn foreign(moment: &Moment<'_>) -> Option<String> {
    if !moment.by_operator() || moment.model.is_declared(moment.place) {
        return None;
    }
    let before = moment.before.filter(|before| before.mark.is_none() && !before.is_own)?;
    Some(format!("{} ({}) is touched", moment.place, before.uid))
}

/// The operator takes its finalizer away when no child and no thing of the object is left.
fn finalizer(moment: &Moment<'_>) -> Option<String> {
    let before = moment.before.filter(|before| before.has_finalizer)?;
    let gone = moment.after.is_none_or(|after| !after.has_finalizer);
    if !gone || !moment.by_operator() || !moment.model.is_declared(moment.place) {
        return None;
    }
    if let Some((child, ..)) = moment.model.children(&before.uid).next() {
        return Some(format!("{} loses it while {child} is there", moment.place));
    }
    let (thing, _) = moment.model.things_of(&before.uid).next()?;
    Some(format!("{} loses it while {} is there", moment.place, thing.id))
}

/// A child of a terminating object is deleted when all is gone that its resource waits for, by the stored order; a pass that has begun
/// before may go on to prune, and to make again what cannot be changed.
fn order(moment: &Moment<'_>) -> Option<String> {
    let mark = moment.before?.mark.as_ref().filter(|_| moment.is_delete())?;
    let since = moment.model.owner(&mark.uid)?.terminating_since?;
    if moment.is_unchangeable() && moment.at <= since + GRACE {
        return None;
    }
    let (waits, there) = still_there(moment.model, &mark.uid, &mark.resource, moment.at)?;
    Some(format!(
        "{} is deleted while {there} of `{waits}` is there",
        moment.place
    ))
}

/// What is still there of those that a resource of a terminating object waits for: a resource, and its child or thing.
fn still_there(model: &Model, uid: &str, resource: &str, at: Duration) -> Option<(String, String)> {
    let owner = model.owner(uid)?;
    let since = owner.terminating_since?;
    if model.is_pruned(uid, resource) && at <= since + GRACE {
        return None;
    }
    let waits = &owner.inventory.as_ref()?.node(resource)?.delete;
    let children = model.children(uid);
    let children = children.map(|(place, _, mark)| (mark.resource.clone(), place.to_string()));
    let things = model.things_of(uid);
    let things = things.map(|(thing, resource)| (resource.to_owned(), thing.id.clone()));
    let mut all = children.chain(things);
    all.find(|(resource, _)| waits.contains(resource))
}

/// A child is made when its object has the finalizer, and an inventory with its kind.
fn covered(moment: &Moment<'_>) -> Option<String> {
    let after = moment
        .after
        .filter(|_| moment.before.is_none() && moment.by_operator())?;
    let owner = moment.model.owner(&after.mark.as_ref()?.uid)?;
    if !owner.has_finalizer {
        return Some(format!("{} is made before the finalizer", moment.place));
    }
    let kind = kind(&after.object);
    let covers = owner.inventory.as_ref().is_some_and(|it| it.covers(&kind));
    (!covers).then(|| format!("{} is made before {kind} is in the inventory", moment.place))
}

/// A kind stays in the inventory for as long as there are children of it.
fn narrowed(moment: &Moment<'_>) -> Option<String> {
    let (before, after) = (moment.before?, moment.after?);
    if !moment.by_operator() || !moment.model.is_declared(moment.place) {
        return None;
    }
    let was = before.inventory.as_ref()?;
    let uncovered = moment.model.children(&before.uid).find(|(_, child, _)| {
        let kind = kind(&child.object);
        was.covers(&kind) && !after.inventory.as_ref().is_some_and(|now| now.covers(&kind))
    });
    let (child, ..) = uncovered?;
    Some(format!("{} forgets the kind of {child}, which is there", moment.place))
}

/// While a write to a child of an object still fails, the operator does not take away what it no longer wants there. What cannot be changed it
/// may delete, to make it again.
fn pruned(moment: &Moment<'_>) -> Option<String> {
    let mark = moment.before?.mark.as_ref().filter(|_| moment.is_delete())?;
    let owner = moment.model.owner(&mark.uid)?;
    if owner.is_terminating() {
        return None;
    }
    if moment.is_unchangeable() {
        return None;
    }
    let failed = moment.owing.iter().find(|(_, uid)| **uid == mark.uid);
    let (what, _) = failed?;
    Some(format!("{} is deleted although `{what}` has failed", moment.place))
}

/// The operator does nothing to the children of an object that is paused.
fn paused(moment: &Moment<'_>) -> Option<String> {
    let child = moment.before.or(moment.after)?;
    let mark = child.mark.as_ref().filter(|_| moment.by_operator())?;
    let since = moment.model.owner(&mark.uid)?.paused_since?;
    let late = moment.at > since + GRACE;
    late.then(|| format!("{} is touched while its object is paused", moment.place))
}

/// The operator deletes no child that is left behind when it would be deleted.
fn kept(moment: &Moment<'_>) -> Option<String> {
    let before = moment.before.filter(|_| moment.is_delete())?;
    let keep = before.is_released || before.mark.as_ref().is_some_and(|mark| mark.keep);
    keep.then(|| format!("{} is deleted", moment.place))
}

/// The rules about things outside: what is new, what is gone.
pub(super) fn of_outside(
    now: &Model,
    before: &[Thing],
    made: &[Thing],
    gone: &[Thing],
    at: Duration,
) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    for thing in made {
        let mut same = before
            .iter()
            .chain(made)
            .filter(|it| it.tag == thing.tag && it.id != thing.id);
        if let Some(twin) = same.next() {
            found.push((TWICE, format!("{} and {} are there for one", twin.id, thing.id)));
        }
        if let Some(seen) = without_intent(now, thing) {
            found.push((INTENT, seen));
        }
    }
    for thing in gone {
        let Some((uid, resource)) = now.maker(thing) else {
            continue;
        };
        if let Some((waits, there)) = still_there(now, uid, resource, at) {
            let seen = format!("{} is deleted while {there} of `{waits}` is there", thing.id);
            found.push(("the delete order holds", seen));
        }
        if now.is_kept(thing) {
            found.push((KEPT, format!("{} is deleted", thing.id)));
        }
    }
    for thing in made.iter().chain(gone) {
        let since = now.maker(thing).and_then(|(uid, _)| now.owner(uid)?.paused_since);
        if since.is_some_and(|since| at > since + GRACE) {
            found.push((PAUSED, format!("{} is touched while its object is paused", thing.id)));
        }
    }
    found
}

/// A thing of a known object whose slot is not stored.
fn without_intent(now: &Model, thing: &Thing) -> Option<String> {
    let (uid, resource) = now.maker(thing)?;
    let owner = now.owner(uid)?;
    let stored = owner.slots.get(resource).is_some_and(|slot| slot["uid"] == uid);
    (!stored).then(|| format!("{} is made, and `{resource}` has no intent", thing.id))
}

/// What there is for objects that are gone.
pub(super) fn left_behind(model: &Model) -> Vec<String> {
    let children = model.marked().filter(|(_, _, mark)| model.owner(&mark.uid).is_none());
    let children = children.map(|(place, ..)| format!("{place} is there, its object is not"));
    let things = model.things.iter().filter(|thing| {
        let maker = model.maker(thing).filter(|_| !model.is_kept(thing));
        maker.is_some_and(|(uid, _)| model.owner(uid).is_none())
    });
    let things = things.map(|thing| format!("{} is there, its object is not", thing.id));
    children.chain(things).collect()
}
