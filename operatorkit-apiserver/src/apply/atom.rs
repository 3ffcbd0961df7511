//! What a value at one place may be: a scalar, a list, a map, or several of these (`kube-openapi`, `schemaconv`).

use serde_json::Value;

use crate::schema::Schema;

use super::{atom_of_node, object_meta};

/// A place in a schema, as structured-merge-diff sees it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place<'a> {
    /// A node. `preserve`: a parent keeps unknown fields, and with it everything written inline below it.
    Node {
        schema: Schema<'a>,
        preserve: bool,
        resource: bool,
    },
    /// Any value; lists and maps are atomic.
    Untyped,
    /// Any value; lists are atomic, maps merge field by field.
    Deduced,
    /// No value.
    Nothing,
}

/// What a value may be.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Atom<'a> {
    pub(super) scalar: Option<Scalar>,
    pub(super) list: Option<List<'a>>,
    pub(super) map: Option<Map<'a>>,
}

/// The type of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Numeric,
    String,
    Boolean,
    Untyped,
}

/// A list. Associative with keys: a map by these fields; associative without: a set; else atomic.
#[derive(Clone, Copy, Debug)]
pub(super) struct List<'a> {
    pub(super) associative: bool,
    pub(super) keys: &'a [Box<str>],
    pub(super) items: Place<'a>,
}

/// A map, or an object with fields.
#[derive(Clone, Copy, Debug)]
pub(super) struct Map<'a> {
    pub(super) fields: Option<Fields<'a>>,
    /// What unknown fields are.
    pub(super) element: Place<'a>,
    pub(super) atomic: bool,
}

/// The fields that a schema names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields<'a> {
    pub(super) schema: Schema<'a>,
    pub(super) preserve: bool,
    /// The object has `apiVersion`, `kind` and `metadata`.
    pub(super) resource: bool,
}

/// Which kind of value it is, of those that are allowed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind<'a> {
    Scalar(Scalar),
    List(List<'a>),
    Map(Map<'a>),
}

impl<'a> Place<'a> {
    /// The object itself.
    pub(super) fn root(schema: Schema<'a>) -> Self {
        Self::Node {
            schema,
            preserve: false,
            resource: true,
        }
    }

    /// A part of the object that is below `preserve`. What has a name stands elsewhere, and inherits nothing.
    pub(super) fn node(schema: Schema<'a>, preserve: bool) -> Self {
        Self::Node {
            schema,
            preserve: preserve && schema.name.is_none(),
            resource: schema.embedded_resource,
        }
    }

    pub(super) fn atom(self) -> Atom<'a> {
        match self {
            Self::Nothing => Atom::default(),
            Self::Untyped | Self::Deduced => Atom {
                scalar: Some(Scalar::Untyped),
                list: Some(List {
                    associative: false,
                    keys: &[],
                    items: Place::Untyped,
                }),
                map: Some(Map {
                    fields: None,
                    element: self,
                    atomic: matches!(self, Self::Untyped),
                }),
            },
            Self::Node {
                schema,
                preserve,
                resource,
            } => atom_of_node::atom(schema, preserve, resource),
        }
    }
}

impl<'a> Map<'a> {
    /// A field that the schema names.
    pub(super) fn known(&self, name: &str) -> Option<Place<'a>> {
        let fields = self.fields?;
        if fields.resource
            && let Some(place) = object_meta::field(fields.schema, name)
        {
            return Some(place);
        }
        fields.schema.property(name).map(|it| Place::node(it, fields.preserve))
    }

    /// A field, or what unknown fields are: [`Place::Nothing`] if there are none.
    pub(super) fn field(&self, name: &str) -> Place<'a> {
        self.known(name).unwrap_or(self.element)
    }

    /// Whether nothing is known of the fields.
    pub(super) fn is_deduced(&self) -> bool {
        matches!(self.element, Place::Deduced)
            && self
                .fields
                .is_none_or(|it| it.schema.properties.is_empty() && !it.resource)
    }

    /// What a key field of an item is when the item does not say it.
    pub(super) fn default(&self, name: &str) -> Option<&'a Value> {
        self.fields?.schema.property(name)?.node().default.as_ref()
    }
}

impl<'a> Atom<'a> {
    /// The one that the value is; all, if it is absent, null, or none of these.
    pub(super) fn deduce(self, value: Option<&Value>) -> Self {
        match value {
            Some(Value::Bool(_) | Value::Number(_) | Value::String(_)) if self.scalar.is_some() => Self {
                list: None,
                map: None,
                ..self
            },
            Some(Value::Array(_)) if self.list.is_some() => Self {
                scalar: None,
                map: None,
                ..self
            },
            Some(Value::Object(_)) if self.map.is_some() => Self {
                scalar: None,
                list: None,
                ..self
            },
            _ => self,
        }
    }

    /// Whether two deductions of one atom came out the same.
    pub(super) fn same(&self, other: &Self) -> bool {
        self.scalar.is_some() == other.scalar.is_some()
            && self.list.is_some() == other.list.is_some()
            && self.map.is_some() == other.map.is_some()
    }

    /// The first of map, scalar and list that is allowed.
    pub(super) fn kind(self) -> Option<Kind<'a>> {
        self.map
            .map(Kind::Map)
            .or(self.scalar.map(Kind::Scalar))
            .or(self.list.map(Kind::List))
    }
}
