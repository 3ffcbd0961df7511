//! `DeleteCx`: what a resource's backwards methods are given.

use std::{fmt, marker::PhantomData, sync::Arc};

use anyhow::{Context as _, anyhow};
use kube::Client;
use kube::core::ObjectMeta;

use super::{ObjectEvents, Scope, Triggers};
use crate::{error::Result, graph::Belongs, operator::Operator, resource::External};

/// A pass backwards, as the resource `R` sees it: no outputs, and perhaps no object that decodes.
pub struct DeleteCx<R: ?Sized> {
    scope: Arc<Scope>,
    resource: PhantomData<fn(&R)>,
}

impl<R: 'static> DeleteCx<R> {
    pub(crate) fn new(scope: Arc<Scope>) -> Self {
        Self {
            scope,
            resource: PhantomData,
        }
    }

    pub(super) fn scope(&self) -> &Scope {
        &self.scope
    }

    /// A client for what the runtime does not do.
    pub fn client(&self) -> Client {
        self.scope.client.clone()
    }

    /// The object's metadata: always there.
    pub fn metadata(&self) -> &ObjectMeta {
        &self.scope.meta
    }

    /// The object's name.
    pub fn name(&self) -> &str {
        self.scope.meta.name.as_deref().unwrap_or_default()
    }

    /// The object's namespace; `None` if it is cluster-scoped.
    pub fn namespace(&self) -> Option<&str> {
        self.scope.meta.namespace.as_deref()
    }

    /// The object.
    ///
    /// # Errors
    /// If it does not decode (any more): deletion must not depend on it.
    pub fn object<ExactlyOneOfManifestExternalStep>(&self) -> Result<Arc<<R::Operator as Operator>::Object>>
    where
        R: Belongs<ExactlyOneOfManifestExternalStep>,
    {
        self.scope
            .object()
            .map_err(|why| anyhow!("the object does not decode: {why}"))
    }

    /// The stored State of an `External` of this operator, as of the beginning of the pass; `None` if nothing was made.
    ///
    /// # Errors
    /// If what is stored is not a `D::State` (any more).
    pub fn state<D: External>(&self) -> Result<Option<D::State>> {
        let state = self.scope.slots.get(D::NAME).and_then(|slot| slot.state.clone());
        let state = state.map(serde_json::from_value).transpose();
        state.with_context(|| format!("the stored State of `{}` does not decode", D::NAME))
    }

    /// Events about the object.
    pub fn events(&self) -> &ObjectEvents {
        &self.scope.events
    }

    /// Keeps the finalizer after this pass without holding up the other resources; the pass is repeated with backoff.
    pub fn keep_finalizer(&self, reason: impl Into<String>) {
        self.scope.keep_finalizer(reason.into());
    }

    /// Why this pass runs.
    pub fn triggers(&self) -> Triggers {
        self.scope.triggers
    }
}

impl<R: ?Sized> fmt::Debug for DeleteCx<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DeleteCx").field(&self.scope).finish()
    }
}
