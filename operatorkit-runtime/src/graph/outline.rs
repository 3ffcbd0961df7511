//! `Outline`: what is known of an operator's resources without making them.

use std::{fmt, marker::PhantomData};

use super::{Meta, NamedKinds, Read, Role, Runner};
use crate::{cluster::Kind, operator::Operator};

/// The resources of an operator by their types alone: for what has to be known before anything runs, such as rights.
#[must_use]
pub struct Outline<O: Operator> {
    resources: Vec<Outlined>,
    operator: PhantomData<fn() -> O>,
}

/// A resource by its type alone.
#[derive(Clone, Debug)]
pub(crate) struct Outlined {
    pub(crate) meta: &'static Meta,
    pub(crate) role: Role,
    /// The kind of the children, where the type says it.
    pub(crate) child_kind: Option<Kind>,
    /// Their kinds by name, where the type does not say them.
    pub(crate) named_kinds: NamedKinds,
    /// What it reads beside its children.
    pub(crate) reads: Vec<Read>,
}

impl<O: Operator> Outline<O> {
    /// An outline without resources.
    pub fn new() -> Self {
        Self {
            resources: Vec::new(),
            operator: PhantomData,
        }
    }

    /// Adds the next resource by what runs it, [`runs()`](super::runs), in the order of [`Operator::NODES`].
    pub fn resource<R>(mut self, runner: &Runner<O, R>) -> Self {
        self.resources.push(Outlined {
            meta: runner.meta,
            role: runner.role,
            child_kind: (runner.child_kind)(),
            named_kinds: (runner.named_kinds)(),
            reads: (runner.reads)(),
        });
        self
    }

    pub(crate) fn resources(&self) -> &[Outlined] {
        &self.resources
    }
}

impl<O: Operator> Default for Outline<O> {
    fn default() -> Self {
        Self::new()
    }
}

impl<O: Operator> fmt::Debug for Outline<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.resources).finish()
    }
}
