//! `Graph`: an operator's resources as nodes, with their types erased once.

use std::{any::TypeId, collections::HashMap, fmt, sync::Arc};

use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};

use super::{Meta, Runner};
use crate::{
    cluster::Kind,
    context::{HasValue, Maker},
    error::Result,
    executor::{Backward, Forward},
    flow::Flow,
    layer::Layers,
    operator::Operator,
};

/// Which of the three traits a resource implements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// Kubernetes objects.
    #[serde(rename = "M")]
    Manifest,
    /// A thing outside Kubernetes.
    #[serde(rename = "E")]
    External,
    /// Anything else.
    #[serde(rename = "S")]
    Step,
}

/// The resources of an operator, in the order of [`Operator::NODES`].
#[must_use]
pub struct Graph<O: Operator> {
    nodes: Nodes<O>,
    index: HashMap<TypeId, usize>,
    value: Option<Arc<dyn Maker>>,
}

impl<O: Operator> Graph<O> {
    /// A graph without nodes.
    pub fn new() -> Self {
        Self {
            nodes: Vec::new(),
            index: HashMap::new(),
            value: None,
        }
    }

    /// Adds the next resource, and what runs it: [`runs()`](super::runs).
    pub fn node<R: Send + Sync + 'static>(mut self, resource: R, runner: Runner<O, R>) -> Self {
        self.index.insert(TypeId::of::<R>(), self.nodes.len());
        self.nodes.push(Box::new(Typed { resource, runner }));
        self
    }

    /// Says what makes the value of each pass.
    pub fn value(mut self, maker: O::Maker) -> Self
    where
        O: HasValue,
    {
        self.value = Some(Arc::new(maker));
        self
    }

    /// The nodes, which place belongs to which type, and what makes the value of a pass.
    pub(crate) fn into_parts(self) -> Parts<O> {
        (self.nodes, Arc::new(self.index), self.value)
    }
}

impl<O: Operator> Default for Graph<O> {
    fn default() -> Self {
        Self::new()
    }
}

impl<O: Operator> fmt::Debug for Graph<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.nodes.iter().map(|node| node.meta().name))
            .finish()
    }
}

/// What a graph is made of.
type Parts<O> = (Nodes<O>, Arc<HashMap<TypeId, usize>>, Option<Arc<dyn Maker>>);

/// The nodes of a graph, in the order of [`Operator::NODES`].
pub(crate) type Nodes<O> = Vec<Box<dyn Erased<O>>>;

/// A node without its type.
pub(crate) trait Erased<O: Operator>: Send + Sync {
    fn meta(&self) -> &'static Meta;
    fn role(&self) -> Role;
    fn child_kind(&self) -> Option<Kind>;
    fn layers(&self) -> Option<Layers>;
    fn apply<'a>(&'a self, pass: &'a Forward<O>, index: usize) -> BoxFuture<'a, Result<Flow<()>>>;
    fn delete<'a>(&'a self, pass: &'a Backward<O>) -> BoxFuture<'a, Result<Flow<()>>>;
}

struct Typed<O: Operator, R> {
    resource: R,
    runner: Runner<O, R>,
}

impl<O: Operator, R: Send + Sync + 'static> Erased<O> for Typed<O, R> {
    fn meta(&self) -> &'static Meta {
        self.runner.meta
    }

    fn role(&self) -> Role {
        self.runner.role
    }

    fn child_kind(&self) -> Option<Kind> {
        (self.runner.child_kind)()
    }

    fn layers(&self) -> Option<Layers> {
        (self.runner.layers)()
    }

    fn apply<'a>(&'a self, pass: &'a Forward<O>, index: usize) -> BoxFuture<'a, Result<Flow<()>>> {
        (self.runner.apply)(&self.resource, pass, index)
    }

    fn delete<'a>(&'a self, pass: &'a Backward<O>) -> BoxFuture<'a, Result<Flow<()>>> {
        (self.runner.delete)(&self.resource, pass)
    }
}
