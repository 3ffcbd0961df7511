//! What both contexts share: the pass as a resource may see it, with the types erased.

use std::{
    any::Any,
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use kube::Client;
use kube::core::ObjectMeta;

use super::{Maker, ObjectEvents, Outputs, Triggers, Value};
use crate::{reads::PassReads, record::Slot};

/// One pass over one object.
pub(crate) struct Scope {
    pub(crate) client: Client,
    pub(crate) events: ObjectEvents,
    pub(crate) meta: Arc<ObjectMeta>,
    /// The typed object; the error of decoding it, where it does not decode.
    pub(crate) object: Result<Arc<dyn Any + Send + Sync>, Arc<str>>,
    pub(crate) outputs: Outputs,
    pub(crate) triggers: Triggers,
    /// What is stored for `External`s, by resource name, as of the beginning of the pass.
    pub(crate) slots: Arc<BTreeMap<String, Slot>>,
    pub(crate) reads: PassReads,
    pub(crate) value: Value,
    /// Whether the pass goes backwards.
    pub(crate) backwards: bool,
    /// The user's status fields, once a resource has changed them in this pass.
    user_status: Mutex<Option<Box<dyn Any + Send>>>,
    /// Why the finalizer is to be kept, as resources said.
    kept: Mutex<Vec<String>>,
}

impl Scope {
    #[expect(clippy::too_many_arguments, reason = "each is a part of its own, and named as such")]
    pub(crate) fn new(
        client: Client,
        events: ObjectEvents,
        meta: Arc<ObjectMeta>,
        object: Result<Arc<dyn Any + Send + Sync>, Arc<str>>,
        outputs: Outputs,
        triggers: Triggers,
        slots: Arc<BTreeMap<String, Slot>>,
        reads: PassReads,
    ) -> Self {
        Self {
            client,
            events,
            meta,
            object,
            outputs,
            triggers,
            slots,
            reads,
            value: Value::default(),
            backwards: false,
            user_status: Mutex::default(),
            kept: Mutex::default(),
        }
    }

    /// With what makes the value of the pass.
    pub(crate) fn with_value(mut self, maker: Option<Arc<dyn Maker>>) -> Self {
        self.value = Value::new(maker);
        self
    }

    /// The pass goes backwards.
    pub(crate) fn backwards(mut self) -> Self {
        self.backwards = true;
        self
    }

    pub(crate) fn object<T: Send + Sync + 'static>(&self) -> Result<Arc<T>, Arc<str>> {
        let object = self.object.clone()?;
        Ok(object
            .downcast()
            .expect("a pass holds an object of its operator's kind"))
    }

    /// Changes the user's status, which starts as `initial`.
    pub(crate) fn change_status<T: Send + 'static>(&self, initial: impl FnOnce() -> T, change: impl FnOnce(&mut T)) {
        let mut status = self.user_status.lock().unwrap_or_else(PoisonError::into_inner);
        let status = status.get_or_insert_with(|| Box::new(initial()));
        if let Some(status) = status.downcast_mut() {
            change(status);
        }
    }

    /// The user's status, if a resource has changed it.
    pub(crate) fn take_status<T: 'static>(&self) -> Option<T> {
        let status = self.user_status.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        status.downcast().ok().map(|status| *status)
    }

    pub(crate) fn keep_finalizer(&self, reason: String) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).push(reason);
    }

    pub(crate) fn kept(&self) -> Vec<String> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope")
            .field("namespace", &self.meta.namespace)
            .field("name", &self.meta.name)
            .field("triggers", &self.triggers)
            .finish_non_exhaustive()
    }
}
