//! Which of the three traits a resource implements, inferred by the compiler.
//!
//! A marker type parameter tells the three blanket impls apart, as axum does for handlers.

use std::future::ready;

use futures::future::BoxFuture;

use super::{Node, Role};
use crate::{
    cluster::Kind,
    error::Result,
    executor::{Backward, Forward},
    flow::Flow,
    operator::Operator,
    resource::{Children, External, Manifest, Step},
};

/// A resource and what it belongs to: its operator and its output.
#[diagnostic::on_unimplemented(
    message = "`{Self}` implements none of the three traits of a resource",
    note = "implement exactly one of `Manifest`, `External`, `Step` for it"
)]
pub trait Belongs<ExactlyOneOfManifestExternalStep>: Node {
    /// The operator that the resource names.
    type Operator: Operator;
    /// What it hands to those after it.
    type Output: Send + Sync + 'static;
}

/// Marks the impls for [`Manifest`].
#[derive(Debug)]
pub enum IsManifest {}

/// Marks the impls for [`External`].
#[derive(Debug)]
pub enum IsExternal {}

/// Marks the impls for [`Step`].
#[derive(Debug)]
pub enum IsStep {}

impl<R: Manifest> Belongs<IsManifest> for R {
    type Operator = R::Operator;
    type Output = Children<R::Object>;
}

impl<R: External> Belongs<IsExternal> for R {
    type Operator = R::Operator;
    type Output = R::State;
}

impl<R: Step> Belongs<IsStep> for R {
    type Operator = R::Operator;
    type Output = R::Output;
}

/// A resource that runs as a node of `O`'s graph.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a resource of `{O}`",
    note = "implement exactly one of `Manifest`, `External`, `Step` for it, with `type Operator = {O}`"
)]
pub trait Runs<O: Operator, ExactlyOneOfManifestExternalStep>: Node {
    #[doc(hidden)]
    const ROLE: Role;

    /// The kind of the children, where the type says it.
    #[doc(hidden)]
    fn child_kind() -> Option<Kind> {
        None
    }

    #[doc(hidden)]
    fn apply<'a>(&'a self, pass: &'a Forward<O>, index: usize) -> BoxFuture<'a, Result<Flow<()>>>;

    /// Undoes what the resource has made beside children, which are removed by what is stored: by default there is nothing.
    #[doc(hidden)]
    fn delete<'a>(&'a self, _pass: &'a Backward<O>) -> BoxFuture<'a, Result<Flow<()>>> {
        Box::pin(ready(Ok(Flow::Ready(()))))
    }
}
