//! `ReplicationController`, `PodTemplate`, `ControllerRevision`.

use serde_json::{Value, json};

use super::{
    deployment::replica_status,
    edit,
    pod::template,
    strategy::{Propagation, Strategy},
    workload::{non_negative, template_defaults, template_warnings},
};
use crate::validation::{At, Errors, selector};

/// `ReplicationController`.
pub static REPLICATION_CONTROLLER: Strategy = Strategy {
    status: true,
    initial_status: r#"{"replicas":0}"#,
    generation: &["spec"],
    propagation: Propagation::Orphan,
    defaults: |object| {
        template_defaults(object);
        let labels = edit::get(object, &["spec", "template", "metadata", "labels"]).clone();
        for path in [&["spec", "selector"][..], &["metadata", "labels"]] {
            if labels.is_object() && At::root(edit::get(object, path)).is_empty() {
                edit::set(object, path, labels.clone());
            }
        }
    },
    validate: controller,
    validate_status: |new, _| replica_status(new),
    warn: template_warnings,
    ..Strategy::NAMESPACED
};

/// `PodTemplate`.
pub static POD_TEMPLATE: Strategy = Strategy {
    generation: &["template"],
    defaults: |object| edit::items_in(object, &["template", "spec"], template::spec_defaults),
    validate: |object| template::template(&At::root(object).get("template")),
    warn: |object, _| template::warn(&At::root(object).get("template")),
    ..Strategy::NAMESPACED
};

/// `ControllerRevision`.
pub static CONTROLLER_REVISION: Strategy = Strategy {
    names_on_update: true,
    validate: |object| {
        let root = At::root(object);
        let data = root.get("data");
        let mut errors = non_negative(&root, &["revision"]);
        if !data.is_set() {
            errors.push(data.required("data is mandatory"));
        } else if !data.value.is_object() {
            errors.push(data.required("data must be a valid JSON object"));
        }
        errors
    },
    validate_update: Some(|new, old| {
        let (root, before) = (At::root(new), At::root(old));
        let mut errors = non_negative(&root, &["revision"]);
        let data = root.get("data");
        // The real server shows its raw bytes.
        if data.immutable(&before.get("data")).is_some() {
            errors.push(data.invalid("field is immutable"));
        }
        errors
    }),
    ..Strategy::NAMESPACED
};

fn controller(object: &Value) -> Errors {
    let spec = At::root(object).get("spec");
    let mut errors = non_negative(&spec, &["minReadySeconds"]);
    let (selected, at) = (spec.get("selector"), spec.get("template"));
    if selected.is_empty() {
        errors.push(selected.required(""));
    }
    errors.extend(non_negative(&spec, &["replicas"]));
    if !at.is_set() {
        errors.push(at.required(""));
        return errors;
    }
    let labels = at.get("metadata").get("labels");
    if !selector::map_matches(selected.value, labels.value) {
        let shown = if labels.is_set() {
            labels.value.clone()
        } else {
            json!(null)
        };
        let says = "`selector` does not match template `labels`";
        errors.push(At::new(&shown, labels.path).invalid(says));
    }
    errors.extend(template::template(&at));
    errors.extend(template::always_restarting(&at, "ReplicationController"));
    errors
}
