//! Rights as objects of RBAC: a ServiceAccount, roles, and what binds them to it.

use k8s_openapi::{
    api::{
        core::v1::ServiceAccount,
        rbac::v1::{ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding, RoleRef, Subject},
    },
    apimachinery::pkg::apis::meta::v1::ObjectMeta,
};
use serde::Serialize;
use serde_json::Value;

use super::{Needs, Place};

const GROUP: &str = "rbac.authorization.k8s.io";

/// Where an app is installed, and as whom it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Installation {
    /// The name of the ServiceAccount, the roles and the Deployment.
    pub(crate) name: String,
    /// Where the ServiceAccount is.
    pub(crate) namespace: String,
    /// The namespaces that the operators are limited to; empty means all.
    pub(crate) operated: Vec<String>,
}

impl Installation {
    pub(crate) fn metadata(&self, namespace: Option<&str>) -> ObjectMeta {
        self.named(self.name.clone(), namespace)
    }

    fn named(&self, name: String, namespace: Option<&str>) -> ObjectMeta {
        ObjectMeta {
            name: Some(name),
            namespace: namespace.map(str::to_owned),
            labels: Some([("app.kubernetes.io/name".to_owned(), self.name.clone())].into()),
            ..ObjectMeta::default()
        }
    }
}

/// The objects that give an app its rights, ready to be applied in this order; always the same for the same code.
///
/// A ClusterRole for what is needed everywhere, and a Role for each namespace that is named.
pub(crate) fn objects(needs: &Needs, at: &Installation) -> anyhow::Result<Vec<Value>> {
    let account = ServiceAccount {
        metadata: at.metadata(Some(&at.namespace)),
        ..ServiceAccount::default()
    };
    let mut objects = vec![value(&account)?];
    let everywhere = if at.operated.is_empty() {
        needs.rules(&[Place::Cluster, Place::Objects])
    } else {
        needs.rules(&[Place::Cluster])
    };
    if !everywhere.is_empty() {
        objects.extend(cluster_role(at, everywhere)?);
    }
    let mut namespaces: Vec<&str> = at
        .operated
        .iter()
        .map(String::as_str)
        .chain(needs.namespaces())
        .collect();
    namespaces.sort_unstable();
    namespaces.dedup();
    for namespace in namespaces {
        let here = Place::Namespace(namespace.to_owned());
        let rules = if at.operated.iter().any(|operated| operated == namespace) {
            needs.rules(&[Place::Objects, here])
        } else {
            needs.rules(&[here])
        };
        if !rules.is_empty() {
            objects.extend(role(at, namespace, rules)?);
        }
    }
    Ok(objects)
}

/// Two apps of one name in different namespaces must not share what is not in a namespace.
fn cluster_role(at: &Installation, rules: Vec<PolicyRule>) -> anyhow::Result<[Value; 2]> {
    let name = if at.namespace == at.name {
        at.name.clone()
    } else {
        format!("{}:{}", at.namespace, at.name)
    };
    let role = ClusterRole {
        metadata: at.named(name.clone(), None),
        rules: Some(rules),
        ..ClusterRole::default()
    };
    let binding = ClusterRoleBinding {
        metadata: at.named(name.clone(), None),
        role_ref: reference("ClusterRole", name),
        subjects: Some(vec![subject(at)]),
    };
    Ok([value(&role)?, value(&binding)?])
}

fn role(at: &Installation, namespace: &str, rules: Vec<PolicyRule>) -> anyhow::Result<[Value; 2]> {
    let role = Role {
        metadata: at.metadata(Some(namespace)),
        rules: Some(rules),
    };
    let binding = RoleBinding {
        metadata: at.metadata(Some(namespace)),
        role_ref: reference("Role", at.name.clone()),
        subjects: Some(vec![subject(at)]),
    };
    Ok([value(&role)?, value(&binding)?])
}

fn reference(kind: &str, name: String) -> RoleRef {
    RoleRef {
        // A text in some versions of k8s-openapi, and an option in others.
        api_group: GROUP.to_owned().into(),
        kind: kind.to_owned(),
        name,
    }
}

fn subject(at: &Installation) -> Subject {
    Subject {
        kind: "ServiceAccount".to_owned(),
        name: at.name.clone(),
        namespace: Some(at.namespace.clone()),
        ..Subject::default()
    }
}

fn value<T: Serialize>(object: &T) -> anyhow::Result<Value> {
    Ok(serde_json::to_value(object)?)
}
