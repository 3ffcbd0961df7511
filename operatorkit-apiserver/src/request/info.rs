//! What one request asks for, and who asks.

use std::fmt;

use crate::access::{Attributes, User};

/// What one request asks for, and who asks: what faults and the tap see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestInfo {
    /// Who asks.
    pub user: User,
    /// The program that asks, as it names itself.
    pub user_agent: String,
    /// Verb, resource, namespace, name.
    pub attributes: Attributes,
    /// The version of the API group.
    pub version: String,
}

impl RequestInfo {
    /// `pods`, `deployments.apps`, or the path of what is no resource.
    pub fn qualified_resource(&self) -> String {
        let Attributes {
            group, resource, path, ..
        } = &self.attributes;
        match path {
            Some(path) => path.clone(),
            None if group.is_empty() => resource.clone(),
            None => format!("{resource}.{group}"),
        }
    }

    /// Whether it changes something.
    pub fn is_write(&self) -> bool {
        let writes = ["create", "update", "patch", "delete", "deletecollection"];
        self.attributes.path.is_none() && writes.contains(&self.attributes.verb.as_str())
    }
}

/// `patch deployments.apps a/b/status by operator`.
impl fmt::Display for RequestInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Attributes {
            verb,
            subresource,
            namespace,
            name,
            ..
        } = &self.attributes;
        write!(f, "{verb} {}", self.qualified_resource())?;
        let parts = [namespace, name, subresource];
        let parts: Vec<_> = parts
            .into_iter()
            .filter(|part| !part.is_empty())
            .map(String::as_str)
            .collect();
        if !parts.is_empty() {
            write!(f, " {}", parts.join("/"))?;
        }
        write!(f, " by {}", self.user.name)
    }
}
