//! Which of the three traits a resource implements, inferred by the compiler.
//!
//! A marker type parameter tells the three blanket impls apart, as axum does for handlers.

use std::future::ready;

use futures::future::BoxFuture;
use kube::core::TypeMeta;

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
pub trait Belongs<ExactlyOneOfManifestExternalStep>: Hands<ExactlyOneOfManifestExternalStep> {
    /// The operator that the resource names.
    type Operator: Operator;
}

/// A resource and its output.
#[diagnostic::on_unimplemented(
    message = "`{Self}` implements none of the three traits of a resource",
    note = "implement exactly one of `Manifest`, `External`, `Step` for it"
)]
pub trait Hands<ExactlyOneOfManifestExternalStep>: Node {
    /// What it hands to those after it.
    type Output: Send + Sync + 'static;
}

/// The kinds of children that are known before anything runs, though no type says them.
#[doc(hidden)]
#[derive(Clone, Debug, Default)]
pub struct NamedKinds {
    /// Those that are known.
    pub known: Vec<TypeMeta>,
    /// Others may be made, too, which only an object says.
    pub others: bool,
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
}

impl<R: External> Belongs<IsExternal> for R {
    type Operator = R::Operator;
}

impl<R: Step> Belongs<IsStep> for R {
    type Operator = R::Operator;
}

impl<R: Manifest> Hands<IsManifest> for R {
    type Output = Children<R::Object>;
}

impl<R: External> Hands<IsExternal> for R {
    type Output = R::State;
}

impl<R: Step> Hands<IsStep> for R {
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

    /// The kinds of the children as the code names them, where the type does not say them.
    #[doc(hidden)]
    fn named_kinds() -> NamedKinds {
        NamedKinds::default()
    }

    #[doc(hidden)]
    fn apply<'a>(&'a self, pass: &'a Forward<O>, index: usize) -> BoxFuture<'a, Result<Flow<()>>>;

    /// Undoes what the resource has made beside children, which are removed by what is stored: by default there is nothing.
    #[doc(hidden)]
    fn delete<'a>(&'a self, _pass: &'a Backward<O>) -> BoxFuture<'a, Result<Flow<()>>> {
        Box::pin(ready(Ok(Flow::Ready(()))))
    }
}
