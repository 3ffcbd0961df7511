//! What a request wants to do, as authorizers see it, and what they answer.

use super::User;
use crate::failure::{Failure, Target};

/// What a request wants to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attributes {
    /// `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`, …; for paths the HTTP method in
    /// lower case.
    pub verb: String,
    /// The API group; empty for the core.
    pub group: String,
    /// The plural of the resource; empty if `path` is asked for.
    pub resource: String,
    /// `status`, `scale`, `log`, …; empty for the object itself.
    pub subresource: String,
    /// Empty across namespaces and for what has none.
    pub namespace: String,
    /// Empty for collections and creates.
    pub name: String,
    /// The path of a request that is about no resource.
    pub path: Option<String>,
}

impl Attributes {
    /// About a resource. The other fields are empty.
    pub fn resource(verb: &str, group: &str, resource: &str) -> Self {
        Self {
            verb: verb.into(),
            group: group.into(),
            resource: resource.into(),
            ..Self::default()
        }
    }

    /// About a path that is no resource.
    pub fn path(verb: &str, path: &str) -> Self {
        Self {
            verb: verb.into(),
            path: Some(path.into()),
            ..Self::default()
        }
    }

    /// In this namespace.
    #[must_use]
    pub fn in_namespace(mut self, namespace: &str) -> Self {
        self.namespace = namespace.into();
        self
    }

    /// The object of this name.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        self.name = name.into();
        self
    }

    /// This subresource.
    #[must_use]
    pub fn on_subresource(mut self, subresource: &str) -> Self {
        self.subresource = subresource.into();
        self
    }

    /// `pods`, or `pods/log`.
    pub fn combined_resource(&self) -> String {
        if self.subresource.is_empty() {
            self.resource.clone()
        } else {
            format!("{}/{}", self.resource, self.subresource)
        }
    }

    /// The 403 for a user who may not (`responsewriters.ForbiddenStatusError` of `k8s.io/apiserver`).
    pub fn forbidden(&self, user: &User, reason: &str) -> Failure {
        let mut message = escape(&self.denial(user));
        if !reason.is_empty() {
            message = format!("{message}: {reason}");
        }
        let target = Target::new(&self.group, &self.resource, &self.name);
        if self.resource.is_empty() {
            return Failure::new(403, "Forbidden", format!("forbidden: {message}")).about(target);
        }
        Failure::forbidden(target, message)
    }

    fn denial(&self, user: &User) -> String {
        if let Some(path) = &self.path {
            return format!("User {:?} cannot {} path {path:?}", user.name, self.verb);
        }
        let scope = if self.namespace.is_empty() {
            "at the cluster scope".to_owned()
        } else {
            format!("in the namespace {:?}", self.namespace)
        };
        format!(
            "User {:?} cannot {} resource {:?} in API group {:?} {scope}",
            user.name,
            self.verb,
            self.combined_resource(),
            self.group
        )
    }
}

/// The real server escapes what looks like HTML in a denial.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// What an authorizer says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decision {
    /// May the user do it?
    pub allowed: bool,
    /// Why, as `status.reason` of a `SubjectAccessReview` says it; may be empty.
    pub reason: String,
}

/// Decides who may do what.
pub trait Authorize {
    /// May `user` do this?
    fn authorize(&self, user: &User, attributes: &Attributes) -> Decision;

    /// `Ok`, or the 403.
    ///
    /// # Errors
    ///
    /// If the user may not.
    fn check(&self, user: &User, attributes: &Attributes) -> Result<(), Failure> {
        let decision = self.authorize(user, attributes);
        if decision.allowed {
            return Ok(());
        }
        Err(attributes.forbidden(user, &decision.reason))
    }
}

/// Everybody may do everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct AlwaysAllow;

impl Authorize for AlwaysAllow {
    fn authorize(&self, _: &User, _: &Attributes) -> Decision {
        Decision {
            allowed: true,
            reason: String::new(),
        }
    }
}

impl<F: Fn(&User, &Attributes) -> Decision> Authorize for F {
    fn authorize(&self, user: &User, attributes: &Attributes) -> Decision {
        self(user, attributes)
    }
}
