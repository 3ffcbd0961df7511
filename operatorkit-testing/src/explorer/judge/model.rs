//! What is there now.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use operatorkit_apiserver::ObjectChange;
use serde_json::Value;

use super::record::{Inventory, Mark, finalizers, slots, token};
use crate::explorer::{
    outside::Thing,
    plan::Place,
    run::{PAUSE, is_aside},
    scenario::Target,
};

/// An object, and what is stored on it.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) object: Value,
    pub(super) uid: String,
    /// The version in which it was made.
    pub(super) made_in: u64,
    /// If it was put on this very object.
    pub(super) mark: Option<Mark>,
    pub(super) has_finalizer: bool,
    /// Since when it is being deleted.
    pub(super) terminating_since: Option<Duration>,
    pub(super) inventory: Option<Inventory>,
    pub(super) slots: BTreeMap<String, Value>,
    /// Whether the operator has made it in this run.
    pub(super) is_own: bool,
    /// Whether it was a child that is kept, and carries no mark any more.
    pub(super) is_released: bool,
    /// Since when it is paused.
    pub(super) paused_since: Option<Duration>,
}

impl Seen {
    pub(super) fn new(object: &Value) -> Self {
        let metadata = &object["metadata"];
        let version = metadata["resourceVersion"].as_str();
        Self {
            uid: metadata["uid"].as_str().unwrap_or_default().to_owned(),
            made_in: version.and_then(|version| version.parse().ok()).unwrap_or_default(),
            mark: Mark::put_on(object),
            has_finalizer: !finalizers(object).is_empty(),
            inventory: Inventory::of(object),
            slots: slots(object),
            terminating_since: None,
            paused_since: None,
            is_own: false,
            is_released: false,
            object: object.clone(),
        }
    }

    /// Whether it is being deleted.
    pub(super) fn is_terminating(&self) -> bool {
        self.object["metadata"]["deletionTimestamp"].is_string()
    }
}

/// What is there now, in the cluster and outside.
#[derive(Debug)]
pub(super) struct Model {
    objects: BTreeMap<Place, Seen>,
    pub(super) things: Vec<Thing>,
    /// What the operator looks after.
    declared: BTreeSet<Place>,
    /// What was there before the run.
    given: BTreeSet<Place>,
    /// Whose tags are known, also of objects that are gone: owner and resource.
    tags: BTreeMap<String, (String, String)>,
    /// Of which UIDs and resources the last slot said that the thing is kept.
    kept: BTreeSet<(String, String)>,
    /// Of which UIDs and resources the last removal began in a pass forwards.
    pruned: BTreeSet<(String, String)>,
}

/// Where an object is.
pub(super) fn place(change: &ObjectChange) -> Place {
    let text = |key: &str| change.object["metadata"][key].as_str().unwrap_or_default().to_owned();
    Place {
        resource: change.resource.clone(),
        namespace: text("namespace"),
        name: text("name"),
    }
}

impl Model {
    pub(super) fn new(there: &[ObjectChange], objects: &[Target]) -> Self {
        let declared = objects.iter().map(Target::place);
        let objects = there.iter().map(|it| (place(it), Seen::new(&it.object)));
        Self {
            given: there.iter().filter(|it| !is_aside(&it.resource)).map(place).collect(),
            objects: objects.collect(),
            things: Vec::new(),
            declared: declared.collect(),
            tags: BTreeMap::new(),
            kept: BTreeSet::new(),
            pruned: BTreeSet::new(),
        }
    }

    pub(super) fn get(&self, place: &Place) -> Option<&Seen> {
        self.objects.get(place)
    }

