//! For which requests.

use std::{fmt, sync::Arc};

use crate::request::RequestInfo;

type Predicate = Arc<dyn Fn(&RequestInfo) -> bool + Send + Sync>;

/// Which requests a fault is for. What is not said matches everything.
#[derive(Clone, Default)]
pub struct Matching {
    verbs: Vec<String>,
    resource: Option<String>,
    subresource: Option<String>,
    namespace: Option<String>,
    name: Option<String>,
    user: Option<String>,
    predicate: Option<Predicate>,
}

impl Matching {
    /// Everything.
    pub fn everything() -> Self {
        Self::default()
    }

    /// These verbs: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`.
    pub fn verbs<V: Into<String>>(verbs: impl IntoIterator<Item = V>) -> Self {
        Self {
            verbs: verbs.into_iter().map(Into::into).collect(),
            ..Self::default()
        }
    }

    /// All verbs that change something.
    pub fn writes() -> Self {
        Self::verbs(["create", "update", "patch", "delete", "deletecollection"])
    }

    /// A resource: its plural, with the group if it has one (`deployments.apps`).
    #[must_use]
    pub fn resource(mut self, resource: impl Into<String>) -> Self {
        self.resource = Some(resource.into());
        self
    }

    /// A subresource; empty for requests about the object itself.
    #[must_use]
    pub fn subresource(mut self, subresource: impl Into<String>) -> Self {
        self.subresource = Some(subresource.into());
        self
    }

    /// A namespace.
    #[must_use]
    pub fn namespace(mut self, namespace: impl Into<String>) -> Self {
        self.namespace = Some(namespace.into());
        self
    }

    /// The name of an object.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Whose requests.
    #[must_use]
    pub fn user(mut self, user: impl Into<String>) -> Self {
        self.user = Some(user.into());
        self
    }

    /// Only those of which this is true.
    #[must_use]
    pub fn when(mut self, predicate: impl Fn(&RequestInfo) -> bool + Send + Sync + 'static) -> Self {
        self.predicate = Some(Arc::new(predicate));
        self
    }

    /// Whether it is for this request.
    pub fn matches(&self, request: &RequestInfo) -> bool {
        let is = |wanted: &Option<String>, there: &str| wanted.as_deref().is_none_or(|wanted| wanted == there);
        let attributes = &request.attributes;
        (self.verbs.is_empty() || self.verbs.contains(&attributes.verb))
            && is(&self.resource, &request.qualified_resource())
            && is(&self.subresource, &attributes.subresource)
            && is(&self.namespace, &attributes.namespace)
            && is(&self.name, &attributes.name)
            && is(&self.user, &request.user.name)
            && self.predicate.as_ref().is_none_or(|predicate| predicate(request))
    }
}

impl fmt::Debug for Matching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Matching")
            .field("verbs", &self.verbs)
            .field("resource", &self.resource)
            .field("subresource", &self.subresource)
            .field("namespace", &self.namespace)
            .field("name", &self.name)
            .field("user", &self.user)
            .field("predicate", &self.predicate.is_some())
            .finish()
    }
}
