//! A binding, and whom it is about.

use serde_json::Value;

use crate::access::{User, user::service_account_name};

/// A `ClusterRoleBinding` or `RoleBinding`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Binding {
    /// Empty for a `ClusterRoleBinding`.
    pub(super) namespace: String,
    pub(super) name: String,
    pub(super) role_kind: String,
    pub(super) role_name: String,
    subjects: Vec<Subject>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Subject {
    kind: String,
    namespace: String,
    name: String,
}

impl Binding {
    pub(super) fn read(object: &Value) -> Self {
        let subjects = object["subjects"].as_array().map_or(&[][..], Vec::as_slice);
        Self {
            namespace: text(&object["metadata"], "namespace"),
            name: text(&object["metadata"], "name"),
            role_kind: text(&object["roleRef"], "kind"),
            role_name: text(&object["roleRef"], "name"),
            subjects: subjects.iter().map(Subject::read).collect(),
        }
    }

    /// Which of the subjects is this user, first.
    pub(super) fn subject(&self, user: &User) -> Option<usize> {
        self.subjects.iter().position(|it| it.is(user, &self.namespace))
    }

    /// As a decision names what allows it.
    pub(super) fn describe(&self, subject: usize) -> String {
        let (kind, name) = if self.namespace.is_empty() {
            ("ClusterRoleBinding", self.name.clone())
        } else {
            ("RoleBinding", format!("{}/{}", self.name, self.namespace))
        };
        let subject = self
            .subjects
            .get(subject)
            .map(|it| it.describe(&self.namespace))
            .unwrap_or_default();
        format!(
            "{kind} {name:?} of {} {:?} to {subject}",
            self.role_kind, self.role_name
        )
    }

    /// The error when the role is not there.
    pub(super) fn missing(&self) -> String {
        match self.role_kind.as_str() {
            kind @ ("Role" | "ClusterRole") => {
                format!(
                    "{}.rbac.authorization.k8s.io {:?} not found",
                    kind.to_lowercase(),
                    self.role_name
                )
            }
            kind => format!("unsupported role reference kind: {kind:?}"),
        }
    }
}

impl Subject {
    fn read(subject: &Value) -> Self {
        Self {
            kind: text(subject, "kind"),
            namespace: text(subject, "namespace"),
            name: text(subject, "name"),
        }
    }

    fn is(&self, user: &User, binding_namespace: &str) -> bool {
        match self.kind.as_str() {
            "User" => user.name == self.name,
            "Group" => user.is_in(&self.name),
            "ServiceAccount" => {
                let namespace = self.namespace_or(binding_namespace);
                !namespace.is_empty() && user.name == service_account_name(namespace, &self.name)
            }
            _ => false,
        }
    }

    fn namespace_or<'a>(&'a self, binding: &'a str) -> &'a str {
        if self.namespace.is_empty() {
            binding
        } else {
            &self.namespace
        }
    }

    fn describe(&self, binding_namespace: &str) -> String {
        if self.kind == "ServiceAccount" {
            let namespace = self.namespace_or(binding_namespace);
            return format!("{} {:?}", self.kind, format!("{}/{namespace}", self.name));
        }
        format!("{} {:?}", self.kind, self.name)
    }
}

fn text(value: &Value, field: &str) -> String {
    value.get(field).and_then(Value::as_str).unwrap_or_default().to_owned()
}
