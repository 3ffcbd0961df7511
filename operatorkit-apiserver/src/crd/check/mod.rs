//! Whether a CRD may be as it is (`k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation`).
//!
//! | module | what |
//! |---|---|
//! | `approval` | the annotation that groups of the community need |
//! | `conversion` | how versions are converted |
//! | `defaults` | default values against their schema |
//! | `dump` | values of the real server's internal types, in messages |
//! | `form` | the form that the real server checks: what all versions share stands once |
//! | `lists` | list types, map types, keys |
//! | `openapi` | the keywords of a schema |
//! | `path` | paths to fields of a schema |
//! | `root` | the root of a schema |
//! | `rules` | `x-kubernetes-validations` |
//! | `served` | printer columns, subresources, selectable fields |
//! | `spec` | group, scope, names, versions |
//! | `structural` | what makes a schema structural |

pub(super) mod approval;
mod conversion;
mod defaults;
mod dump;
mod form;
mod lists;
mod openapi;
mod path;
mod root;
mod rules;
mod served;
mod spec;
mod structural;

pub(super) use conversion::is_bundle;
pub(super) use path::steps;
pub(super) use root::visit;
use serde_json::Value;

use super::{content, structure::array};
use crate::failure::{FieldError, FieldPath};

/// Checks a CRD that is to be created, or is to replace `old`. Defaults have been applied, and the status prepared
/// ([`prepare_create`](super::definition::prepare_create)).
///
/// Of the metadata only the name is looked at: it must be `<plural>.<group>`. The rules for all metadata are the same
/// for all kinds.
pub fn check(new: &Value, old: Option<&Value>) -> Vec<FieldError> {
    let mut errors = match old {
        None => name(new),
        Some(_) => Vec::new(),
    };
    let established = old.is_some_and(|it| condition(it, "Established"));
    spec::check(&new["spec"], established, &mut errors);
    if let Some(old) = old {
        immutable(&new["spec"], &old["spec"], established, &mut errors);
    }
    let accepted = FieldPath::new("status.acceptedNames");
    spec::names(&new["status"]["acceptedNames"], &accepted, &mut errors);
    stored_versions(new, &mut errors);
    errors.extend(approval::check(new, old));
    if new["spec"]["preserveUnknownFields"] == true {
        let field = FieldPath::new("spec.preserveUnknownFields");
        let detail = "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema \
                      instead";
        errors.push(FieldError::invalid(&field, &true.into(), detail));
    }
    errors
}

fn name(crd: &Value) -> Vec<FieldError> {
    let field = FieldPath::new("metadata.name");
    let text = |it: &Value| it.as_str().unwrap_or_default().to_owned();
    let name = text(&crd["metadata"]["name"]);
    if name.is_empty() {
        return Vec::new();
    }
    let mut wrong = content::dns_subdomain(&name);
    let names = &crd["spec"]["names"];
    if name != format!("{}.{}", text(&names["plural"]), text(&crd["spec"]["group"])) {
        wrong.push("must be spec.names.plural+\".\"+spec.group".into());
    }
    let value = name.into();
    wrong.iter().map(|it| FieldError::invalid(&field, &value, it)).collect()
}

/// What objects are stored under cannot change; nor can kind and scope, once objects may exist.
fn immutable(new: &Value, old: &Value, established: bool, errors: &mut Vec<FieldError>) {
    let always = [("spec.group", "/group"), ("spec.names.plural", "/names/plural")];
    let once = [("spec.scope", "/scope"), ("spec.names.kind", "/names/kind")];
    let fields = once.iter().filter(|_| established).chain(&always);
    for (field, pointer) in fields {
        let value = new.pointer(pointer).unwrap_or(&Value::Null);
        if Some(value) != old.pointer(pointer) {
            errors.push(FieldError::invalid(
                &FieldPath::new(*field),
                value,
                "field is immutable",
            ));
        }
    }
}

fn stored_versions(crd: &Value, errors: &mut Vec<FieldError>) {
    let field = FieldPath::new("status.storedVersions");
    let stored = array(&crd["status"]["storedVersions"]);
    if stored.is_empty() {
        let value = &crd["status"]["storedVersions"];
        errors.push(FieldError::invalid(
            &field,
            value,
            "must have at least one stored version",
        ));
        return;
    }
    let versions = array(&crd["spec"]["versions"]);
    for version in versions {
        if version["storage"] == true && !stored.contains(&version["name"]) {
            let name = version["name"].as_str().unwrap_or_default();
            let detail = format!("must have the storage version {name}");
            errors.push(FieldError::invalid(&field, &stored.into(), detail));
        }
    }
    for (index, version) in stored.iter().enumerate() {
        if versions.iter().all(|it| it["name"] != *version) {
            let name = version.as_str().unwrap_or_default();
            let detail = format!(
                "missing from spec.versions; {name} was previously a storage version, and must remain in spec.versions \
                 until a storage migration ensures no data remains persisted in {name} and removes {name} from \
                 status.storedVersions"
            );
            errors.push(FieldError::invalid(&field.index(index), version, detail));
        }
    }
}

/// Whether a condition of a CRD is true.
pub(super) fn condition(crd: &Value, type_: &str) -> bool {
    let conditions = array(&crd["status"]["conditions"]);
    let found = conditions.iter().find(|it| it["type"] == type_);
    found.is_some_and(|it| it["status"] == "True")
}

/// Whether a value is what Go takes for nothing.
fn is_zero(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

/// A text that is given and not empty.
fn text(value: &Value) -> Option<&str> {
    value.as_str().filter(|it| !it.is_empty())
}
