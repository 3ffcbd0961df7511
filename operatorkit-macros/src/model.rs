//! What an attribute and its item mean: all that `expand` needs, already judged.

use proc_macro2::{Ident, Span, TokenStream};
use syn::{Generics, Item, ItemStruct, LitStr, Path, Type};

/// `#[operator]`.
pub(crate) struct Operator {
    pub(crate) root: Path,
    pub(crate) item: ItemStruct,
    /// What was annotated, where no operator can be made of it: `item` stands in for it, so that the promised types exist.
    pub(crate) refused: Option<Item>,
    pub(crate) kind: Kind,
    pub(crate) name: Option<LitStr>,
    pub(crate) selector: Option<Selector>,
    pub(crate) resources: Vec<Listed>,
    /// Where rules of the whole graph are reported.
    pub(crate) graph: Span,
}

/// What an operator reconciles.
pub(crate) enum Kind {
    Own {
        /// The type of the objects, and the kind's name.
        object: Ident,
        status: Option<Type>,
        /// What goes to kube's derive: group, version, kind and the keys that are its own.
        kube: Vec<TokenStream>,
    },
    Existing(Type),
}

/// Which objects.
pub(crate) enum Selector {
    All,
    Labels(LitStr),
}

/// A resource in `resources(..)`.
pub(crate) struct Listed {
    pub(crate) path: Path,
    pub(crate) field: Ident,
    pub(crate) span: Span,
}

/// `#[resource]`.
pub(crate) struct Resource {
    pub(crate) root: Path,
    pub(crate) item: Item,
    pub(crate) ident: Ident,
    /// Refused, but carried along, so that the item still is a resource.
    pub(crate) generics: Generics,
    pub(crate) name: String,
    pub(crate) order: Option<i64>,
    pub(crate) delete_order: Option<i64>,
    pub(crate) after: Vec<Path>,
    pub(crate) delete_after: Vec<Path>,
    pub(crate) any_namespace: bool,
    pub(crate) manual_recovery: bool,
}

/// `#[data]`.
pub(crate) struct Data {
    pub(crate) root: Path,
    pub(crate) item: Item,
    /// The struct, and a field of it whose name in JSON is one of ours in a status.
    pub(crate) reserved: Option<(Ident, String)>,
}
