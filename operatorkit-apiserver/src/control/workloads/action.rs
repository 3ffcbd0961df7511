//! What a controller wants to be done: data, so that the server does it by its own verbs.

use jiff::Timestamp;
use serde_json::Value;

use crate::read::text;

/// What is to be done now, in order, and when to look again if nothing changes until then.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// What is to be done, in order.
    pub actions: Vec<Action>,
    /// When time alone makes a difference: a deadline, Pods that become available.
    pub again: Option<Timestamp>,
}

/// One thing to do.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// What is done.
    pub verb: Verb,
    /// What is told of it, once it is done.
    pub event: Option<Event>,
}

/// What is done to an object.
#[derive(Clone, Debug, PartialEq)]
pub enum Verb {
    /// Create this object. One with `generateName` is named by the server.
    Create(Value),
    /// Replace the object by this one, which carries the `resourceVersion` that was looked at.
    Update(Value),
    /// Replace the object's status by that of this one; of Deployments the annotations, too.
    UpdateStatus(Value),
    /// Merge this into the object (a JSON merge patch). `subresource` is empty, `status` or `binding` is not among them.
    Patch {
        /// The object.
        object: Reference,
        /// `status`, or nothing for the object itself.
        subresource: &'static str,
        /// What is merged.
        patch: Value,
    },
    /// Put a Pod on a node: create its `binding`.
    Bind {
        /// The Pod.
        pod: Reference,
        /// The name of the node.
        node: String,
    },
    /// Delete the object, if its UID still is that of the reference.
    Delete {
        /// The object.
        object: Reference,
        /// `gracePeriodSeconds`, the object's own if there is none.
        grace_period: Option<i64>,
        /// `propagationPolicy`, the kind's own if it is empty.
        propagation: &'static str,
    },
    /// Do nothing, only tell the event.
    Tell,
}

/// One incarnation of an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reference {
    /// `apps/v1`
    pub api_version: String,
    /// `Deployment`
    pub kind: String,
    /// Empty for what is not in a namespace.
    pub namespace: String,
    /// The name.
    pub name: String,
    /// The UID.
    pub uid: String,
}

/// An Event to record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What it is about.
    pub regarding: Reference,
    /// `Normal` or `Warning`.
    pub kind: &'static str,
    /// `SuccessfulCreate`
    pub reason: &'static str,
    /// What happened. `{name}` stands for the name of the object that was created.
    pub message: String,
    /// Who tells it: `replicaset-controller`.
    pub component: &'static str,
}

impl Reference {
    /// Refers to an object.
    pub fn to(object: &Value) -> Self {
        Self {
            api_version: text(object, "/apiVersion").to_owned(),
            kind: text(object, "/kind").to_owned(),
            namespace: text(object, "/metadata/namespace").to_owned(),
            name: text(object, "/metadata/name").to_owned(),
            uid: text(object, "/metadata/uid").to_owned(),
        }
    }
}

impl Event {
    /// An Event that all is well.
    pub(super) fn normal(regarding: &Value, component: &'static str, reason: &'static str, message: String) -> Self {
        Self {
            regarding: Reference::to(regarding),
            kind: "Normal",
            reason,
            message,
            component,
        }
    }

    /// An Event that something is not.
    pub(super) fn warning(regarding: &Value, component: &'static str, reason: &'static str, message: String) -> Self {
        Self {
            kind: "Warning",
            ..Self::normal(regarding, component, reason, message)
        }
    }
}

impl Plan {
    /// Whether there is nothing to do now.
    pub fn is_done(&self) -> bool {
        self.actions.is_empty()
    }

    pub(super) fn push(&mut self, verb: Verb) {
        self.actions.push(Action { verb, event: None });
    }

    pub(super) fn push_told(&mut self, verb: Verb, event: Event) {
        self.actions.push(Action {
            verb,
            event: Some(event),
        });
    }

    /// Deletes the object as its kind is deleted.
    pub(super) fn delete(&mut self, object: &Value, event: Option<Event>) {
        let verb = Verb::Delete {
            object: Reference::to(object),
            grace_period: None,
            propagation: "",
        };
        self.actions.push(Action { verb, event });
    }

    pub(super) fn tell(&mut self, event: Event) {
        self.push_told(Verb::Tell, event);
    }

    /// Looks again at this moment, or earlier.
    pub(super) fn again_at(&mut self, moment: Timestamp) {
        self.again = Some(self.again.map_or(moment, |earlier| earlier.min(moment)));
    }
}
