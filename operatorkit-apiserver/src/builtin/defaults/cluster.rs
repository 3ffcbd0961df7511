//! Namespaces, nodes, volumes, limits, rights, devices, extensions.

use serde_json::{Value, json};

use super::field::{Fields, complete, default, default_empty, filled, given, object, text};

/// A namespace has its name as a label.
pub(super) fn namespace(fields: &mut Fields) {
    let Some(metadata) = object(fields, "metadata") else {
        return;
    };
    let name = text(metadata, "name").to_owned();
    if !name.is_empty() {
        default(metadata, "labels", json!({}));
        if let Some(labels) = object(metadata, "labels") {
            labels.insert("kubernetes.io/metadata.name".into(), name.into());
        }
    }
}

/// `podCIDR` is the first of `podCIDRs`, and wins.
pub(super) fn node(fields: &mut Fields) {
    let first = fields
        .get("podCIDRs")
        .and_then(|all| all[0].as_str())
        .unwrap_or_default()
        .to_owned();
    let one = text(fields, "podCIDR").to_owned();
    if one.is_empty() && !first.is_empty() {
        fields.insert("podCIDR".into(), first.into());
    } else if !one.is_empty() && first != one {
        fields.insert("podCIDRs".into(), json!([one]));
    }
}

/// A node can give all that it has.
pub(super) fn node_status(fields: &mut Fields) {
    if filled(fields, "capacity") && !given(fields, "allocatable") {
        complete(fields, "allocatable", "capacity");
    }
}

/// What a volume gets and one that is written into an attachment does not.
pub(super) fn persistent_volume(fields: &mut Fields) {
    if let Some(spec) = object(fields, "spec") {
        default_empty(spec, "persistentVolumeReclaimPolicy", "Retain");
        default(spec, "volumeMode", "Filesystem");
    }
}

/// What a container may have at most is its limit, and its limit is its request.
pub(super) fn limits(fields: &mut Fields) {
    if text(fields, "type") == "Container" {
        complete(fields, "default", "max");
        complete(fields, "defaultRequest", "default");
        complete(fields, "defaultRequest", "min");
    }
}

/// Users and groups are in the group of the roles.
pub(super) fn subject(fields: &mut Fields) {
    if matches!(text(fields, "kind"), "User" | "Group") {
        default_empty(fields, "apiGroup", "rbac.authorization.k8s.io");
    }
}

/// A count is one.
pub(super) fn devices(fields: &mut Fields) {
    if text(fields, "allocationMode") == "ExactCount" {
        default_empty(fields, "count", 1);
    }
}

/// A token is good for an hour.
pub(super) fn token(fields: &mut Fields) {
    default(fields, "expirationSeconds", 3600);
}

/// A webhook's service listens where HTTPS does.
pub(super) fn service_reference(fields: &mut Fields) {
    default(fields, "port", 443);
}

/// The names that follow from the kind, and the versions that were stored.
pub(super) fn crd(fields: &mut Fields) {
    let Some(spec) = object(fields, "spec") else { return };
    default(spec, "conversion", json!({ "strategy": "None" }));
    if let Some(names) = object(spec, "names") {
        let kind = text(names, "kind").to_owned();
        if !kind.is_empty() {
            default_empty(names, "singular", kind.to_lowercase());
            default_empty(names, "listKind", format!("{kind}List"));
        }
    }
    let stored = spec.get("versions").and_then(Value::as_array).into_iter().flatten();
    let stored = stored
        .filter(|it| it["storage"] == true)
        .find_map(|it| it["name"].as_str());
    if let Some(stored) = stored.map(str::to_owned) {
        default(fields, "status", json!({}));
        if let Some(status) = object(fields, "status") {
            default_empty(status, "storedVersions", json!([stored]));
        }
    }
}
