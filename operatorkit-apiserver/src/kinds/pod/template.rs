//! Pod templates, as the workloads have them.

use serde_json::{Value, json};

use super::{annotations, spec, warnings};
use crate::{
    kinds::edit,
    validation::{At, Errors, meta, selector},
};

/// What is wrong with a `PodTemplateSpec`.
pub(in crate::kinds) fn template(at: &At<'_>) -> Errors {
    let meta = at.get("metadata");
    let (labels, notes) = (meta.get("labels"), meta.get("annotations"));
    let mut errors = selector::labels(&labels.placed(at.path.child("labels")));
    let notes = notes.placed(at.path.child("annotations"));
    errors.extend(meta::annotations(&notes));
    let spec = at.get("spec");
    errors.extend(annotations(&notes, &spec));
    errors.extend(spec::pod_spec(&spec, None));
    let ephemeral = spec.get("ephemeralContainers");
    if !ephemeral.is_empty() {
        errors.push(ephemeral.forbidden("ephemeral containers not allowed in pod template"));
    }
    errors
}

/// What is wrong with the template of a workload whose pods always restart.
pub(in crate::kinds) fn always_restarting(at: &At<'_>, kind: &str) -> Errors {
    let spec = at.get("spec");
    let mut errors = Errors::new();
    let (restart, deadline) = (spec.get("restartPolicy"), spec.get("activeDeadlineSeconds"));
    if !restart.is("Always") {
        errors.push(restart.not_supported(&["Always"]));
    }
    if deadline.is_set() {
        errors.push(deadline.forbidden(format!("activeDeadlineSeconds in {kind} is not Supported")));
    }
    errors
}

/// `selector` must match the labels of the template.
pub(in crate::kinds) fn matches(selected: &At<'_>, at: &At<'_>) -> Errors {
    let labels = at.get("metadata").get("labels");
    let blank = selected.is_set() && selector::is_blank(selected);
    let matches = blank || selector::matches(selected, labels.value) != Some(false);
    let says = "`selector` does not match template `labels`";
    if matches {
        Errors::new()
    } else {
        vec![labels.invalid(says)]
    }
}

/// What a client is told about a template.
pub(in crate::kinds) fn warn(at: &At<'_>) -> Vec<String> {
    warnings::of_spec(at)
}

/// Defaults of a `PodSpec` that depend on other fields.
pub(in crate::kinds) fn spec_defaults(spec: &mut Value) {
    if At::root(spec).get("serviceAccountName").is_empty() {
        edit::keep_own(spec, "serviceAccount", "serviceAccountName");
    }
    edit::keep_own(spec, "serviceAccountName", "serviceAccount");
    for volume in edit::items_mut(spec, &["volumes"]) {
        // A volume without a source is an empty directory.
        if volume.as_object().is_some_and(|it| it.keys().all(|key| key == "name")) {
            edit::set(volume, &["emptyDir"], json!({}));
        }
    }
    for list in ["containers", "initContainers", "ephemeralContainers"] {
        for container in edit::items_mut(spec, &[list]) {
            let policy = if is_latest(edit::text(container, &["image"])) {
                "Always"
            } else {
                "IfNotPresent"
            };
            edit::set_default(container, &["imagePullPolicy"], json!(policy));
        }
    }
}

/// Whether an image has the tag `latest`, or no tag and no digest.
fn is_latest(image: &str) -> bool {
    if image.contains('@') {
        return false;
    }
    match image.rsplit('/').next().unwrap_or_default().split_once(':') {
        Some((_, tag)) => tag == "latest",
        None => true,
    }
}
