//! What creating and changing a CRD does beside checking it (`k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition`).

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{check::visit, structure::array, validation::formats};
use crate::schema::Type;

/// Fills in the defaults of a CRD.
pub fn defaults(crd: &mut Value) {
    let Some(spec) = crd.get_mut("spec").and_then(Value::as_object_mut) else {
        return;
    };
    let names = spec.entry("names").or_insert_with(|| json!({}));
    let kind = names["kind"].as_str().unwrap_or_default().to_owned();
    let missing = |it: &Value| it.as_str().unwrap_or_default().is_empty();
    if names.is_object() && !kind.is_empty() {
        if missing(&names["singular"]) {
            names["singular"] = kind.to_lowercase().into();
        }
        if missing(&names["listKind"]) {
            names["listKind"] = format!("{kind}List").into();
        }
    }
    let conversion = spec.entry("conversion").or_insert(Value::Null);
    if conversion.is_null() {
        *conversion = json!({ "strategy": "None" });
    }
    if let Some(service) = conversion
        .pointer_mut("/webhook/clientConfig/service")
        .filter(|it| it.is_object())
        && service["port"].is_null()
    {
        service["port"] = 443.into();
    }
}

/// Prepares a CRD to be created: its status says only what version is stored, and the names are not accepted yet.
pub fn prepare_create(crd: &mut Value) {
    let stored = storage_version(crd).map_or(Value::Null, |it| json!([it]));
    let Some(fields) = crd.as_object_mut() else { return };
    let status = json!({ "acceptedNames": { "kind": "", "plural": "" }, "conditions": null, "storedVersions": stored });
    fields.insert("status".into(), status);
    set_generation(fields, 1);
}

/// Prepares a CRD to replace another: the status stays, and a storage version that is new joins the stored ones.
pub fn prepare_update(new: &mut Value, old: &Value) {
    let storage = storage_version(new);
    let generation = old["metadata"]["generation"].as_i64().unwrap_or(0);
    let changed = i64::from(new["spec"] != old["spec"]);
    let Some(fields) = new.as_object_mut() else { return };
    fields.insert("status".into(), old["status"].clone());
    set_generation(fields, generation + changed);
    if let Some(stored) = new.pointer_mut("/status/storedVersions").and_then(Value::as_array_mut) {
        stored.extend(storage.filter(|it| !stored.contains(it)));
    }
}

/// Prepares a CRD whose status replaces that of another: the spec stays.
pub fn prepare_status_update(new: &mut Value, old: &Value) {
    let Some(fields) = new.as_object_mut() else { return };
    fields.insert("spec".into(), old["spec"].clone());
}

/// The warnings that making or changing a CRD is answered with: about what it newly has.
pub fn warnings(new: &Value, old: Option<&Value>) -> Vec<String> {
    let before = old.map(unknown_formats).unwrap_or_default();
    let formats: BTreeSet<_> = unknown_formats(new)
        .into_iter()
        .filter(|it| !before.contains(it))
        .collect();
    let before = old.map(odd_sets).unwrap_or_default();
    let sets = odd_sets(new).into_iter().filter(|it| !before.contains(it));
    formats
        .into_iter()
        .map(|it| format!("unrecognized format {it:?}"))
        .chain(sets)
        .collect()
}

fn unknown_formats(crd: &Value) -> Vec<String> {
    let mut found = Vec::new();
    each_schema(crd, &mut |schema| {
        let Some(format) = schema["format"].as_str().filter(|it| !it.is_empty()) else {
            return;
        };
        let type_ = match schema["type"].as_str().unwrap_or_default() {
            "" | "string" => Type::String,
            "integer" => Type::Integer,
            "number" => Type::Number,
            _ => Type::Object,
        };
        if formats::effective(type_, Some(format)).is_none() {
            found.push(format.to_owned());
        }
    });
    found
}

fn odd_sets(crd: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    each_schema(crd, &mut |schema| {
        let items = schema["items"]["type"].as_str().unwrap_or_default();
        if schema["x-kubernetes-list-type"] == "set" && matches!(items, "object" | "array") {
            found.insert(format!(
                "x-kubernetes-list-type: set for items of type {items:?} is not supported by server-side apply or CEL \
                 validation rules"
            ));
        }
    });
    found
}

/// Visits each place of each schema; a schema that all versions share is visited once.
fn each_schema<'a>(crd: &'a Value, each: &mut impl FnMut(&'a Value)) {
    let versions = array(&crd["spec"]["versions"]);
    let shared = versions.iter().all(|it| it["schema"] == versions[0]["schema"]);
    for version in versions.iter().take(if shared { 1 } else { usize::MAX }) {
        visit(&version["schema"]["openAPIV3Schema"], each);
    }
}

fn storage_version(crd: &Value) -> Option<Value> {
    let versions = array(&crd["spec"]["versions"]);
    versions
        .iter()
        .find(|it| it["storage"] == true)
        .map(|it| it["name"].clone())
}

fn set_generation(crd: &mut Map<String, Value>, generation: i64) {
    let metadata = crd.entry("metadata").or_insert_with(|| json!({}));
    if let Some(metadata) = metadata.as_object_mut() {
        metadata.insert("generation".into(), generation.into());
    }
}
