//! The parts of a path (`k8s.io/apiserver/pkg/endpoints/request`).

use percent_encoding::percent_decode_str;

/// What a path names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Path {
    /// Objects of a resource.
    Resource(Place),
    /// Everything else: `/version`, `/apis/apps/v1`, … in its parts.
    Other(Vec<String>),
}

/// Where in the API a request is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The API group; empty for the core.
    pub group: String,
    /// The version of the group.
    pub version: String,
    /// `None`: all namespaces, or a cluster-scoped resource.
    pub namespace: Option<String>,
    /// The plural.
    pub resource: String,
    /// The object; `None` for a collection.
    pub name: Option<String>,
    /// What of the object; `None` for the object itself.
    pub subresource: Option<String>,
    /// Whether the path has the deprecated `watch/` before the resource.
    pub watch: bool,
}

impl Path {
    /// The parts of a path.
    pub fn parse(path: &str) -> Self {
        let parts = path.split('/').filter(|part| !part.is_empty());
        let parts: Vec<String> = parts
            .map(|part| percent_decode_str(part).decode_utf8_lossy().into_owned())
            .collect();
        let words: Vec<&str> = parts.iter().map(String::as_str).collect();
        let place = match words.as_slice() {
            ["api", version, rest @ ..] if !rest.is_empty() => Place::parse("", version, rest),
            ["apis", group, version, rest @ ..] if !rest.is_empty() => Place::parse(group, version, rest),
            _ => None,
        };
        place.map_or(Self::Other(parts), Self::Resource)
    }
}

impl Place {
    fn parse(group: &str, version: &str, rest: &[&str]) -> Option<Self> {
        let mut place = Self {
            group: group.into(),
            version: version.into(),
            ..Self::default()
        };
        let rest = match rest {
            ["watch", rest @ ..] if !rest.is_empty() => {
                place.watch = true;
                rest
            }
            rest => rest,
        };
        let own = |rest: &[&str]| rest.iter().map(ToString::to_string).collect::<Vec<_>>();
        match rest {
            // `namespaces/x`, `namespaces/x/status` and `…/finalize` are about the namespace itself.
            ["namespaces", name] | ["namespaces", name, "status" | "finalize"] => {
                place.resource = "namespaces".into();
                place.namespace = Some((*name).into());
                place.name = Some((*name).into());
                place.subresource = own(rest).get(2).cloned();
            }
            ["namespaces", namespace, resource, rest @ ..] => {
                place.namespace = Some((*namespace).into());
                place.resource = (*resource).into();
                place.named(rest);
            }
            [resource, rest @ ..] => {
                place.resource = (*resource).into();
                place.named(rest);
            }
            [] => return None,
        }
        Some(place)
    }

    fn named(&mut self, rest: &[&str]) {
        self.name = rest.first().map(ToString::to_string);
        if rest.len() > 1 {
            self.subresource = Some(rest[1..].join("/"));
        }
    }
}
