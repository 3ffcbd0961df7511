//! The resources of discovery, with their columns.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::copy;
use crate::server::Server;

const DISCOVERY: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
const AUTOMANAGED: &str = "kube-aggregator.kubernetes.io/automanaged";
const TABLE: &str = "application/json;as=Table;v=v1;g=meta.k8s.io";

/// The groups that CRDs and other servers serve: their `APIService` was not made when the server started.
pub(super) async fn foreign_groups(server: &Server) -> Result<BTreeSet<String>> {
    let list = server.get("/apis/apiregistration.k8s.io/v1/apiservices").await?;
    let services = list["items"].as_array().context("a list of APIServices")?.iter();
    let foreign = services.filter(|it| it["metadata"]["labels"][AUTOMANAGED] != "onstart");
    Ok(foreign
        .filter_map(|it| it["spec"]["group"].as_str().map(str::to_owned))
        .collect())
}

/// All built-in resources, in the order of discovery: preferred groups and versions first.
pub(super) async fn read(server: &Server, foreign: &BTreeSet<String>) -> Result<Vec<Value>> {
    let mut resources = Vec::new();
    for path in ["/api", "/apis"] {
        let discovery = server.get_as(path, DISCOVERY).await?;
        for group in discovery["items"].as_array().context("groups")? {
            let name = group["metadata"]["name"].as_str().unwrap_or_default();
            if foreign.contains(name) {
                continue;
            }
            for version in group["versions"].as_array().context("versions")? {
                resources.extend(of_version(server, name, version).await?);
            }
        }
    }
    Ok(resources)
}

async fn of_version(server: &Server, group: &str, discovery: &Value) -> Result<Vec<Value>> {
    let version = discovery["version"].as_str().context("a version has a name")?;
    let path = if group.is_empty() {
        format!("/api/{version}")
    } else {
        format!("/apis/{group}/{version}")
    };
    // The hash of the storage version is in the old form only.
    let old = server.get(&path).await?;
    let mut resources = Vec::new();
    for resource in discovery["resources"].as_array().context("resources")? {
        let mut out = json!({ "group": group, "version": version });
        out["plural"] = resource["resource"].clone();
        out["singular"] = resource["singularResource"].clone();
        out["kind"] = resource["responseKind"]["kind"].clone();
        out["namespaced"] = (resource["scope"] == "Namespaced").into();
        for key in ["verbs", "shortNames", "categories"] {
            copy(resource, key, &mut out);
        }
        let same = |it: &&Value| it["name"] == resource["resource"];
        if let Some(old) = old["resources"].as_array().and_then(|all| all.iter().find(same)) {
            copy(old, "storageVersionHash", &mut out);
        }
        let subresources = resource["subresources"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        if !subresources.is_empty() {
            out["subresources"] = subresources.iter().map(subresource).collect();
        }
        if resource["verbs"]
            .as_array()
            .is_some_and(|verbs| verbs.iter().any(|verb| verb == "list"))
        {
            let plural = resource["resource"].as_str().context("a resource has a name")?;
            out["columns"] = columns(server, &format!("{path}/{plural}")).await?;
        }
        resources.push(out);
    }
    Ok(resources)
}

/// `group` and `version` are left out where they are the resource's own.
fn subresource(of: &Value) -> Value {
    let mut out = json!({ "name": of["subresource"], "kind": of["responseKind"]["kind"], "verbs": of["verbs"] });
    for key in ["group", "version"] {
        copy(&of["responseKind"], key, &mut out);
    }
    out
}

async fn columns(server: &Server, path: &str) -> Result<Value> {
    let table = server.get_as(path, TABLE).await?;
    let columns = table["columnDefinitions"].as_array().context("a table has columns")?;
    let column = |of: &Value| {
        let mut out = json!({ "name": of["name"], "type": of["type"] });
        copy(of, "format", &mut out);
        copy(of, "description", &mut out);
        if of["priority"] != 0 {
            out["priority"] = of["priority"].clone();
        }
        out
    };
    Ok(columns.iter().map(column).collect())
}
