//! Resource claims, and CustomResourceDefinitions.

use serde_json::{Value, json};

use super::cell::joined;
use crate::read::{has, is_condition_true, is_true, items, length, text};

/// `allocated,reserved`.
pub(super) fn claim(claim: &Value) -> Value {
    let is_deleted = has(claim, "/metadata/deletionTimestamp");
    let is_allocated = has(claim, "/status/allocation");
    let states = [
        (is_deleted, "deleted"),
        (!is_allocated && !is_deleted, "pending"),
        (is_allocated, "allocated"),
        (is_allocated && length(claim, "/status/reservedFor") > 0, "reserved"),
    ];
    json!(
        states
            .into_iter()
            .filter_map(|(is, state)| is.then_some(state))
            .collect::<Vec<_>>()
            .join(",")
    )
}

/// `v1(storage),v1beta1`.
pub(super) fn served_versions(crd: &Value) -> Value {
    let version = |version: &Value| {
        let name = text(version, "/name");
        if is_true(version, "/storage") {
            format!("{name}(storage)")
        } else {
            name.to_owned()
        }
    };
    let served = items(crd, "/spec/versions")
        .iter()
        .filter(|version| is_true(version, "/served"));
    let mut versions: Vec<String> = served.map(version).collect();
    versions.sort_unstable();
    json!(versions.join(","))
}

pub(super) fn short_names(crd: &Value) -> Value {
    json!(joined(crd, "/spec/names/shortNames", ""))
}

pub(super) fn established(crd: &Value) -> Value {
    json!(is_condition_true(crd, "/status/conditions", "Established"))
}
