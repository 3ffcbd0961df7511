//! Group, scope, names and versions of a CRD.

use serde_json::Value;

use super::{conversion, dump, form, is_zero, root, served, text};
use crate::{
    crd::{content, structure::array},
    failure::{FieldError, FieldPath},
};

/// Checks a `spec`. `established`: whether the CRD was, before this change.
pub(super) fn check(spec: &Value, established: bool, errors: &mut Vec<FieldError>) {
    let at = FieldPath::new("spec");
    group(&spec["group"], &at.child("group"), errors);
    one_of(&spec["scope"], &["Cluster", "Namespaced"], &at.child("scope"), errors);
    let preserve = spec["preserveUnknownFields"] == true;
    schemas_are_there(spec, &at, errors);
    if preserve
        && array(&spec["versions"])
            .iter()
            .any(|it| root::has_defaults(&it["schema"]["openAPIV3Schema"]))
    {
        let field = at.child("preserveUnknownFields");
        let detail = "must be false in order to use defaults in the schema";
        errors.push(FieldError::invalid(&field, &true.into(), detail));
    }
    versions(spec, &at, errors);
    required_names(&spec["names"], &at.child("names"), errors);
    names(&spec["names"], &at.child("names"), errors);
    shared_parts(spec, &at, errors);
    conversion::check(
        &spec["conversion"],
        preserve,
        established,
        &at.child("conversion"),
        errors,
    );
}

fn group(group: &Value, field: &FieldPath, errors: &mut Vec<FieldError>) {
    let Some(name) = text(group) else {
        errors.push(FieldError::required(field, ""));
        return;
    };
    let wrong = content::dns_subdomain(name);
    if !wrong.is_empty() {
        errors.push(FieldError::invalid(field, group, wrong.join(",")));
    } else if !name.contains('.') {
        errors.push(FieldError::invalid(
            field,
            group,
            "should be a domain with at least one dot",
        ));
    }
}

/// A field that must be one of some values.
pub(super) fn one_of(value: &Value, allowed: &[&str], field: &FieldPath, errors: &mut Vec<FieldError>) {
    match text(value) {
        None => errors.push(FieldError::required(field, "")),
        Some(it) if allowed.contains(&it) => {}
        Some(_) => errors.push(FieldError::not_supported(field, value, allowed)),
    }
}

fn schemas_are_there(spec: &Value, at: &FieldPath, errors: &mut Vec<FieldError>) {
    for (index, version) in array(&spec["versions"]).iter().enumerate() {
        if !version["schema"]["openAPIV3Schema"].is_object() {
            let field = at.child("versions").index(index).child("schema.openAPIV3Schema");
            errors.push(FieldError::required(&field, ""));
        }
    }
}

fn versions(spec: &Value, at: &FieldPath, errors: &mut Vec<FieldError>) {
    let versions = array(&spec["versions"]);
    let field = at.child("versions");
    for (index, version) in versions.iter().enumerate() {
        let at = field.index(index);
        let wrong = content::dns_1035_label(version["name"].as_str().unwrap_or_default());
        if !wrong.is_empty() {
            errors.push(FieldError::invalid(
                &at.child("name"),
                &version["name"],
                wrong.join(","),
            ));
        }
        deprecation(version, &at.child("deprecationWarning"), errors);
        for (name, _) in form::PARTS.iter().filter(|(name, _)| !form::is_shared(spec, name)) {
            part(spec, Some(version), name, &at.child(name), errors);
        }
    }
    let names: Vec<_> = versions.iter().map(|it| &it["name"]).collect();
    let unique = (1..names.len()).all(|index| !names[..index].contains(&names[index]));
    let stored = versions.iter().filter(|it| it["storage"] == true).count();
    let refuse = |detail: &str| form::invalid(&field, &dump::versions(spec), detail);
    if !unique {
        errors.push(refuse("must contain unique version names"));
    }
    if stored != 1 {
        errors.push(refuse("must have exactly one version marked as storage version"));
    }
    if let Some(first) = names.first().and_then(|it| text(it)) {
        let wrong = content::dns_1035_label(first);
        if !wrong.is_empty() {
            errors.push(FieldError::invalid(&at.child("version"), names[0], wrong.join(",")));
        }
    }
}

