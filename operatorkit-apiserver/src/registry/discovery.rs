//! What clients learn of the server: `/api`, `/apis`, and what is below them, in the old and in the aggregated form (KEP-3352).

use serde_json::{Value, json};

use super::{
    catalog::Catalog,
    served::{Served, Subresource},
};

/// `/api`.
pub fn core_versions(address: &str) -> Value {
    json!({
        "kind": "APIVersions",
        "versions": ["v1"],
        "serverAddressByClientCIDRs": [{ "clientCIDR": "0.0.0.0/0", "serverAddress": address }],
    })
}

/// `/apis`.
pub fn groups(catalog: &Catalog) -> Value {
    let groups = catalog.groups().into_iter().filter(|(group, _)| !group.is_empty());
    let groups: Value = groups.map(|(group, versions)| api_group(group, &versions)).collect();
    json!({ "kind": "APIGroupList", "apiVersion": "v1", "groups": groups })
}

/// `/apis/apps`.
pub fn group(catalog: &Catalog, name: &str) -> Option<Value> {
    let (group, versions) = catalog
        .groups()
        .into_iter()
        .find(|(group, _)| *group == name && !group.is_empty())?;
    let mut body = api_group(group, &versions);
    body["kind"] = "APIGroup".into();
    body["apiVersion"] = "v1".into();
    Some(body)
}

fn api_group(group: &str, versions: &[&str]) -> Value {
    let version = |version: &&str| json!({ "groupVersion": format!("{group}/{version}"), "version": version });
    json!({
        "name": group,
        "versions": versions.iter().map(version).collect::<Value>(),
        "preferredVersion": versions.first().map(version),
    })
}

/// `/api/v1`, `/apis/apps/v1`.
pub fn resources(catalog: &Catalog, group: &str, version: &str) -> Option<Value> {
    let mut resources = Vec::new();
    for served in catalog.of_version(group, version) {
        resources.push(resource(served));
        resources.extend(served.subresources.iter().map(|it| subresource(served, it)));
    }
    if resources.is_empty() {
        return None;
    }
    let group_version = if group.is_empty() {
        version.to_owned()
    } else {
        format!("{group}/{version}")
    };
    let mut list = json!({ "kind": "APIResourceList", "groupVersion": group_version, "resources": resources });
    if !group.is_empty() {
        list["apiVersion"] = "v1".into();
    }
    Some(list)
}

fn resource(served: &Served) -> Value {
    let mut body = json!({
        "name": served.plural,
        "singularName": served.singular,
        "namespaced": served.namespaced,
        "kind": served.kind,
        "verbs": served.verbs,
    });
    if !served.storage_hash.is_empty() {
        body["storageVersionHash"] = json!(served.storage_hash);
    }
    if !served.short_names.is_empty() {
        body["shortNames"] = json!(served.short_names);
    }
    if !served.categories.is_empty() {
        body["categories"] = json!(served.categories);
    }
    body
}

fn subresource(served: &Served, subresource: &Subresource) -> Value {
    let mut body = json!({
        "name": format!("{}/{}", served.plural, subresource.name),
        "singularName": "",
        "namespaced": served.namespaced,
        "kind": subresource.kind,
        "verbs": subresource.verbs,
    });
    if subresource.group != served.group || subresource.version != served.version {
        body["group"] = json!(subresource.group);
        body["version"] = json!(subresource.version);
    }
    body
}

/// `APIGroupDiscoveryList`: of the core group for `/api`, of the others for `/apis`.
pub fn aggregated(catalog: &Catalog, version: &str, core: bool) -> Value {
    let groups = catalog
        .groups()
        .into_iter()
        .filter(|(group, _)| group.is_empty() == core);
    let items: Value = groups
        .map(|(group, versions)| {
            let versions = versions
                .iter()
                .map(|version| aggregated_version(catalog, group, version));
            let mut item = json!({ "metadata": {}, "versions": versions.collect::<Value>() });
            if !group.is_empty() {
                item["metadata"]["name"] = group.into();
            }
            item
        })
        .collect();
    json!({
        "kind": "APIGroupDiscoveryList", "apiVersion": format!("apidiscovery.k8s.io/{version}"), "metadata": {}, "items": items,
    })
}

fn aggregated_version(catalog: &Catalog, group: &str, version: &str) -> Value {
    let resources = catalog.of_version(group, version).map(|served| {
        let mut body = json!({
            "resource": served.plural,
            "responseKind": response_kind(served, &served.group, &served.version, &served.kind),
            "scope": if served.namespaced { "Namespaced" } else { "Cluster" },
            "singularResource": served.singular,
            "verbs": served.verbs,
        });
        if !served.short_names.is_empty() {
            body["shortNames"] = json!(served.short_names);
        }
        if !served.categories.is_empty() {
            body["categories"] = json!(served.categories);
        }
        let subresources = served.subresources.iter().map(|it| {
            json!({
                "subresource": it.name,
                "responseKind": response_kind(served, &it.group, &it.version, &it.kind),
                "verbs": it.verbs,
            })
        });
        if !served.subresources.is_empty() {
            body["subresources"] = subresources.collect();
        }
        body
    });
    json!({ "version": version, "resources": resources.collect::<Value>(), "freshness": "Current" })
}

/// The group and version of a built-in kind are left out where they are those of the resource.
fn response_kind(served: &Served, group: &str, version: &str, kind: &str) -> Value {
    let own = served.custom().is_none() && *served.group == *group && *served.version == *version;
    let (group, version) = if own { ("", "") } else { (group, version) };
    json!({ "group": group, "version": version, "kind": kind })
}

/// Tells clients that two endpoints store the same: the beginning of the SHA-256 of what is stored, as in the real server.
pub fn storage_hash(group: &str, version: &str, kind: &str) -> String {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    use sha2::{Digest as _, Sha256};
    let hash = Sha256::digest(format!("{group}/{version}/{kind}"));
    STANDARD.encode(&hash[..8])
}
