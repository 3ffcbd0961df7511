//! One resource in one version, as it is served.

use std::sync::Arc;

use serde_json::Value;

use crate::{conversion, failure::Target, schema::OwnedSchema, store::TableId, table::Columns};

/// Where a resource comes from.
#[derive(Clone, Debug)]
pub enum Origin {
    /// It is one of Kubernetes' own.
    BuiltIn,
    /// A CRD.
    Custom(Arc<crate::crd::CustomVersion>),
}

/// One resource in one version.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each says something else")]
pub struct Served {
    /// The API group; empty for the core.
    pub group: Box<str>,
    /// The version.
    pub version: Box<str>,
    /// `apps/v1`, or `v1`.
    pub api_version: Box<str>,
    /// The name in paths.
    pub plural: Box<str>,
    /// The name of one.
    pub singular: Box<str>,
    /// The kind of the objects.
    pub kind: Box<str>,
    /// The kind of a list.
    pub list_kind: Box<str>,
    /// Whether the objects are in namespaces.
    pub namespaced: bool,
    /// `po`, `svc`, …
    pub short_names: Vec<Box<str>>,
    /// `all`, …
    pub categories: Vec<Box<str>>,
    /// `get`, `list`, …
    pub verbs: Vec<Box<str>>,
    /// `status`, `scale`, …
    pub subresources: Vec<Subresource>,
    /// Tells clients that two endpoints store the same; empty for what is not stored.
    pub storage_hash: Box<str>,
    /// Whether it is this version that is stored.
    pub stored: bool,
    /// Where the objects are.
    pub table: TableId,
    /// What is known of the objects' fields.
    pub schema: OwnedSchema,
    /// Where the resource comes from.
    pub origin: Origin,
    /// Whether what is stored may differ from what is shown in more than `apiVersion`: it is another version, or the
    /// schema has changed since.
    pub converts: bool,
    /// Whether its CRD is being deleted: nothing new is made then.
    pub terminating: bool,
    /// The fields by which objects can be selected.
    pub fields: Vec<SelectableField>,
    /// The columns of a table of the objects.
    pub columns: Columns,
    /// The warning that each request to a deprecated version is answered with.
    pub deprecation: Option<Box<str>>,
}

/// A subresource as discovery lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subresource {
    /// `status`, `scale`, `eviction`, …
    pub name: Box<str>,
    /// The group of its body; empty for the core, or that of the resource.
    pub group: Box<str>,
    /// The version of its body.
    pub version: Box<str>,
    /// The kind of its body.
    pub kind: Box<str>,
    /// `get`, `update`, …
    pub verbs: Vec<Box<str>>,
}

impl Served {
    /// Whether it answers to this verb.
    pub fn has_verb(&self, verb: &str) -> bool {
        self.verbs.iter().any(|it| **it == *verb)
    }

    /// A subresource.
    pub fn subresource(&self, name: &str) -> Option<&Subresource> {
        self.subresources.iter().find(|it| *it.name == *name)
    }

    /// Whether status is written by itself.
    pub fn has_status(&self) -> bool {
        self.subresource("status").is_some()
    }

    /// An object of the resource, as errors name it.
    pub fn target(&self, name: &str) -> Target {
        Target::new(&self.group, &self.plural, name)
    }

    /// An object of the kind, as errors about fields name it: by the group in which it is stored.
    pub fn kind_target(&self, name: &str) -> Target {
        let stored = conversion::storage(&self.group, &self.version, &self.plural);
        Target::new(stored.map_or(&*self.group, |(group, _)| group), &self.kind, name)
    }

    /// This object of the kind, as errors about its fields name it: a custom one by the kind that it says itself.
    pub fn object_target(&self, object: &Value) -> Target {
        let mut target = self.kind_target(crate::object::name(object));
        if let Some(said) = object["kind"].as_str().filter(|_| self.custom().is_some()) {
            target.kind = said.into();
        }
        target
    }

    /// Whether it is a CRD's.
    pub fn custom(&self) -> Option<&Arc<crate::crd::CustomVersion>> {
        match &self.origin {
            Origin::BuiltIn => None,
            Origin::Custom(custom) => Some(custom),
        }
    }

    /// Whether it is this resource, in any version.
    pub fn is(&self, group: &str, plural: &str) -> bool {
        *self.group == *group && *self.plural == *plural
    }
}

/// A field by which objects can be selected, beside name and namespace.
#[derive(Clone, Debug)]
pub struct SelectableField {
    /// As selectors name it: `status.phase`.
    pub label: Box<str>,
    read: fn(&Value, &str) -> String,
}

impl SelectableField {
    /// A field of a built-in kind.
    pub fn built_in(field: &crate::selector::fields::Field) -> Self {
        Self {
            label: field.label.into(),
            read: field.read,
        }
    }

    /// A field of a custom kind: the path to a string, a number or a switch.
    pub fn path(path: &str) -> Self {
        Self {
            label: path.into(),
            read: |object, path| {
                let found = path.split('.').fold(object, |value, part| &value[part]);
                match found {
                    Value::String(text) => text.clone(),
                    Value::Null => String::new(),
                    other => other.to_string(),
                }
            },
        }
    }

    /// The value in an object; empty if there is none.
    pub fn read(&self, object: &Value) -> String {
        (self.read)(object, &self.label)
    }
}

impl Served {
    /// The values of the selectable fields, in their order.
    pub fn field_values(&self, object: &Value) -> Vec<Box<str>> {
        self.fields.iter().map(|field| field.read(object).into()).collect()
    }
}