fn shared_parts(spec: &Value, at: &FieldPath, errors: &mut Vec<FieldError>) {
    let Some(version) = array(&spec["versions"]).first() else {
        return;
    };
    for (name, shared) in form::PARTS.iter().filter(|(name, _)| form::is_shared(spec, name)) {
        // Which versions have a status counts for all of them here.
        let own = form::is_shared(spec, "subresources").then_some(version);
        if form::part(version, name).is_some() {
            shared_part(spec, own, version, name, &at.child(shared), errors);
        }
    }
}

fn part(spec: &Value, own: Option<&Value>, name: &str, at: &FieldPath, errors: &mut Vec<FieldError>) {
    if let Some(version) = own.filter(|it| form::part(it, name).is_some()) {
        shared_part(spec, own, version, name, at, errors);
    }
}

/// Checks a part of a version. Without an own version, any version's status counts.
fn shared_part(
    spec: &Value,
    own: Option<&Value>,
    version: &Value,
    name: &str,
    at: &FieldPath,
    errors: &mut Vec<FieldError>,
) {
    let has_status = |it: &Value| !it["subresources"]["status"].is_null();
    let status = match own {
        Some(version) => has_status(version),
        None => array(&spec["versions"]).iter().any(has_status),
    };
    match name {
        "schema" => root::check(
            &version["schema"]["openAPIV3Schema"],
            status,
            &at.child("openAPIV3Schema"),
            errors,
        ),
        "subresources" => served::subresources(&version[name], at, errors),
        "additionalPrinterColumns" => served::columns(&version[name], at, errors),
        _ => served::selectable(version, at, errors),
    }
}

fn deprecation(version: &Value, field: &FieldPath, errors: &mut Vec<FieldError>) {
    let Some(warning) = version["deprecationWarning"].as_str() else {
        return;
    };
    let mut refuse = |detail: String| errors.push(FieldError::invalid(field, &warning.into(), detail));
    if version["deprecated"] != true {
        return refuse("can only be set for deprecated versions".into());
    }
    if warning.len() > 256 {
        refuse("must be <= 256 characters long".into());
    }
    if warning.is_empty() {
        refuse("must not be an empty string".into());
    }
    let unprintable = |it: char| it.is_control() || it != ' ' && it.is_whitespace();
    if let Some(index) = warning.find(unprintable) {
        refuse(format!(
            "must only contain printable UTF-8 characters; non-printable character found at index {index}"
        ));
    }
}

fn required_names(names: &Value, at: &FieldPath, errors: &mut Vec<FieldError>) {
    for name in ["plural", "singular", "kind", "listKind"] {
        if is_zero(&names[name]) {
            errors.push(FieldError::required(&at.child(name), ""));
        }
    }
}

/// Checks what names consist of, in the spec and in the status.
pub(super) fn names(names: &Value, at: &FieldPath, errors: &mut Vec<FieldError>) {
    let mut label = |field: FieldPath, value: &Value, mixed: bool| {
        let Some(name) = text(value) else { return };
        let wrong = if mixed {
            content::dns_1035_label(&name.to_lowercase())
        } else {
            content::dns_1035_label(name)
        };
        if !wrong.is_empty() {
            let prefix = if mixed {
                "may have mixed case, but should otherwise match: "
            } else {
                ""
            };
            errors.push(FieldError::invalid(
                &field,
                value,
                format!("{prefix}{}", wrong.join(",")),
            ));
        }
    };
    for (name, mixed) in [
        ("plural", false),
        ("singular", false),
        ("kind", true),
        ("listKind", true),
    ] {
        label(at.child(name), &names[name], mixed);
    }
    for (index, name) in array(&names["shortNames"]).iter().enumerate() {
        label(at.child("shortNames").index(index), name, false);
    }
    for (index, name) in array(&names["shortNames"])
        .iter()
        .enumerate()
        .filter(|(_, name)| *name == "")
    {
        let field = at.child("shortNames").index(index);
        errors.push(FieldError::invalid(&field, name, content::dns_1035_label("").join(",")));
    }
    if text(&names["kind"]).is_some() && names["kind"] == names["listKind"] {
        let detail = "kind and listKind may not be the same";
        errors.push(FieldError::invalid(&at.child("listKind"), &names["listKind"], detail));
    }
    let mut label = |field: FieldPath, value: &Value| {
        let wrong = content::dns_1035_label(value.as_str().unwrap_or_default());
        if !wrong.is_empty() {
            errors.push(FieldError::invalid(&field, value, wrong.join(",")));
        }
    };
    for (index, category) in array(&names["categories"]).iter().enumerate() {
        label(at.child("categories").index(index), category);
    }
}
