//! The value of a pass: made at most once in a pass, and given to every resource that asks for it.

use std::{any::Any, fmt, sync::Arc};

use anyhow::anyhow;
use futures::future::BoxFuture;
use kube::{Client, core::ObjectMeta};
use tokio::sync::OnceCell;

use super::{Cx, DeleteCx, Scope, Triggers};
use crate::{
    error::{Error, Result, copy},
    graph::Belongs,
    operator::Operator,
};

/// Makes a value for each pass, which its resources share: a session with a provider, what a slow look has found, a decision that all of
/// them follow.
///
/// `#[operator(value = Sessions)]` names the type that implements this. It becomes a field of the struct of resources, so the set-up of the
/// operator gives it what it needs, and every resource has the value as `cx.value().await?`, typed.
///
/// - It is made when the first resource of a pass asks for it; in a pass in which nobody asks it is not made. The others of the same pass wait
///   for it and get the same one, an error as well.
/// - An error, a [`Wait`](crate::Wait) or a panic in it is one of the resources that asked for it, with its marks: they hold up what depends on
///   them and nothing else, and no other object.
/// - It ends with the pass. What should live longer belongs into the struct that makes it.
///
/// A deletion should not depend on it: what it cannot do without belongs into the State of an `External`. There it is offered all the same, made
/// by [`make_for_deletion`](Self::make_for_deletion).
///
/// ```ignore
/// pub struct Sessions { cloud: Arc<Cloud> }
///
/// impl PassValue for Sessions {
///     type Operator = WebApp;
///     type Value = Session;
///     async fn make(&self, app: &WebApp, _cx: &ValueCx<'_>) -> Result<Session> { self.cloud.log_in(&app.spec.region).await }
/// }
/// ```
pub trait PassValue: Send + Sync + 'static {
    /// The operator whose passes it is for.
    type Operator: Operator;
    /// What the resources get.
    type Value: Send + Sync + 'static;

    /// Makes the value for a pass forwards.
    ///
    /// # Errors
    /// Each resource that asks for the value in this pass gets the error.
    fn make(
        &self,
        object: &<Self::Operator as Operator>::Object,
        cx: &ValueCx<'_>,
    ) -> impl Future<Output = Result<Self::Value>> + Send;

    /// Makes the value for a pass backwards, where the object may not decode any more. By default as forwards, and an error if it does not.
    ///
    /// # Errors
    /// Each resource that asks for the value in this pass gets the error.
    fn make_for_deletion(
        &self,
        object: Result<&<Self::Operator as Operator>::Object>,
        cx: &ValueCx<'_>,
    ) -> impl Future<Output = Result<Self::Value>> + Send {
        async move { self.make(object?, cx).await }
    }
}

/// The operator has a value of a pass. `#[operator(value = ..)]` implements it.
#[diagnostic::on_unimplemented(
    message = "the operator `{Self}` has no value of a pass",
    note = "say `value = Maker` in its `#[operator(..)]`, where `Maker` implements `PassValue`"
)]
pub trait HasValue: Operator {
    /// What makes it.
    type Maker: PassValue<Operator = Self>;
}

/// The pass that a value is made for.
pub struct ValueCx<'a> {
    scope: &'a Scope,
}

impl ValueCx<'_> {
    /// A client for what the runtime does not do.
    pub fn client(&self) -> Client {
        self.scope.client.clone()
    }

    /// The object's metadata: always there.
    pub fn metadata(&self) -> &ObjectMeta {
        &self.scope.meta
    }

    /// Why this pass runs.
    pub fn triggers(&self) -> Triggers {
        self.scope.triggers
    }
}

impl fmt::Debug for ValueCx<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ValueCx").field(&self.scope).finish()
    }
}

type Shared = Box<dyn Any + Send + Sync>;

/// A [`PassValue`] without its types.
pub(crate) trait Maker: Send + Sync {
    fn make<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Shared>>;
}

impl<P: PassValue> Maker for P {
    fn make<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Shared>> {
        Box::pin(async move {
            let cx = ValueCx { scope };
            let object = scope.object::<<P::Operator as Operator>::Object>();
            let object = object.map_err(|why| anyhow!("the object does not decode: {why}"));
            let value = match (scope.backwards, &object) {
                (false, Ok(object)) => PassValue::make(self, object, &cx).await?,
                (_, Ok(object)) => self.make_for_deletion(Ok(object), &cx).await?,
                (_, Err(err)) => self.make_for_deletion(Err(copy(err)), &cx).await?,
            };
            Ok(Box::new(value) as Shared)
        })
    }
}

/// The value of one pass.
#[derive(Default)]
pub(crate) struct Value {
    maker: Option<Arc<dyn Maker>>,
    made: OnceCell<Result<Shared, Error>>,
}

impl Value {
    pub(crate) fn new(maker: Option<Arc<dyn Maker>>) -> Self {
        Self {
            maker,
            made: OnceCell::new(),
        }
    }

    async fn get<T: 'static>(&self, scope: &Scope) -> Result<&T> {
        let make = || async {
            match &self.maker {
                Some(maker) => maker.make(scope).await,
                None => Err(anyhow!("the graph was built without `Graph::value`")),
            }
        };
        match self.made.get_or_init(make).await {
            Ok(value) => value
                .downcast_ref()
                .ok_or_else(|| anyhow!("the graph was built with another value than the operator's")),
            Err(err) => Err(copy(err)),
        }
    }
}

impl<R: 'static> Cx<R> {
    /// The value of this pass, which all resources share: see [`PassValue`].
    ///
    /// # Errors
    /// If it could not be made; then it is not tried again in this pass.
    pub async fn value<ExactlyOneOfManifestExternalStep>(
        &self,
    ) -> Result<&<<R::Operator as HasValue>::Maker as PassValue>::Value>
    where
        R: Belongs<ExactlyOneOfManifestExternalStep, Operator: HasValue>,
    {
        self.scope().value.get(self.scope()).await
    }
}

impl<R: 'static> DeleteCx<R> {
    /// The value of this pass: see [`PassValue`]. A deletion that returns its error waits until it can be made.
    ///
    /// # Errors
    /// If it could not be made, perhaps since the object does not decode; then it is not tried again in this pass.
    pub async fn value<ExactlyOneOfManifestExternalStep>(
        &self,
    ) -> Result<&<<R::Operator as HasValue>::Maker as PassValue>::Value>
    where
        R: Belongs<ExactlyOneOfManifestExternalStep, Operator: HasValue>,
    {
        self.scope().value.get(self.scope()).await
    }
}
