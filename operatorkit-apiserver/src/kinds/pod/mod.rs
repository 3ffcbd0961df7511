//! `Pod`, and its subresources `binding` and `ephemeralcontainers`.

mod container;
mod env;
mod handler;
mod mount;
pub mod prepare;
mod projected;
pub(super) mod resources;
pub(super) mod scheduling;
mod security;
mod spec;
pub mod subresource;
pub(super) mod template;
mod update;
mod volume;
mod warnings;

pub(super) use volume::{host_path, nfs};
pub(super) use warnings::dns_label as dns_label_warning;

use serde_json::Value;

use super::{edit, strategy::Strategy};
use crate::validation::{At, Errors, number};

/// `Pod`.
pub static POD: Strategy = Strategy {
    names_on_update: true,
    status: true,
    initial_status: r#"{"phase":"Pending"}"#,
    generation: &["spec"],
    defaults: prepare::defaults,
    admit: prepare::admit,
    admit_on_update: true,
    prepare: prepare::create,
    prepare_status: prepare::status,
    validate: create,
    validate_update: Some(update::update),
    validate_status: update::status,
    warn: |new, old| if old.is_none() { warnings::pod(new) } else { Vec::new() },
    ..Strategy::NAMESPACED
};

fn create(object: &Value) -> Errors {
    let mut errors = validate_meta_and_spec(object);
    let spec = At::root(object).get("spec");
    let ephemeral = spec.get("ephemeralContainers");
    if !ephemeral.is_empty() {
        errors.push(ephemeral.forbidden("cannot be set on create"));
    }
    if !spec.get("nodeName").is_empty() && !spec.get("schedulingGates").is_empty() {
        errors.push(
            spec.get("nodeName")
                .forbidden("cannot be set until all schedulingGates have been cleared"),
        );
    }
    errors
}

fn validate_meta_and_spec(object: &Value) -> Errors {
    let root = At::root(object);
    let spec = root.get("spec");
    let mut errors = annotations(&root.get("metadata").get("annotations"), &spec);
    errors.extend(spec::pod_spec(&spec, Some(edit::text(object, &["metadata", "name"]))));
    if spec.get("serviceAccountName").is_empty() {
        for volume in spec.get("volumes").items() {
            for source in volume.get("projected").get("sources").items() {
                let token = source.get("serviceAccountToken");
                if token.is_set() {
                    errors.push(token.forbidden("must not be specified when serviceAccountName is not set"));
                }
            }
        }
    }
    errors.extend(number::non_negative(&spec.get("terminationGracePeriodSeconds")));
    for list in ["containers", "initContainers"] {
        errors.extend(spec.get(list).items().filter_map(|it| container::image_spaces(&it)));
    }
    errors
}

/// The annotations that gave containers their profile before there was a field.
fn app_armor(map: &At<'_>, spec: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    for (key, profile) in map.entries() {
        let Some(name) = key.strip_prefix("container.apparmor.security.beta.kubernetes.io/") else {
            continue;
        };
        let has = |list| spec.get(list).items().any(|it| it.get("name").is(name));
        if !["containers", "initContainers", "ephemeralContainers"]
            .into_iter()
            .any(has)
        {
            errors.push(profile.with(&name.into()).invalid("container not found"));
        }
        let text = profile.text();
        let known = matches!(text, "" | "runtime/default" | "unconfined") || text.starts_with("localhost/");
        if !known {
            errors.push(profile.invalid(format!("invalid AppArmor profile name: {text:?}")));
        }
    }
    errors
}

/// The annotations that mean something to a pod.
fn annotations(map: &At<'_>, spec: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    let mirror = map.key("kubernetes.io/config.mirror");
    if mirror.is_set() && spec.get("nodeName").is_empty() {
        errors.push(mirror.invalid("must set spec.nodeName if mirror pod annotation is set"));
    }
    let cost = map.key("controller.kubernetes.io/pod-deletion-cost");
    let well = |text: &str| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        text.parse::<i32>().is_ok() && !text.starts_with('+') && (digits == "0" || !digits.starts_with('0'))
    };
    if cost.is_set() && !well(cost.text()) {
        errors.push(cost.invalid("must be a 32bit integer"));
    }
    errors.extend(app_armor(map, spec));
    errors
}

/// The seconds that a pod gets to end, for a DELETE that asks for `given`; 0: it is gone at once.
pub fn grace_period(pod: &Value, given: Option<i64>) -> i64 {
    let own = edit::get(pod, &["spec", "terminationGracePeriodSeconds"]).as_i64();
    let unbound = edit::text(pod, &["spec", "nodeName"]).is_empty();
    let ended = matches!(edit::text(pod, &["status", "phase"]), "Failed" | "Succeeded");
    match given.or(own).unwrap_or_default() {
        _ if unbound || ended => 0,
        seconds if seconds < 0 => 1,
        seconds => seconds,
    }
}
