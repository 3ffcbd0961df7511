//! The schemas of `/openapi/v3`, without what is only for people.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result, bail};
use serde_json::{Map, Value};

use crate::server::Server;

const KINDS: &str = "x-kubernetes-group-version-kind";

/// All schemas of the groups that are not `foreign`.
pub(super) async fn read(server: &Server, foreign: &BTreeSet<String>) -> Result<BTreeMap<String, Value>> {
    let index = server.get("/openapi/v3").await?;
    let mut schemas = BTreeMap::new();
    for (path, document) in index["paths"].as_object().context("an index of documents")? {
        let group = path.strip_prefix("apis/").and_then(|rest| rest.split('/').next());
        if !path.starts_with("api") || group.is_some_and(|group| foreign.contains(group)) {
            continue;
        }
        let url = document["serverRelativeURL"]
            .as_str()
            .context("a document has an address")?;
        let document = server.get(url).await?;
        let Some(found) = document["components"]["schemas"].as_object() else {
            continue;
        };
        for (name, schema) in found {
            add(&mut schemas, name, compact(schema)).with_context(|| format!("{name} in {path}"))?;
        }
    }
    Ok(schemas)
}

/// The same type is the same in every document, but for the kinds that it is known as: each group names its own there.
fn add(schemas: &mut BTreeMap<String, Value>, name: &str, mut schema: Value) -> Result<()> {
    let Some(known) = schemas.get_mut(name) else {
        schemas.insert(name.to_owned(), schema);
        return Ok(());
    };
    let mut kinds = take_kinds(known);
    let more = take_kinds(&mut schema);
    if *known != schema {
        bail!("documents differ");
    }
    for kind in more {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    if !kinds.is_empty() {
        known[KINDS] = kinds.into();
    }
    Ok(())
}

fn take_kinds(schema: &mut Value) -> Vec<Value> {
    let kinds = schema.as_object_mut().and_then(|fields| fields.remove(KINDS));
    match kinds {
        Some(Value::Array(kinds)) => kinds,
        _ => Vec::new(),
    }
}

/// A schema without descriptions, and its references as names.
fn compact(schema: &Value) -> Value {
    let Value::Object(fields) = schema else {
        return schema.clone();
    };
    let mut out = Map::new();
    for (key, value) in fields {
        let value = match key.as_str() {
            // Nothing reads the unions: structured-merge-diff ignores them.
            "description" | "x-kubernetes-unions" => continue,
            // It means nothing beside a list of kinds, and is the default.
            "x-kubernetes-map-type" if value == "granular" => continue,
            "properties" => value.as_object().map_or(Value::Null, |all| {
                all.iter()
                    .map(|(name, schema)| (name.clone(), compact(schema)))
                    .collect()
            }),
            "items" | "additionalProperties" => compact(value),
            "allOf" | "anyOf" | "oneOf" => value
                .as_array()
                .map_or(Value::Null, |all| all.iter().map(compact).collect()),
            "$ref" => value.as_str().and_then(|path| path.rsplit('/').next()).into(),
            _ => value.clone(),
        };
        out.insert(key.clone(), value);
    }
    single_reference(&mut out);
    Value::Object(out)
}

/// `allOf: [{$ref}]` is how a reference with siblings is written; the siblings stand beside it here.
fn single_reference(schema: &mut Map<String, Value>) {
    let Some([Value::Object(only)]) = schema.get("allOf").and_then(Value::as_array).map(Vec::as_slice) else {
        return;
    };
    if only.len() == 1
        && let Some(name) = only.get("$ref").cloned()
    {
        schema.remove("allOf");
        schema.insert("$ref".to_owned(), name);
    }
}
