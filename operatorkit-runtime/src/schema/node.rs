//! A place in a schema.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{Wrong, kinds::Kinds};

/// What rules are called in a schema.
pub(super) const RULES: &str = "x-kubernetes-validations";

/// One place: what may be there.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub(super) kinds: Kinds,
    /// Fields of an object, by name.
    pub(super) fields: BTreeMap<String, Node>,
    /// What is in an array.
    pub(super) items: Option<Box<Node>>,
    /// What is in a map.
    pub(super) values: Option<Box<Node>>,
    /// Fields that are not named are kept.
    pub(super) open: bool,
    /// Fields that are not named are refused, where the API server does not drop them.
    pub(super) closed: bool,
    /// Conditions on values, as they stand in a structural schema, also in its `anyOf`.
    pub(super) checks: Map<String, Value>,
    /// What may stand outside of `anyOf` only: description, default, Kubernetes' own keys.
    pub(super) notes: Map<String, Value>,
}

impl Node {
    /// A place that takes anything, and keeps it.
    pub(super) fn any() -> Self {
        Self {
            kinds: Kinds::ALL,
            fields: BTreeMap::new(),
            items: None,
            values: None,
            open: true,
            closed: false,
            checks: Map::new(),
            notes: Map::new(),
        }
    }

    /// Whether it takes anything; its description does not matter.
    pub(super) fn is_any(&self) -> bool {
        self.kinds == Kinds::ALL && self.open && self.is_scalar() && self.checks.is_empty()
    }

    /// Whether it takes objects and keeps fields that are not named: the API server drops them where there is one type only.
    pub(super) fn keeps(&self) -> bool {
        let kinds = self.kinds - Kinds::NULL;
        self.open && kinds.contains(Kinds::OBJECT) || kinds.name().is_none() && kinds != Kinds::INT_OR_STRING
    }

    /// Whether nothing is said of what is inside.
    pub(super) fn is_scalar(&self) -> bool {
        self.fields.is_empty() && self.items.is_none() && self.values.is_none()
    }

    /// One more condition, beside those that there are.
    pub(super) fn require(&mut self, key: &str, condition: Value) {
        match self.checks.get_mut(key) {
            None => {
                self.checks.insert(key.to_owned(), condition);
            }
            Some(there) if *there == condition => {}
            Some(Value::Array(there)) if key == "allOf" => {
                there.extend(condition.as_array().into_iter().flatten().cloned());
            }
            Some(Value::Array(there)) if key == "required" => {
                let more = condition.as_array().into_iter().flatten();
                there.extend(more.filter(|name| !there.contains(name)).cloned().collect::<Vec<_>>());
            }
            Some(_) => {
                let condition = Map::from_iter([(key.to_owned(), condition)]);
                self.require("allOf", Value::Array(vec![condition.into()]));
            }
        }
    }

    /// Both hold: what is said in `allOf`, or on a field and by its type. The first says what it is called.
    pub(super) fn and(mut self, other: Self) -> Result<Self, Wrong> {
        self.kinds = self.kinds & other.kinds;
        self.open &= other.open;
        self.closed |= other.closed;
        for (name, field) in other.fields {
            let field = match self.fields.remove(&name) {
                Some(own) => own.and(field).map_err(|wrong| wrong.below(&format!(".{name}")))?,
                None => field,
            };
            self.fields.insert(name, field);
        }
        let both = |one: Option<Box<Self>>, other: Option<Box<Self>>| match (one, other) {
            (Some(one), Some(other)) => one.and(*other).map(|both| Some(Box::new(both))),
            (one, other) => Ok(one.or(other)),
        };
        self.items = both(self.items, other.items)?;
        self.values = both(self.values, other.values)?;
        for (key, condition) in other.checks {
            self.require(&key, condition);
        }
        for (key, note) in other.notes {
            match (self.notes.get_mut(&key), note) {
                (Some(Value::Array(own)), Value::Array(note)) if key == RULES => own.extend(note),
                (Some(_), _) => {}
                (None, note) => {
                    self.notes.insert(key, note);
                }
            }
        }
        Ok(self)
    }
}
