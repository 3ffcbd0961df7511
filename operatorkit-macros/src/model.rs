//! What an attribute and its item mean: all that `expand` needs, already judged.

use proc_macro2::{Ident, Span, TokenStream};
use syn::{Expr, Generics, Item, ItemStruct, LitStr, Path, Type};

/// `#[operator]`.
pub(crate) struct Operator {
    pub(crate) root: Path,
    pub(crate) item: ItemStruct,
    /// What was annotated, where no operator can be made of it: `item` stands in for it, so that the promised types exist.
    pub(crate) refused: Option<Item>,
    pub(crate) kind: Kind,
    pub(crate) name: Option<LitStr>,
    pub(crate) selector: Option<Selector>,
    pub(crate) succession: Succession,
    pub(crate) pause: Pause,
    pub(crate) field_selector: Option<LitStr>,
    pub(crate) rules: Rules,
    pub(crate) resources: Vec<Listed>,
    pub(crate) layers: Option<Vec<Expr>>,
    /// What makes the value of a pass.
    pub(crate) value: Option<Listed>,
    /// Where rules of the whole graph are reported.
    pub(crate) graph: Span,
}

/// What an operator reconciles.
pub(crate) enum Kind {
    Own {
        /// The type of the objects, and the kind's name.
        object: Ident,
        status: Option<Type>,
        /// What the kind is, where it is said.
        doc: Option<LitStr>,
        /// Rules about whole objects.
        about: Vec<Rule>,
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

/// What an operator succeeds to.
pub(crate) struct Succession {
    /// Its earlier names.
    pub(crate) formerly: Vec<LitStr>,
    /// Finalizers of others that are treated as its own.
    pub(crate) legacy_finalizers: Vec<LitStr>,
    /// Children whose object is gone are deleted.
    pub(crate) delete_orphans: bool,
}

/// What pauses an object.
pub(crate) struct Pause {
    /// Keys and values of annotations, beside those that always pause.
    pub(crate) pairs: Vec<(LitStr, LitStr)>,
    /// A paused object is deleted all the same.
    pub(crate) deletion_proceeds: bool,
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
    pub(crate) policies: Vec<Policy>,
    pub(crate) layers: Option<Vec<Expr>>,
    pub(crate) reads: Vec<Reading>,
    /// The files that it is made of; `None`: it implements one of the traits itself.
    pub(crate) yaml: Option<Files>,
}

/// Files of YAML, by paths that are relative to the source file.
#[derive(Default)]
pub(crate) struct Files {
    /// Those that are right; the others were reported.
    pub(crate) good: Vec<LitStr>,
}

/// A policy of a resource.
#[derive(Clone)]
pub(crate) enum Policy {
    /// `on_delete = "keep"`.
    Keep,
    Retired,
    Optional,
    Adopt,
    /// `replace = "recreate"`.
    Recreate,
    /// In seconds.
    ReadyWithin(u64),
    DeletePropagation(Propagation),
    OwnerReference,
    /// JSON pointers.
    Initial(Vec<LitStr>),
}

/// The policy of a DELETE.
#[derive(Clone, Copy)]
pub(crate) enum Propagation {
    Foreground,
    Background,
    Orphan,
}

/// A kind in `reads(..)`.
pub(crate) struct Reading {
    pub(crate) kind: Type,
    pub(crate) any_namespace: bool,
}

/// `#[data]`.
pub(crate) struct Data {
    pub(crate) root: Path,
    pub(crate) item: Item,
    pub(crate) rules: Rules,
    /// The struct, and a field of it whose name in JSON is one of ours in a status.
    pub(crate) reserved: Option<(Ident, String)>,
}

/// The rules in CEL on a type and on its fields.
pub(crate) struct Rules {
    pub(crate) of_type: Vec<Rule>,
    /// In the order of `syntax::fields`.
    pub(crate) of_fields: Vec<Vec<Rule>>,
}

/// `validation(..)`.
pub(crate) struct Rule {
    pub(crate) expression: LitStr,
    pub(crate) message: Option<LitStr>,
    pub(crate) message_expression: Option<LitStr>,
    pub(crate) reason: Option<Reason>,
    pub(crate) field_path: Option<LitStr>,
    pub(crate) optional_old_self: bool,
}

/// The reason of a refusal.
#[derive(Clone, Copy)]
pub(crate) enum Reason {
    Invalid,
    Forbidden,
    Required,
    Duplicate,
}
