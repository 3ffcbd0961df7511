//! What may change in a pod that is there.

use serde_json::Value;

use super::{container, scheduling, validate_meta_and_spec};
use crate::{
    kinds::{difference, edit},
    validation::{At, Errors, address, at::same, names},
};

const UPDATABLE: &str = "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,\
    `spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),\
    `spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";
const MIRROR: &str = "kubernetes.io/config.mirror";

/// What is wrong with an update of a pod.
pub(super) fn update(new: &Value, old: &Value) -> Errors {
    let mut errors = validate_meta_and_spec(new);
    errors.extend(annotations(new, old));
    let (spec, old_spec) = (At::root(new).get("spec"), At::root(old).get("spec"));
    for name in ["containers", "initContainers"] {
        let (list, before) = (spec.get(name), old_spec.get(name));
        if list.len() != before.len() {
            errors.push(list.forbidden("pod updates may not add or remove containers"));
            return errors;
        }
        for item in list.items() {
            let image = item.get("image");
            if image.is_empty() {
                errors.push(image.required(""));
            }
            errors.extend(container::image_spaces(&item));
        }
    }
    let (deadline, before) = (spec.get("activeDeadlineSeconds"), old_spec.get("activeDeadlineSeconds"));
    match (deadline.int(), before.int()) {
        (Some(now), _) if !(0..=i64::from(i32::MAX)).contains(&now) => {
            errors.push(deadline.invalid("must be between 0 and 2147483647, inclusive"));
            return errors;
        }
        (Some(now), Some(was)) if was < now => {
            errors.push(deadline.invalid("must be less than or equal to previous value"));
            return errors;
        }
        (None, Some(_)) => errors.push(deadline.invalid("must not update from a positive integer to nil value")),
        _ => {}
    }
    errors.extend(tolerations(&spec.get("tolerations"), &old_spec.get("tolerations")));
    errors.extend(gates(&spec.get("schedulingGates"), &old_spec.get("schedulingGates")));
    errors.extend(others(new, old));
    errors
}

fn annotations(new: &Value, old: &Value) -> Errors {
    let at = |object| At::root(object).get("metadata").get("annotations").key(MIRROR);
    let (now, was) = (at(new), at(old));
    if now.value == was.value {
        return Errors::new();
    }
    let what = if was.is_set() { "remove or update" } else { "add" };
    vec![now.forbidden(format!("may not {what} mirror pod annotation"))]
}

fn tolerations(new: &At<'_>, old: &At<'_>) -> Errors {
    let alike = |one: &Value, other: &Value| {
        let without = |it: &Value| {
            let mut it = it.clone();
            edit::remove(&mut it, &["tolerationSeconds"]);
            it
        };
        same(&without(one), &without(other))
    };
    for item in old.items() {
        if !new.items().any(|it| alike(it.value, item.value)) {
            return vec![new.forbidden("existing toleration can not be modified except its tolerationSeconds")];
        }
    }
    scheduling::tolerations(new)
}

fn gates(new: &At<'_>, old: &At<'_>) -> Errors {
    let known: Vec<_> = old.items().map(|it| it.get("name").text()).collect();
    let added = new
        .items()
        .map(|it| it.get("name"))
        .filter(|it| !known.contains(&it.text()));
    let says = "only deletion is allowed, but found new scheduling gate";
    added
        .map(|it| it.forbidden(format!("{says} '{}'", it.text())))
        .collect()
}

