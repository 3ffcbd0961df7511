//! What a request is about: verb, kind, namespace, name.

use std::fmt;

use super::Kind;

/// What a request does, as RBAC names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Verb {
    Get,
    List,
    Watch,
    Create,
    Update,
    Patch,
    Delete,
    /// Asks what the API server serves; no verb of RBAC.
    Discover,
}

impl Verb {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::List => "list",
            Self::Watch => "watch",
            Self::Create => "create",
            Self::Update => "update",
            Self::Patch => "patch",
            Self::Delete => "delete",
            Self::Discover => "discover",
        }
    }
}

/// What a request is about; shown as `patch Deployment.apps web/x`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) verb: Verb,
    /// `Deployment.apps`; for a discovery the group or version that is asked for.
    pub(super) kind: String,
    /// `deployments.apps`, with `/status` for a subresource.
    pub(super) resource: String,
    pub(super) namespace: Option<String>,
    /// Empty for all objects.
    pub(super) name: String,
    namespaced: bool,
    /// Texts about it may hold what must not be shown.
    pub(super) secret: bool,
}

impl Target {
    pub(super) fn of(verb: Verb, kind: &Kind, namespace: Option<&str>, name: &str) -> Self {
        Self {
            verb,
            kind: kind.to_string(),
            resource: kind.plural_name(),
            namespace: namespace.filter(|_| kind.namespaced).map(str::to_owned),
            name: name.to_owned(),
            namespaced: kind.namespaced,
            secret: kind.is_secret(),
        }
    }

    pub(super) fn all(verb: Verb, kind: &Kind, namespace: Option<&str>) -> Self {
        Self::of(verb, kind, namespace, "")
    }

    pub(super) fn discovery(what: &str) -> Self {
        Self {
            verb: Verb::Discover,
            kind: what.to_owned(),
            resource: String::new(),
            namespace: None,
            name: String::new(),
            namespaced: false,
            secret: false,
        }
    }

    pub(super) fn with_subresource(mut self, subresource: Option<&str>) -> Self {
        if let Some(subresource) = subresource {
            self.resource = format!("{}/{subresource}", self.resource);
        }
        self
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.verb.as_str(), self.kind)?;
        match (self.namespace.as_deref(), &*self.name) {
            _ if self.verb == Verb::Discover => Ok(()),
            (None, "") if self.namespaced => f.write_str(" in all namespaces"),
            (None, "") => Ok(()),
            (Some(namespace), "") => write!(f, " in namespace {namespace}"),
            (None, name) => write!(f, " {name}"),
            (Some(namespace), name) => write!(f, " {namespace}/{name}"),
        }
    }
}
