//! What an operator makes outside of Kubernetes, as far as the explorer needs to know it.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde_json::Value;

/// A stand-in for a provider: it lives as long as the run, and survives the operator.
pub trait Outside: Send + Sync + 'static {
    /// What is there now, in any order.
    fn things(&self) -> Vec<Thing>;

    /// Texts beside the ids that differ from run to run and may get into the cluster, such as the path of a directory; default none.
    fn varying(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A thing outside of Kubernetes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thing {
    /// The provider's name for it.
    pub id: String,
    /// What it was tagged with: the text of the `Token` that `External::create` got. There must never be two with the same tag.
    pub tag: String,
    /// What it is like, for the comparison with the undisturbed run; without what differs from run to run.
    pub content: Value,
}

/// Nothing at all.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nothing;

impl Outside for Nothing {
    fn things(&self) -> Vec<Thing> {
        Vec::new()
    }
}

/// A provider in memory: things with an id that it chooses, a tag, and a content.
///
/// Its methods are what an `External` needs: an operator under test is given one of these in place of the client of its provider.
#[derive(Debug, Default)]
pub struct Cloud(Mutex<Things>);

#[derive(Debug, Default)]
struct Things {
    made: usize,
    all: BTreeMap<String, Thing>,
}

impl Cloud {
    fn lock(&self) -> MutexGuard<'_, Things> {
        // Every change is one step.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a thing; its id, `<kind>-<number>`.
    pub fn create(&self, kind: &str, tag: &str, content: Value) -> String {
        let mut things = self.lock();
        things.made += 1;
        let thing = Thing {
            id: format!("{kind}-{}", things.made),
            tag: tag.to_owned(),
            content,
        };
        let id = thing.id.clone();
        things.all.insert(id.clone(), thing);
        id
    }

    /// The id of a thing of this kind with this tag.
    pub fn find(&self, kind: &str, tag: &str) -> Option<String> {
        let things = self.lock();
        let of_kind = |id: &str| id.rsplit_once('-').is_some_and(|(known, _)| known == kind);
        let found = things.all.values().find(|it| of_kind(&it.id) && it.tag == tag);
        found.map(|it| it.id.clone())
    }

    /// What a thing is like; `None` if it is not there.
    pub fn read(&self, id: &str) -> Option<Value> {
        self.lock().all.get(id).map(|it| it.content.clone())
    }

    /// Changes a thing; whether it is there.
    pub fn update(&self, id: &str, content: Value) -> bool {
        let mut things = self.lock();
        let thing = things.all.get_mut(id);
        thing.map(|it| it.content = content).is_some()
    }

    /// Deletes a thing; whether it was there.
    pub fn delete(&self, id: &str) -> bool {
        self.lock().all.remove(id).is_some()
    }
}

impl Outside for Cloud {
    fn things(&self) -> Vec<Thing> {
        self.lock().all.values().cloned().collect()
    }
}
