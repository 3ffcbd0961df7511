//! An object that went although our finalizer was on it: what was made for it is removed by its last state.
//!
//! A DELETE reads the object, and if nothing holds it then, it removes it, whatever was added meanwhile: our finalizer, too (kubernetes#77988,
//! tried on 1.37). Both requests succeed, and what a pass makes then is nobody's. But the end that the watch shows tells: what carries our
//! finalizer and is not being deleted was not let go of by anybody.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use jiff::Timestamp;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use kube::core::DynamicObject;
use tokio::time::Instant;

use super::{Running, memory::Memory, pause};
use crate::{
    cluster::Failure,
    context::Trigger,
    operator::{Operator, has_selector},
    store::ObjectEntry,
};

/// How late it is undone at most, by a process that takes over, say: its names may be those of other things by then.
const LATE: Duration = Duration::from_mins(10);

/// What a watch has shown last of an object with our finalizer, which was not being deleted.
#[derive(Debug)]
pub(super) struct Last {
    object: Box<DynamicObject>,
    shown: Instant,
}

impl<O: Operator> Running<O> {
    /// The watch does not show an object any more that has our finalizer: it left the selector, or went.
    pub(crate) fn out_of_sight(&self, uid: &Arc<str>, last: DynamicObject) {
        if last.metadata.deletion_timestamp.is_none() && self.objects.get(uid).is_some() {
            let last = Last {
                object: Box::new(last),
                shown: Instant::now(),
            };
            self.remember(uid, |memory| memory.last = Some(last));
        }
        self.lost_sight(uid);
    }

    /// An object that is not there and that something is left to do for, in the state by which that is done. `None`: somebody let go of it.
    pub(super) async fn left_over(&self, entry: &Arc<ObjectEntry<O>>) -> Result<Option<Arc<ObjectEntry<O>>>, Failure> {
        let known = |memory: &mut Memory| (memory.vanished.is_some(), memory.last.as_ref().map(|last| last.shown));
        let (vanished, shown) = self.remember(&entry.uid, known);
        let went = match shown.filter(|shown| shown.elapsed() < LATE) {
            Some(_) if !vanished && has_selector::<O>() => !self.only_left(entry).await?,
            shown => shown.is_some(),
        };
        let last = self.remember(&entry.uid, |memory| {
            memory.strayed = false;
            memory.last.take()
        });
        if vanished {
            return Ok(Some(entry.clone()));
        }
        Ok(last.filter(|_| went).and_then(|last| self.gone_with_finalizer(last)))
    }

    /// A watch with a selector also shows the end of what leaves the selection. Whether it was that: the object was still there at that
    /// version, and somebody may have let go of it since.
    async fn only_left(&self, entry: &Arc<ObjectEntry<O>>) -> Result<bool, Failure> {
        let version = self.remember(&entry.uid, |memory| {
            memory
                .last
                .as_ref()
                .and_then(|last| last.object.metadata.resource_version.clone())
        });
        let Some(version) = version else {
            return Ok(true);
        };
        let was = self
            .cluster
            .get_metadata_at(&self.kind, entry.namespace(), entry.name(), &version);
        match was.await {
            Ok(was) => Ok(was.is_some_and(|was| was.metadata.uid.as_deref() == Some(&*entry.uid))),
            // Too long ago: nobody knows.
            Err(failure) if failure.is_expired() => Ok(true),
            Err(failure) => Err(failure),
        }
    }

    /// The object as it is undone from now on. `None`: it was paused, so that nothing is done for it, and nobody can end that any more.
    fn gone_with_finalizer(&self, last: Last) -> Option<Arc<ObjectEntry<O>>> {
        let mut object = last.object;
        object.metadata.deletion_timestamp = Some(Time(Timestamp::now()));
        let entry = ObjectEntry::new(*object, &self.names, self.own)?;
        if pause::holding(&entry).is_some() {
            return None;
        }
        tracing::info!(
            "it went with our finalizer on it: the API server had begun to delete it before that was added; what was made for it is removed"
        );
        self.remember(&entry.uid, |memory| memory.vanished = Some(BTreeSet::new()));
        Some(self.objects.renew(entry))
    }

    /// A deletion has come to its end. Of an object that went before, no watch tells that.
    pub(super) fn undone(&self, uid: &Arc<str>) {
        if self.has_vanished(uid) {
            self.objects.remove(uid);
            self.queue.add(uid.clone(), Trigger::ObjectChanged);
        }
    }

    /// Whether an object went, and is undone by its last state.
    pub(super) fn has_vanished(&self, uid: &Arc<str>) -> bool {
        self.remember(uid, |memory| memory.vanished.is_some())
    }

    /// Whether an object went whose name is that of another one by now: what goes by the name is no longer its own.
    pub(super) fn is_replaced(&self, entry: &ObjectEntry<O>) -> bool {
        let is_other = |it: &Arc<ObjectEntry<O>>| {
            it.uid != entry.uid && it.name() == entry.name() && it.namespace() == entry.namespace()
        };
        self.has_vanished(&entry.uid) && self.objects.all().iter().any(is_other)
    }

    /// Nothing can be stored on an object that went: what was stored for a resource is forgotten here.
    pub(super) fn forget_slot(&self, uid: &Arc<str>, resource: &str) {
        self.remember(uid, |memory| {
            if let Some(forgotten) = &mut memory.vanished {
                forgotten.insert(resource.to_owned());
            }
        });
    }

    /// Whether what was stored for a resource is forgotten, since nothing is left of it.
    pub(super) fn is_forgotten(&self, uid: &Arc<str>, resource: &str) -> bool {
        let forgotten = |memory: &mut Memory| memory.vanished.as_ref().is_some_and(|all| all.contains(resource));
        self.remember(uid, forgotten)
    }
}