/// All other fields stay. The real server shows the difference of its Go structs; this one names the fields.
fn others(new: &Value, old: &Value) -> Errors {
    let mut new_spec = edit::get(new, &["spec"]).clone();
    let old_spec = edit::get(old, &["spec"]);
    for list in ["containers", "initContainers"] {
        let before = old_spec.get(list).and_then(Value::as_array);
        for (item, was) in edit::items_mut(&mut new_spec, &[list]).zip(before.into_iter().flatten()) {
            edit::keep(item, was, &["image"]);
        }
    }
    for name in ["activeDeadlineSeconds", "schedulingGates", "tolerations"] {
        edit::keep(&mut new_spec, old_spec, &[name]);
    }
    let grace = "terminationGracePeriodSeconds";
    if edit::number(old_spec, &[grace]) < 0 && edit::number(&new_spec, &[grace]) == 1 {
        edit::keep(&mut new_spec, old_spec, &[grace]);
    }
    if !At::root(old_spec).get("schedulingGates").is_empty() {
        gated(&mut new_spec, old_spec);
    }
    if same(&new_spec, old_spec) {
        return Errors::new();
    }
    let detail = format!("{UPDATABLE}\n{}", difference(old_spec, &new_spec));
    vec![At::root(new).get("spec").forbidden(detail)]
}

/// A gated pod may get more node selectors.
fn gated(new: &mut Value, old: &Value) {
    let only_added = At::root(old)
        .get("nodeSelector")
        .entries()
        .all(|(key, value)| new.get("nodeSelector").and_then(|it| it.get(key)) == Some(value.value));
    if only_added {
        edit::keep(new, old, &["nodeSelector"]);
    }
}

/// What is wrong with an update of a pod's status.
pub(super) fn status(new: &Value, old: &Value) -> Errors {
    let mut errors = annotations(new, old);
    let (status, before) = (At::root(new).get("status"), At::root(old).get("status"));
    for condition in status.get("conditions").items() {
        let kind = condition.get("type");
        let known = ["PodScheduled", "Ready", "Initialized", "ContainersReady"];
        if !kind.is_any(&known) && !kind.text().contains('/') {
            continue;
        }
        errors.extend(kind.all_invalid(names::qualified_name(kind.text())));
    }
    let nominated = status.get("nominatedNodeName");
    if !nominated.is_empty() && nominated.value != before.get("nominatedNodeName").value {
        errors.extend(nominated.all_invalid(names::dns_subdomain(nominated.text())));
    }
    errors.extend(status.get("qosClass").immutable(&before.get("qosClass")));
    errors.extend(restarts(old, &status, &before));
    errors.extend(ips(&status, &before));
    errors
}

/// Containers of a pod that does not restart them stay terminated.
fn restarts(old: &Value, status: &At<'_>, before: &At<'_>) -> Errors {
    let policy = edit::text(old, &["spec", "restartPolicy"]);
    let mut errors = Errors::new();
    if policy == "Always" {
        return errors;
    }
    for name in ["containerStatuses", "initContainerStatuses"] {
        let now = status.get(name);
        for item in before.get(name).items() {
            let ended = item.get("state").get("terminated");
            if !ended.is_set() || policy == "OnFailure" && ended.get("exitCode").number() != 0 {
                continue;
            }
            let alive = |it: &At<'_>| {
                it.get("name").value == item.get("name").value && !it.get("state").get("terminated").is_set()
            };
            if now.items().any(|it| alive(&it)) {
                errors.push(
                    item.get("state")
                        .forbidden("may not be transitioned to non-terminated state"),
                );
            }
        }
    }
    errors
}

fn ips(status: &At<'_>, before: &At<'_>) -> Errors {
    let list = status.get("podIPs");
    let previous = before.get("podIPs");
    let known: Vec<_> = previous.items().map(|it| it.get("ip").text()).collect();
    let mut errors = Errors::new();
    for item in list.items() {
        errors.extend(address::legacy_ip(&item.get("ip").placed(item.path.clone()), &known));
    }
    let (single, first) = (status.get("podIP"), list.items().next().map(|it| it.get("ip")));
    match first {
        Some(first) if !single.is_empty() && !first.is(single.text()) => {
            errors.push(first.invalid("must be equal to `podIP`"));
        }
        first if first.is_some() == single.is_empty() => {
            errors.push(list.invalid("podIP and podIPs must either both be set or both be unset"));
        }
        _ => {}
    }
    errors
}
