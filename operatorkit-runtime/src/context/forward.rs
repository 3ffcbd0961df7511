//! `Cx`: what a resource's forwards methods are given.

use std::{fmt, marker::PhantomData, sync::Arc};

use kube::Client;

use super::{ObjectEvents, Prior, Scope, Triggers};
use crate::{
    graph::{After, Belongs, Node},
    operator::Operator,
    record::child_name,
};

/// A pass forwards, as the resource `R` sees it.
pub struct Cx<R: ?Sized> {
    scope: Arc<Scope>,
    resource: PhantomData<fn(&R)>,
}

impl<R: Node> Cx<R> {
    /// The resource runs.
    pub(crate) fn new(scope: Arc<Scope>) -> Self {
        scope.reads.began(R::NAME);
        Self {
            scope,
            resource: PhantomData,
        }
    }
}

impl<R: 'static> Cx<R> {
    pub(super) fn scope(&self) -> &Scope {
        &self.scope
    }

    /// A client for what the runtime does not do. Requests made with it are the user's own: no mark, no order.
    pub fn client(&self) -> Client {
        self.scope.client.clone()
    }

    /// The object of this pass, as the methods get it.
    ///
    /// # Panics
    /// Never: a pass forwards has a decoded object.
    pub fn object<ExactlyOneOfManifestExternalStep>(&self) -> Arc<<R::Operator as Operator>::Object>
    where
        R: Belongs<ExactlyOneOfManifestExternalStep>,
    {
        self.scope.object().expect("a pass forwards has a decoded object")
    }

    /// The object's name.
    pub fn name(&self) -> &str {
        self.scope.meta.name.as_deref().unwrap_or_default()
    }

    /// The object's namespace; `None` if it is cluster-scoped.
    pub fn namespace(&self) -> Option<&str> {
        self.scope.meta.namespace.as_deref()
    }

    /// A stable name for a child: `<object>-<suffix>`, shortened with a hash to 63 characters where it is longer.
    pub fn child_name(&self, suffix: &str) -> String {
        child_name(self.name(), suffix)
    }

    /// An earlier resource; compiles only with `after(D)` in the `#[resource(..)]` of this one.
    pub fn after<D: 'static>(&self) -> Prior<'_, D>
    where
        R: After<D>,
    {
        Prior::new(&self.scope.outputs)
    }

    /// Events about the object.
    pub fn events(&self) -> &ObjectEvents {
        &self.scope.events
    }

    /// Changes the user's own status fields; they are written with the rest of the status at the end of the pass, if
    /// anything changed. They start as they are in the cluster.
    ///
    /// An operator of an existing kind has no status of its own: there nothing is written.
    pub fn status<ExactlyOneOfManifestExternalStep>(&self, change: impl FnOnce(&mut <R::Operator as Operator>::Status))
    where
        R: Belongs<ExactlyOneOfManifestExternalStep>,
    {
        let initial = || {
            let object = self.scope.object::<<R::Operator as Operator>::Object>().ok();
            let status = object.as_deref().and_then(<R::Operator as Operator>::status);
            status.and_then(|status| status.user.clone()).unwrap_or_default()
        };
        self.scope.change_status(initial, change);
    }

    /// Why this pass runs.
    pub fn triggers(&self) -> Triggers {
        self.scope.triggers
    }
}

impl<R: ?Sized> fmt::Debug for Cx<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Cx").field(&self.scope).finish()
    }
}
