//! Nobody hands out what they do not have: the check on writes to roles and bindings (`pkg/registry/rbac/*/policybased`).

use serde_json::Value;

use super::{
    Policy, PolicyRule, cover,
    policy::{Rules, one_text},
    rule::quoted,
};
use crate::{
    access::{Attributes, Authorize, User, user::MASTERS},
    failure::{Failure, Target},
};

const GROUP: &str = "rbac.authorization.k8s.io";

impl Policy {
    /// May `user` write this role or binding? `old` is the object as it was, for updates. Without a `namespace` in the
    /// object, the one of the request has to be put there before.
    ///
    /// # Errors
    ///
    /// 403 if the role grants what the user does not have; 404 if the role of a binding is not there.
    pub fn check_escalation(&self, user: &User, object: &Value, old: Option<&Value>) -> Result<(), Failure> {
        if user.is_in(MASTERS) || old.is_some_and(|old| only_for_collection(object, old)) {
            return Ok(());
        }
        match object["kind"].as_str() {
            Some("ClusterRole") => self.role_write(user, object, old, "clusterroles"),
            Some("Role") => self.role_write(user, object, old, "roles"),
            Some("ClusterRoleBinding") => self.binding_write(user, object, "clusterrolebindings"),
            Some("RoleBinding") => self.binding_write(user, object, "rolebindings"),
            _ => Ok(()),
        }
    }

    fn role_write(&self, user: &User, role: &Value, old: Option<&Value>, resource: &str) -> Result<(), Failure> {
        let (namespace, name) = place(role);
        // The name of a create is not in the request: the real server asks without it then.
        let asked = if old.is_some() { name } else { "" };
        let escalate = Attributes::resource("escalate", GROUP, resource)
            .in_namespace(namespace)
            .named(asked);
        if self.authorize(user, &escalate).allowed {
            return Ok(());
        }
        let rules: Option<Vec<PolicyRule>> = serde_json::from_value(role["rules"].clone())
            .map_err(|error| Failure::bad_request(format!("rules cannot be read: {error}")))?;
        self.confirm(user, &rules.unwrap_or_default(), namespace, resource, name)?;
        let aggregates = has_aggregation(role) || old.is_some_and(has_aggregation);
        if aggregates && self.confirm(user, &everything(), namespace, resource, name).is_err() {
            let why = "must have cluster-admin privileges to use the aggregationRule";
            return Err(Failure::forbidden(Target::new(GROUP, resource, name), why));
        }
        Ok(())
    }

    fn binding_write(&self, user: &User, binding: &Value, resource: &str) -> Result<(), Failure> {
        let (namespace, name) = place(binding);
        let reference = &binding["roleRef"];
        let text = |field: &str| reference[field].as_str().unwrap_or_default();
        let (kind, role) = (text("kind"), text("name"));
        let plural = match kind {
            "ClusterRole" => "clusterroles",
            "Role" => "roles",
            // The checks of the object itself refuse it.
            _ => return Ok(()),
        };
        let bind = Attributes::resource("bind", text("apiGroup"), plural)
            .in_namespace(namespace)
            .named(role);
        if self.authorize(user, &bind).allowed {
            return Ok(());
        }
        let Some(rules) = self.role(kind, role, namespace) else {
            // The real server looks the role up with the resource of the request in hand, and so names that.
            return Err(Failure::not_found(Target::new(GROUP, resource, role)));
        };
        self.confirm(user, rules, namespace, resource, name)
    }

    fn confirm(
        &self,
        user: &User,
        wanted: &[PolicyRule],
        namespace: &str,
        resource: &str,
        name: &str,
    ) -> Result<(), Failure> {
        let (owned, _) = self.rules_for(user, namespace);
        let Some(missing) = cover::missing(&owned, wanted) else {
            return Ok(());
        };
        let mut why = format!(
            "user {:?} (groups={}) is attempting to grant RBAC permissions not currently held:\n{missing}",
            user.name,
            quoted(&user.groups)
        );
        if let Some(errors) = self.lookup_errors(user, namespace, resource) {
            why = format!("{why}; resolution errors: [{errors}]");
        }
        Err(Failure::forbidden(Target::new(GROUP, resource, name), why))
    }

    /// As for [`Policy::rules_for`], but in the words of a lookup during a write.
    fn lookup_errors(&self, user: &User, namespace: &str, resource: &str) -> Option<String> {
        let missing = self.visit(user, namespace).filter_map(|found| match found {
            Rules::Missing(binding) => Some(format!("{resource}.{GROUP} {:?} not found", binding.role_name)),
            Rules::Found(..) => None,
        });
        one_text(missing.collect())
    }
}

fn place(object: &Value) -> (&str, &str) {
    let metadata = &object["metadata"];
    let text = |field: &str| metadata[field].as_str().unwrap_or_default();
    (text("namespace"), text("name"))
}

fn has_aggregation(role: &Value) -> bool {
    let selectors = role.pointer("/aggregationRule/clusterRoleSelectors");
    selectors.and_then(Value::as_array).is_some_and(|it| !it.is_empty())
}

fn everything() -> [PolicyRule; 2] {
    let all = || vec!["*".to_owned()];
    [
        PolicyRule {
            verbs: all(),
            api_groups: all(),
            resources: all(),
            ..PolicyRule::default()
        },
        PolicyRule {
            verbs: all(),
            non_resource_urls: all(),
            ..PolicyRule::default()
        },
    ]
}

/// Finalizers and owners may be changed by those who may update: the garbage collector does.
fn only_for_collection(new: &Value, old: &Value) -> bool {
    let without = |object: &Value| {
        let mut object = object.clone();
        if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
            for field in ["finalizers", "ownerReferences", "managedFields", "resourceVersion"] {
                metadata.remove(field);
            }
        }
        object
    };
    without(new) == without(old)
}
