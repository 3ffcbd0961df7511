//! One object of the operator's kind as it was seen last.

use std::{any::Any, collections::BTreeMap, fmt, sync::Arc};

use kube::core::{DynamicObject, ObjectMeta};
use serde_json::{Map, Value};

use super::Version;
use crate::{
    compare::drop_nulls,
    operator::Operator,
    record::{Inventory, Names, Slot},
    status::{NoStatus, OUR_FIELDS, Shown, Status, Stored},
};

/// An object of the operator's kind. One that does not decode as its type still has its metadata and what is stored.
pub(crate) struct ObjectEntry<O: Operator> {
    pub(crate) meta: Arc<ObjectMeta>,
    pub(crate) uid: Arc<str>,
    pub(crate) version: Version,
    pub(crate) typed: Result<Arc<O::Object>, Arc<str>>,
    /// What the status shows of ours, and the user's fields in it; also if the object does not decode as its type.
    pub(crate) shown: Shown,
    pub(crate) user_fields: Map<String, Value>,
    /// What is stored for `External`s, by resource name.
    pub(crate) slots: Arc<BTreeMap<String, Slot>>,
    /// Which parents of the slots exist: `status`, `status.operatorkit`, `status.operatorkit.state`.
    pub(crate) slot_depth: usize,
}

impl<O: Operator> ObjectEntry<O> {
    /// `None` if the object has no UID.
    pub(crate) fn new(object: DynamicObject, names: &Names, own: bool) -> Option<Self> {
        let uid = object.metadata.uid.as_deref()?.into();
        let version = Version::of(object.metadata.resource_version.as_deref());
        let (slots, slot_depth) = if own {
            slots_of_status(&object)
        } else {
            slots_of_annotation(&object, names)
        };
        let meta = Arc::new(object.metadata.clone());
        let (shown, user_fields) = if own {
            shown(&object.data["status"])
        } else {
            (Shown::default(), Map::new())
        };
        // The whole object decodes in one go: serde's errors name the field.
        let value = serde_json::to_value(object).ok()?;
        let typed = serde_json::from_value(value)
            .map(Arc::new)
            .map_err(|err| Arc::from(err.to_string()));
        Some(Self {
            meta,
            uid,
            version,
            typed,
            shown,
            user_fields,
            slots: Arc::new(slots),
            slot_depth,
        })
    }

    pub(crate) fn name(&self) -> &str {
        self.meta.name.as_deref().unwrap_or_default()
    }

    pub(crate) fn namespace(&self) -> Option<&str> {
        self.meta.namespace.as_deref()
    }

    pub(crate) fn generation(&self) -> Option<i64> {
        self.meta.generation
    }

    pub(crate) fn terminating(&self) -> bool {
        self.meta.deletion_timestamp.is_some()
    }

    pub(crate) fn has_finalizer(&self, finalizer: &str) -> bool {
        self.meta.finalizers.iter().flatten().any(|name| name == finalizer)
    }

    pub(crate) fn annotation(&self, key: &str) -> Option<&str> {
        self.meta.annotations.as_ref()?.get(key).map(String::as_str)
    }

    /// The inventory, if there is one that can be read.
    pub(crate) fn inventory(&self, names: &Names) -> Option<Inventory> {
        let stored = |names: &Names| Inventory::parse(self.annotation(&names.inventory)?);
        let mut all = names.latest_first().filter_map(stored);
        let latest = all.next()?;
        Some(all.fold(latest, |latest, earlier| latest.with_stored(&earlier)))
    }

    /// Whether it carries a finalizer of ours, under whichever name.
    pub(crate) fn has_our_finalizer(&self, names: &Names) -> bool {
        self.meta.finalizers.iter().flatten().any(|it| names.is_finalizer(it))
    }

    /// Whether it carries something that is ours, and not under our name as it is now.
    pub(crate) fn is_to_be_succeeded(&self, names: &Names) -> bool {
        let mut finalizers = self.meta.finalizers.iter().flatten();
        let mut former = names.former.iter();
        finalizers.any(|it| *it != names.finalizer && names.is_finalizer(it))
            || self.has_former_inventory(names)
            || former.any(|former| self.annotation(&former.state).is_some())
    }

    /// Whether an inventory stands under an earlier name: it may know more than ours.
    pub(crate) fn has_former_inventory(&self, names: &Names) -> bool {
        let mut former = names.former.iter();
        former.any(|former| self.annotation(&former.inventory).is_some())
    }

    /// Whether a pass over the one may come to something else than a pass over the other: our own annotations, finalizers
    /// and the status apart. A kind without generations may always.
    pub(crate) fn differs(&self, other: &Self, names: &Names) -> bool {
        let annotations = |entry: &Self| {
            let ours = |key: &String| {
                let mut all = names.latest_first();
                all.any(|names| *key == names.inventory || *key == names.state)
            };
            let all = entry.meta.annotations.clone().unwrap_or_default();
            all.into_iter()
                .filter(|(key, _)| !ours(key))
                .collect::<BTreeMap<_, _>>()
        };
        self.generation().is_none()
            || self.generation() != other.generation()
            || self.terminating() != other.terminating()
            || self.meta.labels != other.meta.labels
            || annotations(self) != annotations(other)
    }

    /// The typed object for a pass, without its type.
    pub(crate) fn erased(&self) -> Result<Arc<dyn Any + Send + Sync>, Arc<str>> {
        self.typed.clone().map(|typed| typed as _)
    }
}

impl<O: Operator> fmt::Debug for ObjectEntry<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ObjectEntry")
            .field("meta", &self.meta)
            .finish_non_exhaustive()
    }
}

fn slots_of_status(object: &DynamicObject) -> (BTreeMap<String, Slot>, usize) {
    let mut depth = 0;
    let mut at = &object.data;
    for part in ["status", "operatorkit", "state"] {
        match at.get(part) {
            Some(next @ Value::Object(_)) => at = next,
            _ => break,
        }
        depth += 1;
    }
    let stored = object
        .data
        .pointer("/status/operatorkit")
        .cloned()
        .and_then(|it| serde_json::from_value(it).ok());
    (stored.unwrap_or_else(Stored::default).slots(), depth)
}

fn slots_of_annotation(object: &DynamicObject, names: &Names) -> (BTreeMap<String, Slot>, usize) {
    let annotations = object.metadata.annotations.as_ref();
    let of = |names: &Names| {
        let text = annotations?.get(&names.state)?;
        serde_json::from_str::<BTreeMap<String, Slot>>(text).ok()
    };
    // The latest goes last, over the others.
    let all: Vec<_> = names.latest_first().filter_map(of).collect();
    (all.into_iter().rev().flatten().collect(), 0)
}

/// The parts of a status: what is ours of what is shown, and what the user added.
fn shown(status: &Value) -> (Shown, Map<String, Value>) {
    let mut fields = status.clone();
    drop_nulls(&mut fields);
    let mut fields = fields.as_object_mut().map(std::mem::take).unwrap_or_default();
    let ours = serde_json::from_value::<Status<NoStatus>>(status.clone()).ok();
    OUR_FIELDS.iter().for_each(|field| drop(fields.remove(*field)));
    (Shown::of(ours.as_ref()), fields)
}
