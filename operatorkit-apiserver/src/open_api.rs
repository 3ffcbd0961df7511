//! `/openapi/v3`: the index, and a document for each version of each group.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use bytes::Bytes;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use crate::{
    builtin,
    registry::{Catalog, Served},
    schema::{
        GroupVersionKind,
        open_api::{Resource, Subresource, document},
    },
};

/// The index: where each document is. The hash changes with the document, so that clients may keep it.
pub(crate) fn index(catalog: &Catalog) -> Value {
    let mut paths = Map::new();
    for (group, versions) in catalog.groups() {
        for version in versions {
            let path = path(group, version);
            let hash = hash(catalog, group, version);
            let url = format!("/openapi/v3/{path}?hash={hash}");
            paths.insert(path, json!({ "serverRelativeURL": url }));
        }
    }
    json!({ "paths": paths })
}

/// The document of a version of a group; `None` if it is not served. Those of the built-in kinds are made once in a process.
pub(crate) fn of_version(catalog: &Catalog, group: &str, version: &str) -> Option<Bytes> {
    static BUILT_IN: LazyLock<Mutex<HashMap<String, Bytes>>> = LazyLock::new(Mutex::default);
    let resources: Vec<_> = catalog.of_version(group, version).collect();
    if resources.is_empty() {
        return None;
    }
    if resources.iter().any(|served| served.custom().is_some()) {
        return Some(made(&resources));
    }
    let path = path(group, version);
    let known = BUILT_IN
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .get(&path)
        .cloned();
    Some(known.unwrap_or_else(|| {
        let document = made(&resources);
        BUILT_IN
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(path, document.clone());
        document
    }))
}

fn made(resources: &[&Arc<Served>]) -> Bytes {
    let resources: Vec<_> = resources.iter().map(|served| resource(served)).collect();
    document(&resources, builtin::kinds().types()).to_string().into()
}

fn resource(served: &Served) -> Resource<'_> {
    Resource {
        kind: GroupVersionKind::new(&served.group, &served.version, &served.kind),
        list_kind: &served.list_kind,
        plural: &served.plural,
        namespaced: served.namespaced,
        verbs: served.verbs.iter().map(|verb| &**verb).collect(),
        subresources: served.subresources.iter().map(subresource).collect(),
        schema: served.schema.get(),
        custom: served.custom().is_some(),
    }
}

fn subresource(subresource: &crate::registry::Subresource) -> Subresource<'_> {
    Subresource {
        name: &subresource.name,
        kind: GroupVersionKind::new(&subresource.group, &subresource.version, &subresource.kind),
        verbs: subresource.verbs.iter().map(|verb| &**verb).collect(),
    }
}

fn path(group: &str, version: &str) -> String {
    if group.is_empty() {
        format!("api/{version}")
    } else {
        format!("apis/{group}/{version}")
    }
}

/// Of the built-in kinds the release says everything; the document of a CRD is hashed itself.
fn hash(catalog: &Catalog, group: &str, version: &str) -> String {
    use std::fmt::Write as _;
    let custom = catalog
        .of_version(group, version)
        .any(|served| served.custom().is_some());
    let hashed = if custom {
        Sha256::digest(of_version(catalog, group, version).unwrap_or_default())
    } else {
        Sha256::digest(format!("{}/{group}/{version}", builtin::kinds().release().git_version))
    };
    hashed.iter().fold(String::new(), |mut text, byte| {
        let _infallible = write!(text, "{byte:02X}");
        text
    })
}
