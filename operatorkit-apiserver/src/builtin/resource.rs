//! One built-in resource: its names, verbs, subresources and columns.

use serde::Deserialize;

use crate::schema::OwnedSchema;

/// A resource of one version, as discovery tells it.
#[derive(Clone, Debug)]
pub struct BuiltInResource {
    /// The API group; empty for the core.
    pub group: Box<str>,
    /// `v1`.
    pub version: Box<str>,
    /// The name in paths: `pods`.
    pub plural: Box<str>,
    /// `pod`.
    pub singular: Box<str>,
    /// `Pod`.
    pub kind: Box<str>,
    /// `PodList`. Also there for resources that are not listed.
    pub list_kind: Box<str>,
    /// Whether its objects are in namespaces.
    pub namespaced: bool,
    /// `po`.
    pub short_names: Vec<Box<str>>,
    /// `all`.
    pub categories: Vec<Box<str>>,
    /// `create`, `get`, `list`, … as discovery has them, in order.
    pub verbs: Vec<Box<str>>,
    /// In the order of discovery.
    pub subresources: Vec<BuiltInSubresource>,
    /// What its objects look like.
    pub schema: OwnedSchema,
    /// The columns of a `Table`; empty for resources that are not listed.
    pub columns: Vec<ColumnDefinition>,
    /// Of the old form of discovery; absent for what is not stored.
    pub storage_version_hash: Option<Box<str>>,
}

impl BuiltInResource {
    /// Whether discovery has this verb.
    pub fn has_verb(&self, verb: &str) -> bool {
        self.verbs.iter().any(|it| &**it == verb)
    }

    /// The subresource with this name.
    pub fn subresource(&self, name: &str) -> Option<&BuiltInSubresource> {
        self.subresources.iter().find(|it| &*it.name == name)
    }

    /// `apps/v1`, or `v1`.
    pub fn api_version(&self) -> String {
        if self.group.is_empty() {
            self.version.to_string()
        } else {
            format!("{}/{}", self.group, self.version)
        }
    }
}

/// A subresource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltInSubresource {
    /// `status`, `scale`, `eviction`, …
    pub name: Box<str>,
    /// The group of `kind`. Discovery leaves out a group and version that are the resource's own.
    pub group: Box<str>,
    /// The version of `kind`.
    pub version: Box<str>,
    /// What is sent and answered: `Pod`, `Scale`, `Eviction`, … The kinds of `connect` subresources (`PodExecOptions`) have no
    /// schema.
    pub kind: Box<str>,
    /// As discovery has them, in order.
    pub verbs: Vec<Box<str>>,
}

/// A column of a `Table`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ColumnDefinition {
    /// The heading, as written by the server.
    pub name: Box<str>,
    /// `string`, `integer`, `number`, `boolean`, `date`.
    #[serde(rename = "type")]
    pub type_: Box<str>,
    /// `name` for the column that identifies the object; else usually empty.
    #[serde(default)]
    pub format: Box<str>,
    /// For people.
    #[serde(default)]
    pub description: Box<str>,
    /// 0 is always shown, others in wide output.
    #[serde(default)]
    pub priority: i32,
}
