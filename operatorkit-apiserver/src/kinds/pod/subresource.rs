//! The subresources of a pod: `binding`, `ephemeralcontainers`.

use serde_json::{Value, json};

use super::{POD, validate_meta_and_spec};
use crate::{
    kinds::edit,
    validation::{At, Errors, at::same, names},
};

/// What is wrong with a `Binding`.
pub fn validate_binding(binding: &Value) -> Errors {
    let target = At::root(binding).get("target");
    let (kind, name) = (target.get("kind"), target.get("name"));
    let mut errors = Errors::new();
    if !kind.is_empty() && !kind.is("Node") {
        errors.push(kind.not_supported(&["Node", "<empty>"]));
    }
    if name.is_empty() {
        errors.push(name.required(""));
    } else if kind.is_empty() || kind.is("Node") {
        errors.extend(name.all_invalid(names::dns_subdomain(name.text())));
    }
    errors
}

/// Puts a pod onto the node that a binding names, at a time in the form of `metav1.Time`.
///
/// # Errors
///
/// Why the pod cannot be bound; the real server says it with a 409, `Operation cannot be fulfilled on pods/binding …`.
pub fn bind(pod: &mut Value, binding: &Value, now: &str) -> Result<(), String> {
    let name = edit::text(pod, &["metadata", "name"]);
    if edit::get(pod, &["metadata", "deletionTimestamp"]).is_string() {
        return Err(format!("pod {name} is being deleted, cannot be assigned to a host"));
    }
    let node = edit::text(pod, &["spec", "nodeName"]);
    if !node.is_empty() {
        return Err(format!("pod {name} is already assigned to node {node:?}"));
    }
    if !At::root(pod).get("spec").get("schedulingGates").is_empty() {
        return Err(format!("pod {name} has non-empty .spec.schedulingGates"));
    }
    edit::set(
        pod,
        &["spec", "nodeName"],
        edit::get(binding, &["target", "name"]).clone(),
    );
    for (key, value) in At::root(binding).get("metadata").get("annotations").entries() {
        edit::set(pod, &["metadata", "annotations", key], value.value.clone());
    }
    let mut conditions = edit::get(pod, &["status", "conditions"])
        .as_array()
        .cloned()
        .unwrap_or_default();
    conditions.retain(|it| it["type"] != "PodScheduled");
    conditions
        .push(json!({"type": "PodScheduled", "status": "True", "lastProbeTime": null, "lastTransitionTime": now}));
    edit::set(pod, &["status", "conditions"], conditions.into());
    Ok(())
}

/// Prepares and checks a PUT to `ephemeralcontainers`: they may be added.
pub fn before_ephemeral_containers(new: &mut Value, old: &Value) -> Errors {
    let prepare = |new: &mut Value, old: &Value| {
        let given = edit::get(new, &["spec", "ephemeralContainers"]).clone();
        edit::keep(new, old, &["spec"]);
        edit::keep(new, old, &["status"]);
        edit::set(new, &["spec", "ephemeralContainers"], given);
        if !same(edit::get(new, &["spec"]), edit::get(old, &["spec"])) {
            let generation = edit::number(old, &["metadata", "generation"]);
            edit::set(new, &["metadata", "generation"], json!(generation + 1));
        }
    };
    POD.before_subresource_update(new, old, prepare, |new, old| {
        let mut errors = validate_meta_and_spec(new);
        let list = |object| At::root(object).get("spec").get("ephemeralContainers");
        let (now, before) = (list(new), list(old));
        for (index, was) in before.items().enumerate() {
            let name = was.get("name").text();
            let at = now.placed(now.path.index(index));
            match now.items().find(|it| it.get("name").is(name)) {
                None => {
                    errors.push(now.forbidden(format!("existing ephemeral containers {name:?} may not be removed\n")));
                }
                Some(it) if !same(it.value, was.value) => {
                    errors.push(at.forbidden(format!("existing ephemeral containers {name:?} may not be changed\n")));
                }
                Some(_) => {}
            }
        }
        errors
    })
}
