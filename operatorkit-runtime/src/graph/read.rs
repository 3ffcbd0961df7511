//! What a resource reads beside its children.

use super::Node;
use crate::{cluster::Kind, operator::Object};

/// A kind that a resource reads: the operator needs the rights `get`, `list` and `watch` for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// The kind.
    pub kind: Kind,
    /// `reads(.., any_namespace)`: not only in the object's namespace.
    pub any_namespace: bool,
}

impl Read {
    /// What `reads(K)` declares.
    #[must_use]
    pub fn of<K: Object>() -> Self {
        Self {
            kind: Kind::of::<K>(),
            any_namespace: false,
        }
    }

    /// What `reads(K, any_namespace)` declares.
    #[must_use]
    pub fn anywhere<K: Object>() -> Self {
        Self {
            any_namespace: true,
            ..Self::of::<K>()
        }
    }
}

/// The resource reads objects of the kind `K` in its object's namespace. `#[resource(reads(K))]` implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say that it reads `{K}`",
    note = "add `reads({K})` to the `#[resource(..)]` of `{Self}`, so that the operator has the rights for it and nothing more"
)]
pub trait Reads<K: Object>: Node {}

/// The resource reads objects of the kind `K` in any namespace. `#[resource(reads(K, any_namespace))]` implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say that it reads `{K}` in any namespace",
    note = "say `reads({K}, any_namespace)` in the `#[resource(..)]` of `{Self}`; without it, it reads in its object's namespace only"
)]
pub trait ReadsAnywhere<K: Object>: Reads<K> {}
