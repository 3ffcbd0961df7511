//! Kinds that are served in more versions or groups than they are stored in.

use serde_json::Value;

use crate::{kinds, registry::Served, selector::fields};

/// The group and plural under which a resource is stored, if it is another's: Events are one store in two groups.
pub(crate) fn storage(group: &str, version: &str, plural: &str) -> Option<(&'static str, &'static str)> {
    match (group, version, plural) {
        ("events.k8s.io", _, "events") => Some(("", "events")),
        ("autoscaling", "v1", "horizontalpodautoscalers") => Some(("autoscaling", "horizontalpodautoscalers")),
        _ => None,
    }
}

/// From what is stored to what is shown.
pub(crate) fn from_storage(group: &str, version: &str, object: &mut Value) {
    match (group, version) {
        ("events.k8s.io", _) => *object = kinds::event::from_core(object),
        ("autoscaling", "v1") => *object = kinds::autoscaling::to_v1(object),
        _ => {}
    }
}

/// From what is shown to what is stored.
pub(crate) fn to_storage(group: &str, version: &str, object: &mut Value) {
    match (group, version) {
        ("events.k8s.io", _) => *object = kinds::event::to_core(object),
        ("autoscaling", "v1") => *object = kinds::autoscaling::to_v2(object),
        _ => {}
    }
}

/// The values of the selectable fields of what is stored. All forms of a resource list its fields in one order.
pub(crate) fn field_values(served: &Served, stored: &Value) -> Vec<Box<str>> {
    let (group, plural) =
        storage(&served.group, &served.version, &served.plural).unwrap_or((&served.group, &served.plural));
    let fields = fields::of(group, &served.version, plural);
    fields
        .iter()
        .map(|field| (field.read)(stored, field.label).into())
        .collect()
}
