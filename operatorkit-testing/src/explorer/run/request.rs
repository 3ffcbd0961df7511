//! What the operator asks for, read from the request.

use http::{Method, request::Parts};
use operatorkit_apiserver::request::{Path, Query};

use crate::explorer::{
    plan::{Place, Sort},
    scenario::qualified,
};

/// A request of the operator.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) verb: Verb,
    pub(super) place: Place,
    /// `patch configmaps default/x-settings`.
    pub(super) what: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    Get,
    List,
    Watch,
    Write,
    /// Not about an object of somebody: discovery, Events, Leases, reviews.
    Aside,
}

/// What operators do beside their work: none of it decides what becomes of an object.
const ASIDE: [&str; 8] = [
    "events",
    "events.events.k8s.io",
    "leases.coordination.k8s.io",
    "selfsubjectaccessreviews.authorization.k8s.io",
    "selfsubjectrulesreviews.authorization.k8s.io",
    "customresourcedefinitions.apiextensions.k8s.io",
    "namespaces",
    "nodes",
];

/// Whether nothing of what is explored is in a resource.
pub(in crate::explorer) fn is_aside(resource: &str) -> bool {
    ASIDE.contains(&resource)
}

impl Asked {
    pub(super) fn new(parts: &Parts) -> Self {
        let Path::Resource(place) = Path::parse(parts.uri.path()) else {
            return Self {
                verb: Verb::Aside,
                place: Place {
                    resource: String::new(),
                    namespace: String::new(),
                    name: String::new(),
                },
                what: format!("{} {}", parts.method, parts.uri.path()),
            };
        };
        let watches = Query::parse(parts.uri.query().unwrap_or_default()).switch("watch");
        let (verb, name) = match (&parts.method, &place.name) {
            (&Method::GET, _) if watches => (Verb::Watch, "watch"),
            (&Method::GET, Some(_)) => (Verb::Get, "get"),
            (&Method::GET, None) => (Verb::List, "list"),
            (&Method::POST, _) => (Verb::Write, "create"),
            (&Method::PUT, _) => (Verb::Write, "update"),
            (&Method::DELETE, _) => (Verb::Write, "delete"),
            _ => (Verb::Write, "patch"),
        };
        let resource = qualified(&place.resource, &place.group);
        let verb = if is_aside(&resource) { Verb::Aside } else { verb };
        let subresource = place.subresource.iter().map(|it| format!("/{it}"));
        let target = Place {
            resource,
            namespace: place.namespace.clone().unwrap_or_default(),
            name: place.name.clone().unwrap_or_default(),
        };
        Self {
            verb,
            what: format!("{name} {target}{}", subresource.collect::<String>()),
            place: target,
        }
    }

    /// What sort of point it is; none where nothing is disturbed.
    pub(super) fn sort(&self) -> Option<Sort> {
        match self.verb {
            Verb::Write => Some(Sort::Write),
            Verb::Get | Verb::List => Some(Sort::Read),
            Verb::Watch | Verb::Aside => None,
        }
    }
}
