//! The built-in resources, as they are served.

use std::sync::Arc;

use serde_json::{Value, json};

use super::served::{Origin, SelectableField, Served, Subresource};
use crate::{
    builtin::{self, BuiltInResource},
    conversion,
    selector::fields,
    store::TableId,
    table::Columns,
};

/// All built-in resources, in the order of discovery.
pub fn resources() -> Vec<Arc<Served>> {
    builtin::kinds()
        .resources()
        .iter()
        .map(|resource| Arc::new(served(resource)))
        .collect()
}

fn served(resource: &BuiltInResource) -> Served {
    let stored = conversion::storage(&resource.group, &resource.version, &resource.plural);
    let subresources = resource.subresources.iter().map(|it| Subresource {
        name: it.name.clone(),
        group: it.group.clone(),
        version: it.version.clone(),
        kind: it.kind.clone(),
        verbs: it.verbs.clone(),
    });
    Served {
        group: resource.group.clone(),
        version: resource.version.clone(),
        api_version: resource.api_version().into(),
        plural: resource.plural.clone(),
        singular: resource.singular.clone(),
        kind: resource.kind.clone(),
        list_kind: resource.list_kind.clone(),
        namespaced: resource.namespaced,
        short_names: resource.short_names.clone(),
        categories: resource.categories.clone(),
        verbs: resource.verbs.clone(),
        subresources: subresources.collect(),
        storage_hash: resource.storage_version_hash.clone().unwrap_or_default(),
        stored: stored.is_none(),
        table: table(stored.unwrap_or((&resource.group, &resource.plural))),
        schema: resource.schema.clone(),
        origin: Origin::BuiltIn,
        converts: stored.is_some(),
        terminating: false,
        fields: fields::of(&resource.group, &resource.version, &resource.plural)
            .iter()
            .map(SelectableField::built_in)
            .collect(),
        columns: columns(resource),
        deprecation: deprecation(&resource.group, &resource.kind).map(Into::into),
    }
}

/// What the real server warns of (`zz_generated.prerelease-lifecycle.go`).
fn deprecation(group: &str, kind: &str) -> Option<&'static str> {
    match (group, kind) {
        ("", "ComponentStatus") => Some("v1 ComponentStatus is deprecated in v1.19+"),
        ("", "Endpoints") => Some("v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"),
        _ => None,
    }
}

fn table((group, plural): (&str, &str)) -> TableId {
    format!("{group}/{plural}").into()
}

fn columns(resource: &BuiltInResource) -> Columns {
    let columns: Value = resource
        .columns
        .iter()
        .map(|column| {
            json!({
                "name": column.name, "type": column.type_, "format": column.format,
                "description": column.description, "priority": column.priority,
            })
        })
        .collect();
    Columns::built_in(columns)
}
