//! From the data to the catalog.

use std::{collections::HashMap, io::Read as _, sync::Arc};

use flate2::read::GzDecoder;
use serde::Deserialize;

use super::{
    catalog::{BuiltIn, Release},
    learned::Learned,
    nodes::{RawSchemas, nodes},
    resource::{BuiltInResource, BuiltInSubresource, ColumnDefinition},
};
use crate::schema::{GroupVersionKind, NodeId, OwnedSchema, Types};

static DATA: &[u8] = include_bytes!("../../data/kinds.json.gz");

/// The data as it is written.
#[derive(Deserialize)]
struct Data<'a> {
    version: Release,
    #[serde(borrow)]
    schemas: RawSchemas<'a>,
    #[serde(borrow)]
    resources: Vec<RawResource<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawResource<'a> {
    group: &'a str,
    version: &'a str,
    plural: &'a str,
    singular: &'a str,
    kind: &'a str,
    namespaced: bool,
    #[serde(default)]
    short_names: Vec<Box<str>>,
    #[serde(default)]
    categories: Vec<Box<str>>,
    verbs: Vec<Box<str>>,
    #[serde(default, borrow)]
    subresources: Vec<RawSubresource<'a>>,
    #[serde(default)]
    columns: Vec<ColumnDefinition>,
    storage_version_hash: Option<Box<str>>,
}

#[derive(Deserialize)]
struct RawSubresource<'a> {
    name: &'a str,
    group: Option<&'a str>,
    version: Option<&'a str>,
    kind: &'a str,
    verbs: Vec<Box<str>>,
}

/// Reads the data that this crate is built with.
///
/// # Panics
///
/// Never with data that the tests have seen.
pub(super) fn load() -> BuiltIn {
    let mut text = Vec::new();
    GzDecoder::new(DATA)
        .read_to_end(&mut text)
        .expect("the data is a gzip stream");
    let data: Data<'_> = serde_json::from_slice(&text).expect("the data is as the task wrote it");
    let types = Arc::new(nodes(data.schemas));
    let kinds: HashMap<_, _> = types.all_kinds().map(|(kind, id)| (kind.clone(), id)).collect();
    let resources = data
        .resources
        .into_iter()
        .map(|raw| resource(raw, &types, &kinds))
        .collect();
    BuiltIn {
        release: data.version,
        learned: Learned::load(&types),
        types,
        resources,
        kinds,
    }
}

fn resource(raw: RawResource<'_>, types: &Arc<Types>, kinds: &HashMap<GroupVersionKind, NodeId>) -> BuiltInResource {
    let kind = GroupVersionKind::new(raw.group, raw.version, raw.kind);
    let id = *kinds.get(&kind).expect("every resource has a schema");
    let subresource = |sub: RawSubresource<'_>| BuiltInSubresource {
        name: sub.name.into(),
        group: sub
            .group
            .unwrap_or(if sub.version.is_some() { "" } else { raw.group })
            .into(),
        version: sub.version.unwrap_or(raw.version).into(),
        kind: sub.kind.into(),
        verbs: sub.verbs,
    };
    BuiltInResource {
        group: raw.group.into(),
        version: raw.version.into(),
        plural: raw.plural.into(),
        singular: raw.singular.into(),
        kind: raw.kind.into(),
        list_kind: format!("{}List", raw.kind).into(),
        namespaced: raw.namespaced,
        short_names: raw.short_names,
        categories: raw.categories,
        verbs: raw.verbs,
        subresources: raw.subresources.into_iter().map(subresource).collect(),
        schema: OwnedSchema::new(Arc::clone(types), id),
        columns: raw.columns,
        storage_version_hash: raw.storage_version_hash,
    }
}
