//! The types of CEL, as far as rules are checked.

use std::fmt;

use crate::schema::NodeId;

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// Any type; known only when the rule runs.
    Dyn,
    /// A type that nothing is known of yet: the items of `[]`.
    Free,
    Null,
    Bool,
    Int,
    Uint,
    Double,
    Text,
    Bytes,
    Duration,
    Timestamp,
    /// The type of a type.
    Type,
    List(Box<Kind>),
    Map(Box<Kind>, Box<Kind>),
    Optional(Box<Kind>),
    /// An object with the fields of a schema. `true`: with what all resources have.
    Object(NodeId, bool),
    /// A type of the library: `kubernetes.Quantity`.
    Named(&'static str),
    /// A type that a signature leaves open.
    Open(u8),
}

impl Kind {
    pub(super) fn list(of: Self) -> Self {
        Self::List(Box::new(of))
    }

    pub(super) fn map(key: Self, value: Self) -> Self {
        Self::Map(Box::new(key), Box::new(value))
    }

    pub(super) fn optional(of: Self) -> Self {
        Self::Optional(Box::new(of))
    }

    /// Whether the type is known only when the rule runs.
    pub(super) fn is_open(&self) -> bool {
        matches!(self, Self::Dyn | Self::Free)
    }

    /// The type that both are, if there is one.
    pub(super) fn join(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::Free, it) | (it, Self::Free) => Some(it.clone()),
            (Self::Dyn, _) | (_, Self::Dyn) => Some(Self::Dyn),
            (Self::List(one), Self::List(other)) => Some(Self::list(one.join(other)?)),
            (Self::Optional(one), Self::Optional(other)) => Some(Self::optional(one.join(other)?)),
            (Self::Map(key, value), Self::Map(other_key, other_value)) => {
                Some(Self::map(key.join(other_key)?, value.join(other_value)?))
            }
            (Self::Null, it) | (it, Self::Null) if it.may_be_null() => Some(it.clone()),
            (one, other) => (one == other).then(|| one.clone()),
        }
    }

    fn may_be_null(&self) -> bool {
        matches!(
            self,
            Self::Null | Self::Duration | Self::Timestamp | Self::Object(..) | Self::Optional(_) | Self::Named(_)
        )
    }

    /// Whether a value of this type may stand where `wanted` is. What `wanted` leaves open is bound.
    pub(super) fn fits(&self, wanted: &Self, bound: &mut [Option<Self>; 2]) -> bool {
        match (self, wanted) {
            (_, Self::Open(which)) => {
                let slot = &mut bound[usize::from(*which)];
                let joined = match slot {
                    Some(before) => before.join(self),
                    None => Some(self.clone()),
                };
                joined.map(|it| *slot = Some(it)).is_some()
            }
            (it, _) if it.is_open() => true,
            (_, Self::Dyn) => true,
            (Self::List(one), Self::List(other)) | (Self::Optional(one), Self::Optional(other)) => {
                one.fits(other, bound)
            }
            (Self::Map(key, value), Self::Map(wanted_key, wanted_value)) => {
                key.fits(wanted_key, bound) && value.fits(wanted_value, bound)
            }
            (Self::Null, it) => it.may_be_null(),
            (one, other) => one == other,
        }
    }

    /// The type with what was left open filled in.
    pub(super) fn filled(&self, bound: &[Option<Self>; 2]) -> Self {
        match self {
            Self::Open(which) => bound[usize::from(*which)].clone().unwrap_or(Self::Dyn),
            Self::List(of) => Self::list(of.filled(bound)),
            Self::Optional(of) => Self::optional(of.filled(bound)),
            Self::Map(key, value) => Self::map(key.filled(bound), value.filled(bound)),
            other => other.clone(),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dyn | Self::Free => "dyn",
            Self::Null => "null",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Uint => "uint",
            Self::Double => "double",
            Self::Text => "string",
            Self::Bytes => "bytes",
            Self::Duration => "google.protobuf.Duration",
            Self::Timestamp => "google.protobuf.Timestamp",
            Self::Type => "type",
            // The real server makes these names up, with a number that changes with each compilation.
            Self::Object(..) => "object",
            Self::Named(name) => name,
            Self::Open(0) => "A",
            Self::Open(_) => "B",
            Self::List(of) => return write!(f, "list({of})"),
            Self::Optional(of) => return write!(f, "optional_type({of})"),
            Self::Map(key, value) => return write!(f, "map({key}, {value})"),
        })
    }
}
