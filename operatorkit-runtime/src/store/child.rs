//! One child as it was seen last, kept as compact JSON.

use std::{
    hash::{Hash, Hasher},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use kube::core::{DynamicObject, ObjectMeta};
use serde_json::{Map, Value};

use super::Version;
use crate::{
    cluster::Kind,
    readiness::Readiness,
    record::{Identity, Mark, Names},
};

/// Which child: its kind, in whichever version, namespace and name.
#[derive(Clone, Debug)]
pub(crate) struct ChildKey {
    pub(crate) kind: Arc<Kind>,
    pub(crate) namespace: Option<Arc<str>>,
    pub(crate) name: Arc<str>,
}

impl ChildKey {
    pub(crate) fn new(kind: &Arc<Kind>, namespace: Option<&str>, name: &str) -> Self {
        Self {
            kind: kind.clone(),
            namespace: namespace.map(Arc::from),
            name: name.into(),
        }
    }
}

impl PartialEq for ChildKey {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.namespace == other.namespace && self.kind.is_same(&other.kind)
    }
}

impl Eq for ChildKey {}

impl Hash for ChildKey {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        // What is equal hashes equally; the names of an object's children rarely are.
        self.name.hash(hasher);
    }
}

impl std::fmt::Display for ChildKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.namespace {
            Some(namespace) => write!(f, "{} {namespace}/{}", self.kind, self.name),
            None => write!(f, "{} {}", self.kind, self.name),
        }
    }
}

/// How a child got into the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Freshness {
    /// A watch, an answer or a live read showed it.
    Known,
    /// A watch says that it left the selection, or a new list lacks it. Only a live read tells what that means.
    Questioned,
}

/// A child as it was seen last. What it says is decoded only when somebody asks.
#[derive(Debug)]
pub(crate) struct ChildEntry {
    pub(crate) key: ChildKey,
    pub(crate) uid: Arc<str>,
    pub(crate) version: Version,
    /// The UID of the object it belongs to, by its mark.
    pub(crate) owner: Arc<str>,
    /// The resource it belongs to, by its mark.
    pub(crate) resource: Arc<str>,
    pub(crate) terminating: bool,
    pub(crate) freshness: Freshness,
    body: Box<[u8]>,
    memo: Mutex<Memo>,
}

/// What was found out about exactly this version of a child.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memo {
    /// The fingerprint of a desired object that this version is known to satisfy, and whether it is to be left behind.
    pub(crate) settled: Option<(u64, bool)>,
    pub(crate) readiness: Option<Readiness>,
}

impl ChildEntry {
    /// `None` if the object does not say what it is or whose.
    pub(crate) fn new(kind: &Arc<Kind>, object: &DynamicObject, owner: &str, resource: &str) -> Option<Self> {
        let meta = &object.metadata;
        Some(Self {
            key: ChildKey {
                kind: kind.clone(),
                namespace: meta.namespace.as_deref().map(Arc::from),
                name: meta.name.as_deref()?.into(),
            },
            uid: meta.uid.as_deref()?.into(),
            version: Version::of(meta.resource_version.as_deref()),
            owner: owner.into(),
            resource: resource.into(),
            terminating: meta.deletion_timestamp.is_some(),
            freshness: Freshness::Known,
            body: serde_json::to_vec(object).ok()?.into(),
            memo: Mutex::default(),
        })
    }

    /// The same child, in question since this version.
    pub(crate) fn questioned(&self, version: Version) -> Self {
        Self {
            key: self.key.clone(),
            uid: self.uid.clone(),
            version,
            owner: self.owner.clone(),
            resource: self.resource.clone(),
            terminating: self.terminating,
            freshness: Freshness::Questioned,
            body: self.body.clone(),
            memo: Mutex::default(),
        }
    }

    /// The whole object as JSON, without managedFields.
    pub(crate) fn value(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| Value::Object(Map::new()))
    }

    /// The child as a type.
    pub(crate) fn decode<T: serde::de::DeserializeOwned>(&self) -> serde_json::Result<T> {
        serde_json::from_slice(&self.body)
    }

    pub(crate) fn meta(&self) -> ObjectMeta {
        #[derive(serde::Deserialize)]
        struct OnlyMeta {
            metadata: ObjectMeta,
        }
        self.decode::<OnlyMeta>()
            .map(|object| object.metadata)
            .unwrap_or_default()
    }

    pub(crate) fn memo(&self) -> MutexGuard<'_, Memo> {
        self.memo.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whose an object is, by its mark alone: labels are taken off and changed, and others copy them (tried: those of a Service to its
/// Endpoints and `EndpointSlice`s).
pub(super) enum Filing {
    /// The mark was put on this very object for this operator.
    To { owner: String, resource: String },
    /// The mark was put on this object as another kind: an Event is served in two groups. The watch of that kind tells.
    OtherView,
    /// It is no child, or not any more.
    Nobody,
}

pub(super) fn belongs(kind: &Kind, meta: &ObjectMeta, names: &Names) -> Filing {
    let name = meta.name.as_deref().unwrap_or_default();
    let this = Identity::new(kind, meta.namespace.as_deref(), name);
    match Mark::on(meta).filter(|mark| names.is_ours(&mark.operator)) {
        Some(mark) if mark.this == this => Filing::To {
            owner: mark.uid,
            resource: mark.resource,
        },
        Some(mark) if mark.this.namespace == this.namespace && mark.this.name == this.name => Filing::OtherView,
        _ => Filing::Nobody,
    }
}
