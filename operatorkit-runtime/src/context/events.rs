//! Kubernetes Events about one object.

use k8s_openapi::api::core::v1::ObjectReference;

use crate::cluster::{EventType, Events};

/// Publishes Events about the object of a pass; in the background, and a failure never fails the pass.
///
/// Repeats of the same text become one Event with a count. Reason and message are cut to what the API server accepts
/// (events.k8s.io/v1: 128 and 1024 characters).
#[derive(Clone, Debug)]
pub struct ObjectEvents {
    events: Events,
    object: ObjectReference,
}

impl ObjectEvents {
    pub(crate) fn new(events: Events, object: ObjectReference) -> Self {
        Self { events, object }
    }

    /// Something that a reader may want to know. `reason` is CamelCase, such as `Created`.
    pub fn normal(&self, reason: &str, message: impl Into<String>) {
        self.publish(EventType::Normal, reason, message.into());
    }

    /// Something that a person may have to look at.
    pub fn warning(&self, reason: &str, message: impl Into<String>) {
        self.publish(EventType::Warning, reason, message.into());
    }

    fn publish(&self, type_: EventType, reason: &str, message: String) {
        self.events
            .publish(self.object.clone(), type_, reason, message, "Reconcile");
    }
}
