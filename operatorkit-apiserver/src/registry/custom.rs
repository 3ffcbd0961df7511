//! The resources of CRDs: accepted, established, and served from the moment their CRD is written.

use std::sync::Arc;

use serde_json::Value;

use super::{
    Catalog, built_in,
    served::{Origin, SelectableField, Served, Subresource},
};
use crate::{
    core::Core,
    crd::{self, CustomVersion},
    object,
    store::Expect,
    table::Columns,
    verbs::strategy,
};

const VERBS: [&str; 8] = [
    "delete",
    "deletecollection",
    "get",
    "list",
    "patch",
    "create",
    "update",
    "watch",
];

/// After a CRD was written: decides about names, and serves what is established. The real server does the same a moment later.
pub(crate) fn changed(core: &Core) {
    core.registry.replace(|| next(core));
}

fn next(core: &Core) -> Catalog {
    while settle(core) {}
    let mut all = built_in::resources();
    let before = core.registry.catalog();
    for crd in crds(core) {
        let resources = served(&crd);
        let new = resources
            .iter()
            .filter(|served| before.of_table(&served.table).is_none());
        new.for_each(|served| core.store.begin(&served.table));
        all.extend(resources);
    }
    Catalog::new(all)
}

/// All CRDs, the oldest first: whoever came first has the names.
pub(crate) fn crds(core: &Core) -> Vec<Value> {
    let stored = core.store.all(&core.tables.crds);
    let mut crds: Vec<_> = stored
        .iter()
        .map(|crd| crd.value("apiextensions.k8s.io/v1", "CustomResourceDefinition"))
        .collect();
    let created = |crd: &Value| object::text(crd, "creationTimestamp").to_owned();
    crds.sort_by(|a, b| (created(a), object::name(a)).cmp(&(created(b), object::name(b))));
    crds
}

/// Writes the status of one CRD whose status is not yet what it must be; whether there was one.
fn settle(core: &Core) -> bool {
    let all = crds(core);
    for crd in &all {
        if object::is_deleting(crd) {
            continue;
        }
        let group = &crd["spec"]["group"];
        let taken = crd::names::Taken::by(all.iter().filter(|other| other["spec"]["group"] == *group));
        let mut new = crd.clone();
        if let Some(status) = crd::names::statuses(crd, &taken, core.clock.now()).into_iter().next() {
            new["status"] = status;
        }
        if new == *crd {
            continue;
        }
        let catalog = core.registry.catalog();
        let Some(served) = catalog.preferred("apiextensions.k8s.io", "customresourcedefinitions") else {
            return false;
        };
        let version = object::text(crd, "resourceVersion").parse().unwrap_or_default();
        let _somebody_else_settles_it =
            core.store
                .put(&served.table, Expect::At(version), strategy::draft(served, &new));
        return true;
    }
    false
}

/// The resources of one CRD, in all versions that are served.
fn served(crd: &Value) -> Vec<Arc<Served>> {
    if !crd::names::is_established(crd) {
        return Vec::new();
    }
    let versions = crd["spec"]["versions"].as_array().into_iter().flatten();
    let mut names: Vec<&str> = versions.filter_map(|version| version["name"].as_str()).collect();
    names.sort_by(|a, b| crd::version::compare(b, a));
    let compiled = names.iter().filter_map(|name| crd::compile(crd, name).ok());
    let compiled: Vec<_> = compiled.map(Arc::new).collect();
    let storage = compiled
        .iter()
        .find(|version| version.storage)
        .map(|version| version.version.clone());
    let storage = storage.unwrap_or_default();
    // What was stored under an earlier schema is shown under the present one.
    let converts = compiled.len() > 1 || object::generation(crd) > 1;
    let deleting = object::is_deleting(crd);
    let one = |version: &Arc<CustomVersion>| Arc::new(one(crd, version, &storage, converts, deleting));
    compiled.iter().filter(|version| version.served).map(one).collect()
}

fn one(crd: &Value, version: &Arc<CustomVersion>, storage: &str, converts: bool, deleting: bool) -> Served {
    let names = &crd["status"]["acceptedNames"];
    let text = |field: &str| -> Box<str> { names[field].as_str().unwrap_or_default().into() };
    let list = |field: &str| -> Vec<Box<str>> {
        names[field]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(Into::into)
            .collect()
    };
    Served {
        group: version.group.clone(),
        version: version.version.clone(),
        api_version: format!("{}/{}", version.group, version.version).into(),
        plural: version.plural.clone(),
        singular: text("singular"),
        kind: version.kind.clone(),
        list_kind: version.list_kind.clone(),
        namespaced: version.namespaced,
        short_names: list("shortNames"),
        categories: list("categories"),
        verbs: VERBS.map(Into::into).to_vec(),
        terminating: deleting,
        subresources: subresources(version),
        storage_hash: super::discovery::storage_hash(&version.group, storage, &version.kind).into(),
        stored: *version.version == *storage,
        table: format!("{}/{}", version.group, version.plural).into(),
        schema: version.schema(),
        origin: Origin::Custom(version.clone()),
        converts,
        fields: fields(version),
        columns: columns(crd, version),
        deprecation: version.deprecation.clone(),
    }
}

fn subresources(version: &CustomVersion) -> Vec<Subresource> {
    let verbs = ["get", "patch", "update"].map(Into::into).to_vec();
    let mut all = Vec::new();
    if version.status {
        all.push(Subresource {
            name: "status".into(),
            group: version.group.clone(),
            version: version.version.clone(),
            kind: version.kind.clone(),
            verbs: verbs.clone(),
        });
    }
    if version.scale.is_some() {
        all.push(Subresource {
            name: "scale".into(),
            group: "autoscaling".into(),
            version: "v1".into(),
            kind: "Scale".into(),
            verbs,
        });
    }
    all
}

fn fields(version: &CustomVersion) -> Vec<SelectableField> {
    version
        .selectable
        .iter()
        .map(|path| SelectableField::path(path))
        .collect()
}

fn columns(crd: &Value, version: &CustomVersion) -> Columns {
    let versions = crd["spec"]["versions"].as_array().into_iter().flatten();
    let mut written = versions.filter(|it| it["name"] == *version.version);
    Columns::compile(written.next().and_then(|it| it.get("additionalPrinterColumns")))
}
