//! All built-in kinds, and how to find one.

use std::{collections::HashMap, sync::Arc};

use serde::Deserialize;

use super::{learned::Learned, resource::BuiltInResource};
use crate::schema::{GroupVersionKind, NodeId, OwnedSchema, Schema, Types};

/// The server that the data is from, as its `/version` says.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Release {
    /// `1`.
    pub major: Box<str>,
    /// `37`.
    pub minor: Box<str>,
    /// `v1.37.2`.
    pub git_version: Box<str>,
}

/// All built-in kinds.
#[derive(Debug)]
pub struct BuiltIn {
    pub(super) release: Release,
    pub(super) types: Arc<Types>,
    pub(super) resources: Vec<BuiltInResource>,
    pub(super) kinds: HashMap<GroupVersionKind, NodeId>,
    pub(super) learned: Learned,
}

impl BuiltIn {
    /// The server that the data is from.
    pub fn release(&self) -> &Release {
        &self.release
    }

    /// All schemas: those of the kinds, and of what they are made of.
    pub fn types(&self) -> &Arc<Types> {
        &self.types
    }

    /// All resources in the order of discovery: the core, then the groups and versions that are preferred first.
    pub fn resources(&self) -> &[BuiltInResource] {
        &self.resources
    }

    /// The resource that a path names.
    pub fn resource(&self, group: &str, version: &str, plural: &str) -> Option<&BuiltInResource> {
        self.resources
            .iter()
            .find(|it| &*it.plural == plural && &*it.version == version && &*it.group == group)
    }

    /// The schema of a kind, also of one that is not a resource by itself: `DeleteOptions`, `Scale`, `Status`, `Eviction`, lists.
    /// Each group knows `DeleteOptions` and `WatchEvent` in its versions, too.
    pub fn schema(&self, group: &str, version: &str, kind: &str) -> Option<OwnedSchema> {
        let id = self.kinds.get(&GroupVersionKind::new(group, version, kind))?;
        Some(OwnedSchema::new(Arc::clone(&self.types), *id))
    }

    /// The same, without its source.
    pub fn schema_of(&self, group: &str, version: &str, kind: &str) -> Option<Schema<'_>> {
        let id = self.kinds.get(&GroupVersionKind::new(group, version, kind))?;
        Some(self.types.schema(*id))
    }

    /// The schema of a type by its name: `io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta`.
    pub fn named(&self, name: &str) -> Option<OwnedSchema> {
        let id = self.types.id(name)?;
        Some(OwnedSchema::new(Arc::clone(&self.types), id))
    }

    /// The schema of `metadata`, which CRDs have in common with the built-in kinds.
    ///
    /// # Panics
    ///
    /// Never: the data has it, which a test holds.
    pub fn object_meta(&self) -> OwnedSchema {
        self.named("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta")
            .expect("the data has ObjectMeta")
    }
}
