//! What the watch over a place shows, and who is run again for it.

use std::{collections::BTreeMap, sync::Arc};

use kube::core::DynamicObject;

use super::{
    Shared,
    key::{Key, PlaceKey},
    place::{Place, Woken},
};
use crate::{
    cluster::{Failure, Sink},
    context::Trigger,
    store::Version,
};

/// Files what a watch over metadata shows.
pub(super) struct ReadSink {
    shared: Arc<Shared>,
    key: PlaceKey,
    serial: u64,
}

impl ReadSink {
    pub(super) fn new(shared: Arc<Shared>, key: PlaceKey, serial: u64) -> Self {
        Self { shared, key, serial }
    }

    /// The place, unless nobody reads there any more.
    fn with<T>(&self, change: impl FnOnce(&mut Place) -> T) -> Option<T> {
        let mut table = self.shared.table();
        let place = table.place(&self.key).filter(|place| place.serial() == self.serial)?;
        Some(change(place))
    }

    fn told(&self, object: &DynamicObject, tell: impl FnOnce(&mut Place, Key, Version) -> Woken) {
        let meta = &object.metadata;
        let Some(key) = Key::of(meta) else { return };
        let version = Version::of(meta.resource_version.as_deref());
        let woken = self.with(|place| tell(place, key, version));
        self.shared.wake(woken.into_iter().flatten(), Trigger::ReadChanged);
    }
}

fn labels(object: &DynamicObject) -> &BTreeMap<String, String> {
    static NONE: BTreeMap<String, String> = BTreeMap::new();
    object.metadata.labels.as_ref().unwrap_or(&NONE)
}

impl Sink for ReadSink {
    fn begin(&self) {
        self.with(Place::begin);
    }

    fn seen(&self, object: DynamicObject) {
        self.told(&object, |place, key, version| place.seen(key, version, labels(&object)));
    }

    fn filled(&self) {
        let filled = self.with(|place| {
            let (kind, filled) = (place.kind.clone(), place.filled());
            tracing::debug!(
                kept = filled.kept,
                dropped = filled.others,
                "the watch of what is read of {kind} is filled"
            );
            filled
        });
        if let Some(filled) = filled {
            self.shared.wake(filled.woken, Trigger::ReadChanged);
            self.shared.wake(filled.waited, Trigger::WatchReady);
        }
        self.shared.changed.send_replace(());
    }

    fn applied(&self, object: DynamicObject) {
        self.told(&object, |place, key, version| {
            place.applied(&key, version, labels(&object))
        });
    }

    fn deleted(&self, object: DynamicObject) {
        self.told(&object, |place, key, version| place.deleted(&key, version));
    }

    fn failing(&self, failure: &Failure) {
        let woken = self.with(|place| place.failing(failure));
        self.shared.wake(woken.into_iter().flatten(), Trigger::WatchReady);
        self.shared.changed.send_replace(());
    }

    fn recovered(&self) {
        let woken = self.with(Place::recovered);
        self.shared.wake(woken.into_iter().flatten(), Trigger::WatchReady);
        self.shared.changed.send_replace(());
    }
}
