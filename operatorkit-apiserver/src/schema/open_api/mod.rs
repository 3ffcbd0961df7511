//! An `OpenAPI` v3 document of resources: what `/openapi/v3/apis/apps/v1` answers.
//!
//! Clients read from it which fields there are (`kubectl explain`), how lists merge (`kubectl apply`), and what requests take
//! (`kubectl diff`). The built-in kinds carry no descriptions, and no `x-kubernetes-list-type` where it is `atomic`, which is the
//! default; the deprecated paths below `watch/` and those to connect to Pods are left out.
//!
//! | module | what |
//! |---|---|
//! | `component` | a schema: named ones refer to each other, those of CRDs are written out |
//! | `keywords` | what a schema says beside the schemas in it |
//! | `rules` | what values must satisfy |
//! | `custom` | what a CRD's schema does not say itself |
//! | `paths`, `operation`, `names`, `parameter` | the requests |

mod component;
mod custom;
mod keywords;
mod names;
mod operation;
mod parameter;
mod paths;
mod rules;

#[cfg(test)]
mod tests;

use serde_json::{Map, Value, json};

use self::component::Components;
use super::{GroupVersionKind, Schema, Types};

/// A resource, for its paths and its schemas.
#[derive(Clone, Debug)]
pub struct Resource<'a> {
    /// What its objects are.
    pub kind: GroupVersionKind,
    /// `DeploymentList`.
    pub list_kind: &'a str,
    /// The name in paths.
    pub plural: &'a str,
    /// Whether its objects are in namespaces.
    pub namespaced: bool,
    /// As discovery has them: `create`, `get`, …
    pub verbs: Vec<&'a str>,
    /// In any order.
    pub subresources: Vec<Subresource<'a>>,
    /// What its objects look like.
    pub schema: Schema<'a>,
    /// Whether a CRD defines it: its schema is written out under a name of its own.
    pub custom: bool,
}

/// A subresource.
#[derive(Clone, Debug)]
pub struct Subresource<'a> {
    /// `status`.
    pub name: &'a str,
    /// What is sent and answered; what is no kind of the document's types is left out.
    pub kind: GroupVersionKind,
    /// As discovery has them.
    pub verbs: Vec<&'a str>,
}

/// The document of resources, which are those of one group and version. `built_in` has the types that all have in common
/// (`ObjectMeta`, `Status`, `Scale`), and those of the built-in kinds.
pub fn document(resources: &[Resource<'_>], built_in: &Types) -> Value {
    let mut components = Components::new(built_in, resources.iter().map(|it| &it.kind));
    let mut paths = Map::new();
    for resource in resources {
        let names = components.resource(resource);
        paths::add(&mut paths, resource, &names, &mut components);
    }
    let custom = resources.iter().any(|it| it.custom);
    let (title, version) = if custom {
        ("Kubernetes CRD Swagger", "v0.1.0")
    } else {
        ("Kubernetes", "1.37")
    };
    json!({
        "openapi": "3.0.0",
        "info": { "title": title, "version": version },
        "paths": paths,
        "components": { "schemas": components.finish() },
    })
}

/// A reference to a schema of the document.
fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}
