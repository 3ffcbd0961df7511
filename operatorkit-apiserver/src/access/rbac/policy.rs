//! All roles and bindings, and which rules are a user's (`pkg/registry/rbac/validation/rule.go`).

use std::collections::BTreeMap;

use serde_json::Value;

use super::{PolicyRule, binding::Binding};
use crate::access::{Attributes, Authorize, Decision, User, user::MASTERS};

/// All roles and bindings, read once from the objects. Kept up with [`Policy::apply`] and [`Policy::remove`].
#[derive(Clone, Debug, Default)]
pub struct Policy {
    cluster_roles: BTreeMap<String, Vec<PolicyRule>>,
    roles: BTreeMap<(String, String), Vec<PolicyRule>>,
    cluster_bindings: BTreeMap<String, Binding>,
    bindings: BTreeMap<String, BTreeMap<String, Binding>>,
}

/// Where the rules of a role are.
pub(super) enum Rules<'a> {
    Found(&'a Binding, usize, &'a [PolicyRule]),
    Missing(&'a Binding),
}

impl Policy {
    /// No roles: only `system:masters` may do anything.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes an object as it is now. Other kinds than the four of RBAC are ignored; so is what cannot be read.
    pub fn apply(&mut self, object: &Value) {
        let (Some(name), namespace) = (name(object), namespace(object)) else {
            return;
        };
        let rules = || {
            let rules = object.get("rules").cloned().unwrap_or_default();
            serde_json::from_value::<Option<Vec<PolicyRule>>>(rules)
                .ok()
                .flatten()
                .unwrap_or_default()
        };
        match object["kind"].as_str() {
            Some("ClusterRole") => _ = self.cluster_roles.insert(name.into(), rules()),
            Some("Role") => _ = self.roles.insert((namespace.into(), name.into()), rules()),
            Some("ClusterRoleBinding") => _ = self.cluster_bindings.insert(name.into(), Binding::read(object)),
            Some("RoleBinding") => {
                let bindings = self.bindings.entry(namespace.into()).or_default();
                bindings.insert(name.into(), Binding::read(object));
            }
            _ => {}
        }
    }

    /// Forgets an object; of it, only kind, namespace and name matter.
    pub fn remove(&mut self, object: &Value) {
        let (Some(name), namespace) = (name(object), namespace(object)) else {
            return;
        };
        match object["kind"].as_str() {
            Some("ClusterRole") => _ = self.cluster_roles.remove(name),
            Some("Role") => _ = self.roles.remove(&(namespace.into(), name.into())),
            Some("ClusterRoleBinding") => _ = self.cluster_bindings.remove(name),
            Some("RoleBinding") => _ = self.bindings.get_mut(namespace).and_then(|it| it.remove(name)),
            _ => {}
        }
    }

    /// The rules that a binding in `namespace` (empty: cluster-wide) refers to.
    pub(super) fn role(&self, kind: &str, name: &str, namespace: &str) -> Option<&[PolicyRule]> {
        match kind {
            "ClusterRole" => self.cluster_roles.get(name).map(Vec::as_slice),
            "Role" => self.roles.get(&(namespace.into(), name.into())).map(Vec::as_slice),
            _ => None,
        }
    }

    /// The bindings that apply to a user: cluster-wide ones first.
    pub(super) fn visit<'a>(&'a self, user: &'a User, namespace: &'a str) -> impl Iterator<Item = Rules<'a>> {
        let local = self.bindings.get(namespace).into_iter().flat_map(BTreeMap::values);
        self.cluster_bindings.values().chain(local).filter_map(move |binding| {
            let subject = binding.subject(user)?;
            Some(
                match self.role(&binding.role_kind, &binding.role_name, &binding.namespace) {
                    Some(rules) => Rules::Found(binding, subject, rules),
                    None => Rules::Missing(binding),
                },
            )
        })
    }

    /// All rules of a user in a namespace, and the errors met while looking for them.
    pub fn rules_for<'a>(&'a self, user: &'a User, namespace: &'a str) -> (Vec<&'a PolicyRule>, Vec<String>) {
        let (mut all, mut errors) = (Vec::new(), Vec::new());
        for found in self.visit(user, namespace) {
            match found {
                Rules::Found(_, _, rules) => all.extend(rules),
                Rules::Missing(binding) => errors.push(binding.missing()),
            }
        }
        (all, errors)
    }
}

impl Authorize for Policy {
    fn authorize(&self, user: &User, attributes: &Attributes) -> Decision {
        if user.is_in(MASTERS) {
            return Decision {
                allowed: true,
                reason: String::new(),
            };
        }
        let mut errors = Vec::new();
        for found in self.visit(user, &attributes.namespace) {
            match found {
                Rules::Found(binding, subject, rules) if rules.iter().any(|rule| rule.allows(attributes)) => {
                    return Decision {
                        allowed: true,
                        reason: format!("RBAC: allowed by {}", binding.describe(subject)),
                    };
                }
                Rules::Found(..) => {}
                Rules::Missing(binding) => errors.push(binding.missing()),
            }
        }
        Decision {
            allowed: false,
            reason: one_text(errors).map_or_else(String::new, |it| format!("rbac: RBAC: {it}")),
        }
    }
}

/// Several errors as one text, each once, as `utilerrors.Aggregate` prints them.
pub(in crate::access) fn one_text(errors: Vec<String>) -> Option<String> {
    let mut unique: Vec<String> = Vec::new();
    for error in errors {
        if !unique.contains(&error) {
            unique.push(error);
        }
    }
    match unique.len() {
        0 => None,
        1 => unique.pop(),
        _ => Some(format!("[{}]", unique.join(", "))),
    }
}

fn name(object: &Value) -> Option<&str> {
    object.pointer("/metadata/name")?.as_str()
}

fn namespace(object: &Value) -> &str {
    object
        .pointer("/metadata/namespace")
        .and_then(Value::as_str)
        .unwrap_or_default()
}
