//! Which old value a new one comes from (`k8s.io/apiserver/pkg/cel/common`).

use serde_json::{Map, Value};

use crate::schema::{ListType, Schema};

/// A new value, and the old one that it comes from: a field by its name, an item of a list map by its keys. Items of
/// other lists come from nowhere.
#[derive(Clone, Copy, Debug)]
pub struct Correlated<'a> {
    schema: Schema<'a>,
    new: &'a Value,
    old: &'a Value,
}

impl<'a> Correlated<'a> {
    /// A new value and its old one.
    pub fn new(schema: Schema<'a>, new: &'a Value, old: &'a Value) -> Self {
        Self { schema, new, old }
    }

    /// The old value.
    pub fn old(self) -> &'a Value {
        self.old
    }

    /// A field that both have.
    pub fn field(self, name: &str) -> Option<Self> {
        let new = self.new.as_object()?.get(name)?;
        let old = self.old.as_object()?.get(name)?;
        Some(Self::new(self.schema.field(name)?, new, old))
    }

    /// An item of a list map, by its keys.
    pub fn index(self, index: usize) -> Option<Self> {
        let ListType::Map(keys) = &self.schema.node().list else {
            return None;
        };
        let new = self.new.as_array()?.get(index)?;
        let key = key_of(new.as_object()?, keys)?;
        let old = self.old.as_array()?.iter().find(|old| {
            old.as_object()
                .and_then(|old| key_of(old, keys))
                .is_some_and(|old| old == key)
        })?;
        Some(Self::new(self.schema.items()?, new, old))
    }

    /// Whether both are the same. Values without a schema are never the same.
    pub fn is_unchanged(self) -> bool {
        match (self.new, self.old) {
            (Value::Array(new), Value::Array(old)) => {
                if !matches!(self.schema.node().list, ListType::Map(_)) {
                    return new == old;
                }
                new.len() == old.len() && (0..new.len()).all(|index| self.index(index).is_some_and(Self::is_unchanged))
            }
            (Value::Object(new), Value::Object(old)) => {
                new.len() == old.len() && new.keys().all(|name| self.field(name).is_some_and(Self::is_unchanged))
            }
            (new, old) => new == old,
        }
    }
}

/// The keys of an item, if it has all of them and they are scalars.
pub(crate) fn key_of<'a>(item: &'a Map<String, Value>, keys: &[Box<str>]) -> Option<Vec<&'a Value>> {
    keys.iter()
        .map(|key| {
            item.get(&**key)
                .filter(|it| it.is_string() || it.is_number() || it.is_boolean())
        })
        .collect()
}
