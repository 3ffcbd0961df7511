//! `Manifest`: a resource that is Kubernetes objects.

use kube::core::TypeMeta;

use super::{Child, Desired};
use crate::{context::Cx, error::Result, graph::Node, operator::Operator, readiness::Readiness};

/// A resource that is one, none or many Kubernetes objects.
///
/// The runtime creates, updates, prunes and deletes them; the user only says what they should be.
///
/// - A child is written only if it is provably ours; an object of somebody else with the same name is left alone and
///   shown as `NameCollision`.
/// - What others own in a child stays: server-side apply sends the fields that `desired` sets, and no more.
/// - `desired` is not called during deletion.
pub trait Manifest: Node + Sized {
    /// The operator that this resource belongs to.
    type Operator: Operator;
    /// The kind of the children: a typed kind, or [`DynamicObject`](kube::core::DynamicObject) for any kind.
    type Object: Child;

    /// The children that the object wants now. It should depend on its arguments only: it runs at every pass.
    ///
    /// # Errors
    /// Any error holds up what depends on this resource and is retried with backoff; see
    /// [`ErrorExt`](crate::error::ErrorExt) for what can be said with it.
    fn desired(
        &self,
        object: &<Self::Operator as Operator>::Object,
        cx: &Cx<Self>,
    ) -> impl Future<Output = Result<Desired<Self::Object>>> + Send;

    /// The kinds that `desired` makes where [`Object`](Self::Object) does not say it, by `apiVersion` and `kind`: the command `rbac` gives
    /// the rights for them. By default none is known, and `rbac` says so; for a typed `Object` it means nothing.
    fn kinds() -> Vec<TypeMeta> {
        Vec::new()
    }

    /// Whether a child is ready, where kstatus' rules for its kind are not the right ones. `None`: they are.
    ///
    /// It is called once per version of a child and must depend on the child only.
    fn readiness(&self, _child: &Self::Object) -> Option<Readiness> {
        None
    }

    /// Whether what it made is left behind when it would be deleted: with its object, or when it is no longer wanted. By default
    /// what `on_delete = ".."` says for all objects.
    ///
    /// It is asked at every pass forwards, and the answer is stored in the mark of each child, so that a deletion needs nothing but what is
    /// stored; a new answer is stored at the next pass. It should depend on the object only.
    fn keep_on_delete(&self, _object: &<Self::Operator as Operator>::Object) -> bool {
        Self::META.settings.keep
    }
}
