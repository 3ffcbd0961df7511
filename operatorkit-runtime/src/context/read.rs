//! Reading what is no child: `Cx::read` and its like.

use std::sync::Arc;

use anyhow::anyhow;
use futures::future::BoxFuture;
use kube::core::Selector;

use super::Cx;
use crate::{
    cluster::{Kind, StaticScope},
    error::{ErrorExt as _, Result},
    flow::Wait,
    graph::{Reads, ReadsAnywhere},
    operator::Object,
    reads::Reading,
};

/// Reads of what is no child of the object: a Secret with credentials, somebody else's object, a cluster-wide setting.
///
/// They are **tracked**: when what a resource has read appears, changes or goes, the object runs again, with
/// [`Trigger::ReadChanged`](crate::Trigger::ReadChanged), and no other object does. That something was *not* there counts as read, too. What a
/// resource has read in a pass replaces what it read before; an object that is deleted reads nothing any more.
///
/// They are **cheap**: one watch over the metadata of a kind serves all objects of the operator (in each namespace where something is read,
/// if the operator is limited to namespaces), and what nobody reads is dropped as it arrives. A body is fetched once per version and kept
/// only while somebody reads it, so a pass that reads what has not changed sends no request. It is never older than what the watch has
/// shown. It comes without `managedFields` and without kubectl's last-applied annotation.
///
/// They are **declared**: only what the resource's `reads(..)` names can be read, so that `rbac` can grant it.
///
/// - The first read of a kind waits for its watch.
/// - A kind that the API server does not serve (yet) has no objects: reads give `None` and empty lists, and the object runs again once it is
///   served.
/// - What may not be read is an error of the resource that names the right that is missing; the object runs again once the watch works.
/// - A body that does not decode as `K` is an error of the resource; in that of a Secret no value is told.
///
/// Backwards there are no reads: a [`DeleteCx`](super::DeleteCx) has none, since what is read may be gone by then. What a deletion needs
/// belongs into the State of an `External`, or into the resource itself.
// A boxed future, since its type does not name `R`: of one that does, the compiler tells a `reads(..)` that is missing three times, of the call,
// of its future, and of the `.await`.
impl<R: 'static> Cx<R> {
    /// An object by name: in the object's namespace, or of a cluster-scoped kind. `None`: there is none.
    ///
    /// # Errors
    /// If it may not be read, does not decode, or the API server does not answer; and, permanently, if the object of this pass is
    /// cluster-scoped and `K` is not: then [`read_in`](Self::read_in) says where.
    pub fn read<'a, K: Object>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Option<Arc<K>>>>
    where
        R: Reads<K>,
    {
        Box::pin(async move {
            let namespace = self.own_namespace::<K>()?;
            Ok(self.reading(namespace, name).await?.there())
        })
    }

    /// An object that must be there: as long as it is not, the resource waits, with the reason `ReadMissing`, and runs again as soon as it is.
    ///
    /// # Errors
    /// As [`read`](Self::read); and a [`Wait`] if there is none, which `?` makes the answer of the resource.
    pub fn read_required<'a, K: Object>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Arc<K>>>
    where
        R: Reads<K>,
    {
        Box::pin(async move {
            let namespace = self.own_namespace::<K>()?;
            required(self.reading(namespace, name).await?, namespace, name)
        })
    }

    /// An object by name in any namespace; compiles only with `reads(K, any_namespace)`. `None`: there is none.
    ///
    /// For a cluster-scoped kind the namespace means nothing; use [`read`](Self::read).
    ///
    /// # Errors
    /// If it may not be read, does not decode, or the API server does not answer.
    pub fn read_in<'a, K: Object>(&'a self, namespace: &'a str, name: &'a str) -> BoxFuture<'a, Result<Option<Arc<K>>>>
    where
        R: ReadsAnywhere<K>,
    {
        Box::pin(async move { Ok(self.reading(in_scope::<K>(Some(namespace)), name).await?.there()) })
    }

    /// An object that must be there, in any namespace: see [`read_required`](Self::read_required) and [`read_in`](Self::read_in).
    ///
    /// # Errors
    /// As those.
    pub fn read_required_in<'a, K: Object>(&'a self, namespace: &'a str, name: &'a str) -> BoxFuture<'a, Result<Arc<K>>>
    where
        R: ReadsAnywhere<K>,
    {
        Box::pin(async move {
            let namespace = in_scope::<K>(Some(namespace));
            required(self.reading(namespace, name).await?, namespace, name)
        })
    }

    /// The objects with some labels, by name: in the object's namespace, or of a cluster-scoped kind. `Selector::default()` selects all;
    /// others are made from pairs, `Selector::from_iter([("app", "web")])`, from `Expression`s, or from a `LabelSelector`.
    ///
    /// The object runs again when one of them changes or goes, and when another one gets into the selection.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn list<K: Object>(&self, labels: impl Into<Selector>) -> BoxFuture<'_, Result<Vec<Arc<K>>>>
    where
        R: Reads<K>,
    {
        let labels = labels.into();
        Box::pin(async move {
            let namespace = self.own_namespace::<K>()?;
            self.scope().reads.list(R::NAME, namespace, labels).await
        })
    }

    /// The objects with some labels, by namespace and name: in a namespace, or, with `None`, in all; compiles only with
    /// `reads(K, any_namespace)`. All namespaces need rights for all of them, whatever the operator is limited to.
    ///
    /// # Errors
    /// As [`read_in`](Self::read_in).
    pub fn list_in<'a, K: Object>(
        &'a self,
        namespace: Option<&'a str>,
        labels: impl Into<Selector>,
    ) -> BoxFuture<'a, Result<Vec<Arc<K>>>>
    where
        R: ReadsAnywhere<K>,
    {
        let labels = labels.into();
        Box::pin(async move {
            let namespace = in_scope::<K>(namespace);
            self.scope().reads.list(R::NAME, namespace, labels).await
        })
    }

    async fn reading<K: Object>(&self, namespace: Option<&str>, name: &str) -> Result<Reading<K>>
    where
        R: Reads<K>,
    {
        self.scope().reads.object(R::NAME, namespace, name).await
    }

    /// Where a kind is read without a word about it.
    fn own_namespace<K: Object>(&self) -> Result<Option<&str>> {
        match self.namespace() {
            None if <K::Scope as StaticScope>::NAMESPACED => Err(anyhow!(
                "the object is cluster-scoped, so {} has to be read in a namespace that is named: use `read_in` or `list_in`",
                Kind::of::<K>()
            )
            .reason("NoNamespace")
            .permanent()),
            own => Ok(in_scope::<K>(own)),
        }
    }
}

fn in_scope<K: Object>(namespace: Option<&str>) -> Option<&str> {
    namespace.filter(|_| <K::Scope as StaticScope>::NAMESPACED)
}

fn required<K: Object>(reading: Reading<K>, namespace: Option<&str>, name: &str) -> Result<Arc<K>> {
    let kind = Kind::of::<K>();
    let place = namespace.map(|namespace| format!("{namespace}/")).unwrap_or_default();
    let message = match reading {
        Reading::There(object) => return Ok(object),
        Reading::Absent => format!("waits for {kind} {place}{name}, which does not exist"),
        Reading::NotServed => {
            format!(
                "waits for {kind} {place}{name}, whose kind the API server does not serve: install its CustomResourceDefinition"
            )
        }
    };
    Err(Wait::new(message).with_reason("ReadMissing").into())
}
