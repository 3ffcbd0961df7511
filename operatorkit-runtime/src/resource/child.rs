//! `Child`: the kinds that a `Manifest` can make, typed or dynamic.

use std::fmt::Debug;

use kube::core::{ApiResource, TypeMeta};
use serde::{Serialize, de::DeserializeOwned};

use crate::cluster::{Kind, StaticScope};

/// A kind of children: every typed Kubernetes kind, and [`DynamicObject`](kube::core::DynamicObject).
///
/// Implemented for every type that fits; users never implement it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a child",
    note = "use a type of k8s_openapi, a type made by `#[operator]` or kube's `CustomResource`, or `DynamicObject`"
)]
pub trait Child:
    kube::Resource<DynamicType: ChildKind<Self>> + Clone + Debug + Serialize + DeserializeOwned + Send + Sync + 'static
{
}

impl<K> Child for K where
    K: kube::Resource<DynamicType: ChildKind<K>> + Clone + Debug + Serialize + DeserializeOwned + Send + Sync + 'static
{
}

/// How a kind of children is known: by its type, or only by what an object says.
pub trait ChildKind<K> {
    /// The kind, where the type says it.
    #[doc(hidden)]
    fn of_type() -> Option<Kind>;

    /// `apiVersion` and `kind` of an object, where it has to say it itself.
    #[doc(hidden)]
    fn of_object(object: &K) -> Option<&TypeMeta>;
}

impl<K: kube::Resource<DynamicType = (), Scope: StaticScope>> ChildKind<K> for () {
    fn of_type() -> Option<Kind> {
        Some(Kind::of::<K>())
    }

    fn of_object(_object: &K) -> Option<&TypeMeta> {
        None
    }
}

impl ChildKind<kube::core::DynamicObject> for ApiResource {
    fn of_type() -> Option<Kind> {
        None
    }

    fn of_object(object: &kube::core::DynamicObject) -> Option<&TypeMeta> {
        object.types.as_ref()
    }
}
