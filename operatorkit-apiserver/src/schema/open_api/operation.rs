//! One request.

use serde_json::{Map, Value, json};

use super::{
    Resource, Subresource,
    component::{Components, Names},
    names::{capital, group_words, tag},
    parameter, reference,
};

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Get,
    List,
    Create,
    Update,
    Patch,
    Delete,
    DeleteCollection,
}

impl Action {
    /// The verb of discovery, the method, and `x-kubernetes-action`.
    fn names(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Get => ("get", "get", "get"),
            Self::List => ("list", "get", "list"),
            Self::Create => ("create", "post", "post"),
            Self::Update => ("update", "put", "put"),
            Self::Patch => ("patch", "patch", "patch"),
            Self::Delete => ("delete", "delete", "delete"),
            Self::DeleteCollection => ("deletecollection", "delete", "deletecollection"),
        }
    }

    /// The beginning of `operationId`.
    fn word(self) -> &'static str {
        match self {
            Self::Get => "read",
            Self::List => "list",
            Self::Create => "create",
            Self::Update => "replace",
            Self::Patch => "patch",
            Self::Delete | Self::DeleteCollection => "delete",
        }
    }
}

/// Requests to one path.
pub(super) struct Operation<'a> {
    resource: &'a Resource<'a>,
    names: &'a Names,
    sub: Option<&'a Subresource<'a>>,
    /// A list over all namespaces.
    everywhere: bool,
}

impl<'a> Operation<'a> {
    pub(super) fn new(
        resource: &'a Resource<'a>,
        names: &'a Names,
        sub: Option<&'a Subresource<'a>>,
        everywhere: bool,
    ) -> Self {
        Self {
            resource,
            names,
            sub,
            everywhere,
        }
    }

    /// Those of the actions that discovery has, by method.
    pub(super) fn all(&self, actions: &[Action], components: &mut Components<'_>) -> Map<String, Value> {
        let verbs = self.sub.map_or(&self.resource.verbs, |sub| &sub.verbs);
        let Some(body) = self.body(components) else {
            return Map::new();
        };
        let mut all = Map::new();
        for action in actions {
            let (verb, method, _) = action.names();
            if verbs.contains(&verb) {
                all.insert(method.to_owned(), self.one(*action, &body, components));
            }
        }
        all
    }

    /// The schema of what is sent and answered.
    fn body(&self, components: &mut Components<'_>) -> Option<String> {
        match self.sub {
            Some(sub) if sub.kind != self.resource.kind => components.of_kind(&sub.kind),
            _ => Some(self.names.object.clone()),
        }
    }

    fn one(&self, action: Action, body: &str, components: &mut Components<'_>) -> Value {
        // A CRD's scale is said to be of the CRD's kind.
        let kind = match self.sub {
            Some(sub) if !self.resource.custom => &sub.kind,
            _ => &self.resource.kind,
        };
        let answer = match action {
            Action::List => reference(&self.names.list),
            Action::Delete | Action::DeleteCollection => components.meta("Status"),
            _ => reference(body),
        };
        let types = ["application/json", "application/yaml"];
        let content: Map<_, _> = types
            .iter()
            .map(|it| ((*it).to_owned(), json!({ "schema": answer })))
            .collect();
        let mut responses = Map::new();
        for code in codes(action) {
            responses.insert(code.to_string(), json!({ "description": "OK", "content": content }));
        }
        responses.insert("401".into(), json!({ "description": "Unauthorized" }));
        let mut out = json!({
            "tags": [tag(&self.resource.kind)],
            "operationId": self.id(action),
            "parameters": parameter::of_action(action),
            "responses": responses,
            "x-kubernetes-action": action.names().2,
            "x-kubernetes-group-version-kind": kind,
        });
        if let Some(request) = self.request(action, body, components) {
            out["requestBody"] = request;
        }
        out
    }

    fn request(&self, action: Action, body: &str, components: &mut Components<'_>) -> Option<Value> {
        let custom = self.resource.custom;
        let usual: &[&str] = if custom {
            &["application/json", "application/yaml"]
        } else {
            &["*/*"]
        };
        let (schema, types) = match action {
            Action::Create | Action::Update => (reference(body), usual),
            Action::Patch => (components.meta("Patch"), self.patches()),
            // The real server does not tell that collections of custom kinds take options, too.
            Action::DeleteCollection if custom => return None,
            Action::Delete | Action::DeleteCollection => (components.meta("DeleteOptions"), usual),
            Action::Get | Action::List => return None,
        };
        let content: Map<_, _> = types
            .iter()
            .map(|it| ((*it).to_owned(), json!({ "schema": schema })))
            .collect();
        let required = !matches!(action, Action::Delete | Action::DeleteCollection);
        let mut request = json!({ "content": content });
        if required {
            request["required"] = true.into();
        }
        Some(request)
    }

    /// Custom kinds know no strategic merge patches.
    fn patches(&self) -> &'static [&'static str] {
        let all = &[
            "application/apply-patch+yaml",
            "application/json-patch+json",
            "application/merge-patch+json",
            "application/strategic-merge-patch+json",
        ];
        if self.resource.custom { &all[..3] } else { all }
    }

    /// `createAppsV1NamespacedDeployment`.
    fn id(&self, action: Action) -> String {
        let kind = &self.resource.kind;
        let collection = if action == Action::DeleteCollection {
            "Collection"
        } else {
            ""
        };
        let namespaced = if self.resource.namespaced && !self.everywhere {
            "Namespaced"
        } else {
            ""
        };
        let sub = self.sub.map(|sub| capital(sub.name)).unwrap_or_default();
        let everywhere = if self.everywhere { "ForAllNamespaces" } else { "" };
        let group: String = group_words(kind).map(capital).collect();
        let version = capital(&kind.version);
        let (word, name) = (action.word(), &kind.kind);
        format!("{word}{group}{version}{collection}{namespaced}{name}{sub}{everywhere}")
    }
}

fn codes(action: Action) -> &'static [u16] {
    match action {
        Action::Get | Action::List | Action::DeleteCollection => &[200],
        Action::Create => &[200, 201, 202],
        Action::Update | Action::Patch => &[200, 201],
        Action::Delete => &[200, 202],
    }
}