    pub(super) fn set(&mut self, place: Place, seen: Option<Seen>, at: Duration) {
        let Some(mut seen) = seen else {
            self.objects.remove(&place);
            return;
        };
        let before = self.objects.get(&place);
        seen.made_in = before.map_or(seen.made_in, |before| before.made_in);
        seen.is_own |= before.is_some_and(|before| before.is_own);
        let was_kept = |before: &Seen| before.is_released || before.mark.as_ref().is_some_and(|mark| mark.keep);
        seen.is_released = seen.mark.is_none() && before.is_some_and(was_kept);
        if seen.is_terminating() {
            seen.terminating_since = before.and_then(|before| before.terminating_since).or(Some(at));
        }
        if seen.object["metadata"]["annotations"][PAUSE] == "true" {
            seen.paused_since = before.and_then(|before| before.paused_since).or(Some(at));
        }
        if self.is_declared(&place) {
            let nodes = seen.inventory.iter().flat_map(|inventory| &inventory.nodes);
            let names = nodes.map(|node| &node.name).chain(seen.slots.keys());
            for name in names {
                let tag = token(&seen.uid, name);
                self.tags.insert(tag, (seen.uid.clone(), name.clone()));
            }
            for (name, slot) in &seen.slots {
                let key = (seen.uid.clone(), name.clone());
                if slot["keep"] == true {
                    self.kept.insert(key);
                } else {
                    self.kept.remove(&key);
                }
            }
        }
        self.objects.insert(place, seen);
    }

    /// Whether the operator looks after it.
    pub(super) fn is_declared(&self, place: &Place) -> bool {
        self.declared.contains(place)
    }

    /// Whether it is the operator's, or must be left alone.
    pub(super) fn concerns(&self, place: &Place) -> bool {
        let own = |seen: &Seen| seen.is_own || seen.mark.is_some();
        self.is_declared(place) || self.given.contains(place) || self.get(place).is_some_and(own)
    }

    /// The object with a UID, if the operator looks after it.
    pub(super) fn owner(&self, uid: &str) -> Option<&Seen> {
        let mut all = self.declared.iter().filter_map(|place| self.objects.get(place));
        all.find(|seen| seen.uid == uid)
    }

    /// The children of an object, proved by their marks.
    pub(super) fn children<'a>(&'a self, uid: &'a str) -> impl Iterator<Item = (&'a Place, &'a Seen, &'a Mark)> {
        self.marked().filter(move |(_, _, mark)| mark.uid == uid)
    }

    /// All children.
    pub(super) fn marked(&self) -> impl Iterator<Item = (&Place, &Seen, &Mark)> {
        self.objects
            .iter()
            .filter_map(|(place, seen)| Some((place, seen, seen.mark.as_ref()?)))
    }

    /// For whom a thing was made: the UID of the object and the resource.
    pub(super) fn maker(&self, thing: &Thing) -> Option<(&str, &str)> {
        let (uid, resource) = self.tags.get(&thing.tag)?;
        Some((uid, resource))
    }

    /// The operator begins to remove what a resource of an object has made, in a pass in one of the directions.
    pub(super) fn removes(&mut self, uid: &str, resource: &str, backwards: bool) {
        let key = (uid.to_owned(), resource.to_owned());
        if backwards {
            self.pruned.remove(&key);
        } else {
            self.pruned.insert(key);
        }
    }

    /// Whether that is what a pass forwards began to remove, since it is no longer wanted.
    pub(super) fn is_pruned(&self, uid: &str, resource: &str) -> bool {
        self.pruned.contains(&(uid.to_owned(), resource.to_owned()))
    }

    /// Whether a thing is left behind when its object goes.
    pub(super) fn is_kept(&self, thing: &Thing) -> bool {
        self.tags.get(&thing.tag).is_some_and(|maker| self.kept.contains(maker))
    }

    /// The things of an object that are not kept.
    pub(super) fn things_of<'a>(&'a self, uid: &'a str) -> impl Iterator<Item = (&'a Thing, &'a str)> {
        let things = self.things.iter().filter(|thing| !self.is_kept(thing));
        things.filter_map(move |thing| {
            let (owner, resource) = self.maker(thing)?;
            (owner == uid).then_some((thing, resource))
        })
    }

    /// What is new and what is gone in another list of things, by id.
    pub(super) fn compared(&self, things: &[Thing]) -> (Vec<Thing>, Vec<Thing>) {
        let without = |all: &[Thing], known: &[Thing]| {
            let new = all.iter().filter(|it| known.iter().all(|other| other.id != it.id));
            new.cloned().collect()
        };
        (without(things, &self.things), without(&self.things, things))
    }
}
