//! What is read, as keys.

use std::{
    any::TypeId,
    collections::BTreeMap,
    fmt,
    hash::{Hash, Hasher},
    sync::Arc,
};

use kube::core::{ObjectMeta, Selector, SelectorExt as _};

/// What one watch is over: a type, in a namespace or in all.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct PlaceKey {
    /// By type and not by kind: bodies are kept decoded.
    pub(super) type_: TypeId,
    pub(super) namespace: Option<Arc<str>>,
}

/// One object.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) namespace: Option<Arc<str>>,
    pub(super) name: Arc<str>,
}

impl Key {
    pub(super) fn new(namespace: Option<&str>, name: &str) -> Self {
        Self {
            namespace: namespace.map(Arc::from),
            name: name.into(),
        }
    }

    /// `None` if an object has no name, which no stored one lacks.
    pub(super) fn of(meta: &ObjectMeta) -> Option<Self> {
        Some(Self::new(meta.namespace.as_deref(), meta.name.as_deref()?))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.namespace {
            Some(namespace) => write!(f, "{namespace}/{}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// The objects with some labels, in a namespace or in all.
#[derive(Clone, Debug)]
pub(super) struct ListKey {
    pub(super) namespace: Option<Arc<str>>,
    /// The label selector as text; empty: all.
    pub(super) labels: Arc<str>,
    selector: Arc<Selector>,
}

impl ListKey {
    pub(super) fn new(namespace: Option<&str>, selector: Selector) -> Self {
        Self {
            namespace: namespace.map(Arc::from),
            labels: selector.to_string().into(),
            selector: Arc::new(selector),
        }
    }

    /// Whether an object is in the list's namespace.
    pub(super) fn covers(&self, key: &Key) -> bool {
        self.namespace.is_none() || self.namespace == key.namespace
    }

    /// Whether the list selects these labels.
    pub(super) fn selects(&self, labels: &BTreeMap<String, String>) -> bool {
        self.selector.matches(labels)
    }
}

impl PartialEq for ListKey {
    fn eq(&self, other: &Self) -> bool {
        self.labels == other.labels && self.namespace == other.namespace
    }
}

impl Eq for ListKey {}

impl Hash for ListKey {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.labels.hash(hasher);
        self.namespace.hash(hasher);
    }
}

/// Something that is read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Interest {
    Object(PlaceKey, Key),
    List(PlaceKey, ListKey),
}

impl Interest {
    pub(super) fn place(&self) -> &PlaceKey {
        match self {
            Self::Object(place, _) | Self::List(place, _) => place,
        }
    }
}
