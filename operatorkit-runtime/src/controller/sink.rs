//! What the watch over the operator's own kind shows.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
};

use kube::core::DynamicObject;

use crate::{
    cluster::{Failure, Sink},
    context::Trigger,
    executor::Running,
    operator::{Operator, has_selector},
    record::Mark,
    store::ObjectEntry,
};

/// Files the objects of the kind, in one namespace or in all, and queues them.
pub(super) struct ObjectSink<O: Operator> {
    running: Arc<Running<O>>,
    namespace: Option<String>,
    listed: Mutex<HashSet<Arc<str>>>,
}

impl<O: Operator> ObjectSink<O> {
    pub(super) fn new(running: Arc<Running<O>>, namespace: Option<String>) -> Self {
        Self {
            running,
            namespace,
            listed: Mutex::default(),
        }
    }

    fn listed(&self) -> std::sync::MutexGuard<'_, HashSet<Arc<str>>> {
        self.listed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn gone(&self, uid: &Arc<str>) {
        let running = &self.running;
        running.objects.remove(uid);
        // A pass that runs may still add to the queue: the next one finds no object, and frees what is left.
        running.queue.add(uid.clone(), Trigger::ObjectChanged);
    }
}

/// Takes in an object as it is now, and says whether that is news. `None`: it is not one of the operator's.
pub(super) fn file<O: Operator>(running: &Running<O>, object: DynamicObject) -> Option<(Arc<ObjectEntry<O>>, bool)> {
    let names = &running.names;
    // What carries this operator's own valid mark is its child, never its object.
    if Mark::put_on(&object.metadata, &running.kind, names).is_some() {
        return None;
    }
    let entry = ObjectEntry::new(object, names, running.own)?;
    let first = running.objects.get(&entry.uid).is_none();
    let preexisting = entry.inventory(names).is_some() || entry.has_our_finalizer(names);
    let (entry, news) = running.objects.put(entry);
    running.in_sight(&entry.uid, first && preexisting, news);
    Some((entry, news))
}

impl<O: Operator> Sink for ObjectSink<O> {
    fn begin(&self) {
        self.listed().clear();
    }

    fn seen(&self, object: DynamicObject) {
        self.listed().extend(object.metadata.uid.as_deref().map(Arc::from));
        self.applied(object);
    }

    fn filled(&self) {
        let listed = std::mem::take(&mut *self.listed());
        for uid in self.running.objects.missing(self.namespace.as_deref(), &listed) {
            self.running.lost_sight(&uid);
        }
        self.running.namespaces.filled(self.namespace.as_deref());
    }

    fn applied(&self, object: DynamicObject) {
        if let Some((entry, true)) = file(&self.running, object) {
            self.running.queue.add(entry.uid.clone(), Trigger::ObjectChanged);
        }
    }

    fn deleted(&self, object: DynamicObject) {
        let Some(uid) = object.metadata.uid.as_deref().map(Arc::from) else {
            return;
        };
        let finalizers = object.metadata.finalizers.as_deref().unwrap_or_default();
        let ours = finalizers.iter().any(|it| self.running.names.is_finalizer(it));
        let released = self.running.remember(&uid, |memory| memory.released);
        // The last state is shown as it was before somebody took our finalizer off.
        let let_go = object.metadata.deletion_timestamp.is_some() && !has_selector::<O>();
        let known = self.running.objects.get(&uid).is_some();
        if known && ours && !released && !let_go {
            // An object with our finalizer does not go: it left the selector, or went all the same.
            self.running.out_of_sight(&uid, object);
        } else {
            self.gone(&uid);
        }
    }

    fn failing(&self, failure: &Failure) {
        self.running.namespaces.failing(self.namespace.as_deref(), failure);
    }

    fn recovered(&self) {}
}
