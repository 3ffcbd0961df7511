//! One request about a resource, and what it is answered with.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use crate::{
    access::User,
    core::Core,
    failure::Failure,
    registry::Served,
    request::{Place, Query},
    store::{Key, Stored},
};

/// One request about a resource.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) core: Arc<Core>,
    pub(crate) served: Arc<Served>,
    pub(crate) place: Place,
    pub(crate) query: Query,
    pub(crate) user: User,
    pub(crate) user_agent: String,
    /// The version that a fault makes a request believe to be the newest.
    pub(crate) frozen_at: Option<u64>,
    warnings: Mutex<Vec<String>>,
}

impl Call {
    pub(crate) fn new(core: Arc<Core>, served: Arc<Served>, place: Place, query: Query, user: User) -> Self {
        Self {
            core,
            served,
            place,
            query,
            user,
            user_agent: String::new(),
            frozen_at: None,
            warnings: Mutex::default(),
        }
    }

    /// The newest version that this request sees.
    pub(crate) fn newest(&self) -> u64 {
        let newest = self.core.store.version();
        self.frozen_at.map_or(newest, |frozen| newest.min(frozen))
    }

    /// Where the object is that the path names.
    pub(crate) fn key(&self) -> Key {
        self.key_of(self.place.name.as_deref().unwrap_or_default())
    }

    /// Where an object of this name is.
    pub(crate) fn key_of(&self, name: &str) -> Key {
        let namespace = if self.served.namespaced {
            self.place.namespace.as_deref()
        } else {
            None
        };
        Key::new(namespace.unwrap_or_default(), name)
    }

    /// The object that the path names.
    pub(crate) fn stored(&self) -> Result<Arc<Stored>, Failure> {
        let key = self.key();
        let stored = self.core.store.get(&self.served.table, &key);
        stored.ok_or_else(|| Failure::not_found(self.served.target(&key.name)))
    }

    /// Who owns the fields of a write: who says so, or the program that sends it.
    pub(crate) fn manager(&self, field_manager: &str) -> String {
        if !field_manager.is_empty() {
            return field_manager.to_owned();
        }
        let program = self.user_agent.split('/').next().unwrap_or_default();
        program
            .chars()
            .filter(|letter| !letter.is_control())
            .take(128)
            .collect()
    }

    /// Something that the answer warns of, once.
    pub(crate) fn warn(&self, warning: impl Into<String>) {
        let warning = warning.into();
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        if !warning.is_empty() && !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }

    /// What the answer warns of.
    pub(crate) fn warnings(&self) -> Vec<String> {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// An object that is shown.
#[derive(Clone, Debug)]
pub(crate) enum Shown {
    /// As it is stored: its bytes are used as they are where that is possible.
    Stored(Arc<Stored>),
    /// Made for this answer.
    Value(Value),
}

/// What a request is answered with, before its form is chosen.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// An object of the resource.
    Object { code: u16, object: Shown },
    /// Objects of the resource.
    List(super::list::Listed),
    /// Changes of the resource.
    Watch(super::watch::Watching),
    /// Something else: a `Status`, a `Scale`, a token.
    Document { code: u16, body: Value },
}

impl Outcome {
    /// 200 with an object as it is stored.
    pub(crate) fn stored(stored: Arc<Stored>) -> Self {
        Self::Object {
            code: 200,
            object: Shown::Stored(stored),
        }
    }
}
