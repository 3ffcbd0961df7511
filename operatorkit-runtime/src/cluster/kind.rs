//! Kinds: what an object is, and where the API server has it.

use std::fmt;

use k8s_openapi::{ClusterResourceScope, NamespaceResourceScope};
use kube::core::{ApiResource, DynamicObject, Resource};
use serde::{Deserialize, Serialize};

/// A kind of objects, as one version of it is served.
///
/// Shown as `Deployment.apps` or `ConfigMap`, without its version: that is how marks and texts name it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[expect(clippy::struct_field_names, reason = "these are the words of Kubernetes")]
pub struct Kind {
    /// The API group; empty for the core group.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// The version within the group, such as `v1`.
    pub version: String,
    /// The name of the kind, such as `Deployment`.
    pub kind: String,
    /// The name of the kind in paths and in RBAC, such as `deployments`.
    pub plural: String,
    /// Whether its objects are in namespaces.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub namespaced: bool,
}

impl Kind {
    /// The kind of a type.
    #[must_use]
    pub fn of<K>() -> Self
    where
        K: Resource<DynamicType = (), Scope: StaticScope>,
    {
        Self {
            group: K::group(&()).into_owned(),
            version: K::version(&()).into_owned(),
            kind: K::kind(&()).into_owned(),
            plural: K::plural(&()).into_owned(),
            namespaced: <K::Scope as StaticScope>::NAMESPACED,
        }
    }

    /// Whether both are the same kind, perhaps in different versions: an object is the same in all of them.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || (self.kind == other.kind && self.group == other.group)
    }

    /// `apps/v1`, or `v1` for the core group.
    pub fn api_version(&self) -> String {
        if self.group.is_empty() {
            self.version.clone()
        } else {
            format!("{}/{}", self.group, self.version)
        }
    }

    /// The kind as kube knows it.
    pub(super) fn resource(&self) -> ApiResource {
        ApiResource {
            group: self.group.clone(),
            version: self.version.clone(),
            api_version: self.api_version(),
            kind: self.kind.clone(),
            plural: self.plural.clone(),
        }
    }

    /// Where the API server has the objects of a namespace, or of all.
    pub(super) fn path(&self, namespace: Option<&str>) -> String {
        DynamicObject::url_path(&self.resource(), namespace.filter(|_| self.namespaced))
    }

    /// `deployments.apps`, as the API server and RBAC name it.
    pub(super) fn plural_name(&self) -> String {
        if self.group.is_empty() {
            self.plural.clone()
        } else {
            format!("{}.{}", self.plural, self.group)
        }
    }

    /// Whether texts about objects of this kind may hold what must not be shown.
    pub(super) fn is_secret(&self) -> bool {
        self.group.is_empty() && self.kind == "Secret"
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind)?;
        if self.group.is_empty() {
            Ok(())
        } else {
            write!(f, ".{}", self.group)
        }
    }
}

/// A scope that a type says: namespaced, or of the whole cluster.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say whether its objects are in namespaces",
    note = "use a type of k8s_openapi, or one made by `#[operator]` or kube's `CustomResource`"
)]
pub trait StaticScope {
    /// Whether the objects are in namespaces.
    const NAMESPACED: bool;
}

impl StaticScope for NamespaceResourceScope {
    const NAMESPACED: bool = true;
}

impl StaticScope for ClusterResourceScope {
    const NAMESPACED: bool = false;
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::{apps::v1::Deployment, core::v1::Namespace};

    use super::*;

    #[test]
    fn a_type_says_all() {
        let kind = Kind::of::<Deployment>();
        assert!(kind.namespaced);
        assert_eq!(
            (kind.to_string(), kind.api_version()),
            ("Deployment.apps".into(), "apps/v1".into())
        );
        assert_eq!(kind.path(Some("x")), "/apis/apps/v1/namespaces/x/deployments");
        assert_eq!(kind.plural_name(), "deployments.apps");
    }

    #[test]
    fn a_cluster_scoped_kind_has_no_namespace_in_its_path() {
        let kind = Kind::of::<Namespace>();
        assert!(!kind.namespaced);
        assert_eq!(
            (kind.to_string(), kind.path(Some("x"))),
            ("Namespace".into(), "/api/v1/namespaces".into())
        );
    }

    #[test]
    fn what_is_stored_is_small_and_comes_back() {
        let kind = Kind::of::<Namespace>();
        let text = serde_json::to_string(&kind).unwrap();
        assert_eq!(text, r#"{"version":"v1","kind":"Namespace","plural":"namespaces"}"#);
        assert_eq!(serde_json::from_str::<Kind>(&text).unwrap(), kind);
    }
}
