//! `Runner`: what runs a resource, whichever of the three traits it implements.

use std::fmt;

use futures::future::BoxFuture;

use super::{Meta, NamedKinds, Read, Role, Runs};
use crate::{
    cluster::Kind,
    error::Result,
    executor::{Backward, Forward},
    flow::Flow,
    layer::Layers,
    operator::Operator,
};

/// What runs resources of the type `R` in `O`'s graph, without saying which of the three traits `R` implements. Made by [`runs`].
pub struct Runner<O: Operator, R> {
    pub(crate) meta: &'static Meta,
    pub(crate) role: Role,
    pub(crate) child_kind: fn() -> Option<Kind>,
    pub(crate) named_kinds: fn() -> NamedKinds,
    pub(crate) reads: fn() -> Vec<Read>,
    pub(crate) layers: fn() -> Option<Layers>,
    pub(crate) apply: Apply<O, R>,
    pub(crate) delete: Delete<O, R>,
}

type Apply<O, R> = for<'a> fn(&'a R, &'a Forward<O>, usize) -> BoxFuture<'a, Result<Flow<()>>>;
type Delete<O, R> = for<'a> fn(&'a R, &'a Backward<O>) -> BoxFuture<'a, Result<Flow<()>>>;

/// What runs `R` in `O`'s graph: the one place that asks whether it implements exactly one of the three traits, for this operator.
#[must_use]
pub const fn runs<O, R, ExactlyOneOfManifestExternalStep>() -> Runner<O, R>
where
    O: Operator,
    R: Runs<O, ExactlyOneOfManifestExternalStep>,
{
    Runner {
        meta: const { &R::META },
        role: R::ROLE,
        child_kind: R::child_kind,
        named_kinds: R::named_kinds,
        reads: R::reads,
        layers: R::layers,
        apply: R::apply,
        delete: R::delete,
    }
}

impl<O: Operator, R> Runner<O, R> {
    /// In another place than `R` says, for graphs that are made at run time. The name and the settings must be those of `R`.
    #[doc(hidden)]
    #[must_use]
    pub const fn placed(mut self, meta: &'static Meta) -> Self {
        self.meta = meta;
        self
    }
}

impl<O: Operator, R> fmt::Debug for Runner<O, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runner")
            .field("name", &self.meta.name)
            .field("role", &self.role)
            .finish_non_exhaustive()
    }
}
