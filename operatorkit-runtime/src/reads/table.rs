//! Who reads what, and what is known of it; pure.

use std::{
    collections::{HashMap, HashSet},
    sync::atomic::{AtomicU64, Ordering},
};

use super::{
    key::{Interest, PlaceKey},
    place::Place,
};
use crate::queue::Uid;

/// Who asks: an object's resource.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asks<'a> {
    pub(super) uid: &'a Uid,
    pub(super) resource: &'static str,
}

/// What the resources of an object read, by their names.
type ByResource = HashMap<&'static str, HashSet<Interest>>;

/// Everything that is read.
#[derive(Debug, Default)]
pub(super) struct Table {
    places: HashMap<PlaceKey, Place>,
    readers: HashMap<Uid, ByResource>,
}

impl Table {
    /// Notes that somebody reads something. Returns the place, if it is new and has to be watched.
    pub(super) fn register(
        &mut self,
        by: Asks<'_>,
        interest: &Interest,
        new: impl FnOnce() -> Place,
    ) -> Option<&Place> {
        let of_object = self.readers.entry(by.uid.clone()).or_default();
        of_object.entry(by.resource).or_default().insert(interest.clone());
        let key = interest.place();
        let is_new = !self.places.contains_key(key);
        let place = self.places.entry(key.clone()).or_insert_with(new);
        place.register(interest, by.uid);
        is_new.then_some(place)
    }

    /// What resources have read in a pass replaces what they read before; those that did not run still read the same.
    pub(super) fn replace(&mut self, uid: &Uid, ran: ByResource) {
        let Some(of_object) = self.readers.get_mut(uid) else {
            return;
        };
        let before: HashSet<_> = of_object.values().flatten().cloned().collect();
        of_object.extend(ran);
        of_object.retain(|_, read| !read.is_empty());
        let now: HashSet<_> = of_object.values().flatten().cloned().collect();
        if of_object.is_empty() {
            self.readers.remove(uid);
        }
        self.release(uid, before.difference(&now));
    }

    /// An object reads nothing any more.
    pub(super) fn forget(&mut self, uid: &str) {
        if let Some((uid, read)) = self.readers.remove_entry(uid) {
            let read: HashSet<_> = read.into_values().flatten().collect();
            self.release(&uid, &read);
        }
    }

    fn release<'a>(&mut self, uid: &Uid, interests: impl IntoIterator<Item = &'a Interest>) {
        for interest in interests {
            let Some(place) = self.places.get_mut(interest.place()) else {
                continue;
            };
            place.release(interest, uid);
            if place.is_idle() {
                place.stop().cancel();
                self.places.remove(interest.place());
            }
        }
    }

    pub(super) fn place(&mut self, key: &PlaceKey) -> Option<&mut Place> {
        self.places.get_mut(key)
    }
}

/// A number that no other place has: what the ended watch of a former place still says is not about this one.
pub(super) fn serial() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
