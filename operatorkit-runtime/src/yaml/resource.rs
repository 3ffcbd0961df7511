//! `FromYaml`: a resource that is nothing but files. As a node it is a `Manifest` of whichever operator lists it.

use std::marker::PhantomData;

use futures::future::BoxFuture;
use kube::core::DynamicObject;

use super::Yaml;
use crate::{
    context::Cx,
    error::Result,
    executor::Forward,
    flow::Flow,
    graph::{Hands, IsManifest, Meta, NamedKinds, Node, Role, Runs},
    operator::Operator,
    resource::{Children, Desired, Manifest},
};

/// A resource whose children are the objects of YAML files. `#[resource(yaml = "..")]` implements it.
///
/// It behaves as a [`Manifest`] of [`DynamicObject`]s does, whose `desired` is [`Yaml::fill`]. No operator is named: it belongs to whichever
/// lists it.
pub trait FromYaml: Node {
    /// The files.
    fn yaml() -> &'static Yaml;
}

/// Marks the impls for [`FromYaml`].
#[derive(Debug)]
pub enum IsYaml {}

impl<R: FromYaml> Hands<IsYaml> for R {
    type Output = Children<DynamicObject>;
}

impl<O: Operator, R: FromYaml> Runs<O, IsYaml> for R {
    const ROLE: Role = Role::Manifest;

    fn named_kinds() -> NamedKinds {
        NamedKinds {
            known: R::yaml().kinds(),
            others: !R::yaml().names_all_kinds(),
        }
    }

    fn apply<'a>(&'a self, pass: &'a Forward<O>, index: usize) -> BoxFuture<'a, Result<Flow<()>>> {
        Runs::<O, IsManifest>::apply(const { &Filled::<O, R>(PhantomData) }, pass, index)
    }
}

/// The resource as a `Manifest` of this operator.
struct Filled<O, R>(PhantomData<fn() -> (O, R)>);

impl<O: Operator, R: FromYaml> Node for Filled<O, R> {
    const NAME: &'static str = R::NAME;
    const META: Meta = R::META;
}

impl<O: Operator, R: FromYaml> Manifest for Filled<O, R> {
    type Operator = O;
    type Object = DynamicObject;

    async fn desired(&self, object: &O::Object, _cx: &Cx<Self>) -> Result<Desired<DynamicObject>> {
        Ok(R::yaml().fill(object)?.into())
    }
}
