//! Resources: names, requests and limits.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{
    failure::FieldError,
    validation::{At, Errors, Quantity, names},
};

const STANDARD: [&str; 20] = [
    "cpu",
    "memory",
    "ephemeral-storage",
    "requests.cpu",
    "requests.memory",
    "requests.ephemeral-storage",
    "limits.cpu",
    "limits.memory",
    "limits.ephemeral-storage",
    "pods",
    "resourcequotas",
    "services",
    "replicationcontrollers",
    "secrets",
    "configmaps",
    "persistentvolumeclaims",
    "storage",
    "requests.storage",
    "services.nodeports",
    "services.loadbalancers",
];
const COUNTED: [&str; 9] = [
    "pods",
    "resourcequotas",
    "services",
    "replicationcontrollers",
    "secrets",
    "configmaps",
    "persistentvolumeclaims",
    "services.nodeports",
    "services.loadbalancers",
];

fn is_huge_page(name: &str) -> bool {
    name.starts_with("hugepages-")
}

fn is_quota_huge_page(name: &str) -> bool {
    is_huge_page(name) || name.starts_with("requests.hugepages-")
}

/// Without a domain, or of `kubernetes.io`.
pub(in crate::kinds) fn is_native(name: &str) -> bool {
    !name.contains('/') || name.contains("kubernetes.io/")
}

fn is_extended(name: &str) -> bool {
    !is_native(name) && !name.starts_with("requests.") && names::qualified_name(&format!("requests.{name}")).is_empty()
}

fn as_value(name: &str) -> Value {
    Value::from(name)
}

/// The name of a resource: a standard one, or one with a domain.
pub(in crate::kinds) fn resource_name(name: &str, at: &At<'_>) -> Errors {
    let value = as_value(name);
    let at = At::new(&value, at.path.clone());
    let errors = at.all_invalid(names::qualified_name(name));
    if errors.is_empty() && !name.contains('/') && !STANDARD.contains(&name) && !is_quota_huge_page(name) {
        return vec![at.invalid("must be a standard resource type or fully qualified")];
    }
    errors
}

/// The name of a resource of a container.
pub(in crate::kinds) fn container_resource_name(name: &str, at: &At<'_>) -> Errors {
    let mut errors = resource_name(name, at);
    let value = as_value(name);
    let at = At::new(&value, at.path.clone());
    if !name.contains('/') {
        if !matches!(name, "cpu" | "memory" | "ephemeral-storage") && !is_huge_page(name) {
            errors.push(at.invalid("must be a standard resource for containers"));
        }
    } else if !is_native(name) && !is_extended(name) {
        errors.push(at.invalid("doesn't follow extended resource name standard"));
    }
    errors
}

/// The name of a resource of a quota.
pub(in crate::kinds) fn quota_resource_name(name: &str, at: &At<'_>) -> Errors {
    let mut errors = resource_name(name, at);
    let standard = STANDARD.contains(&name) && name != "storage" || is_quota_huge_page(name);
    if !name.contains('/') && !standard {
        let value = as_value(name);
        errors.push(At::new(&value, at.path.clone()).invalid("must be a standard resource for quota"));
    }
    errors
}

/// A quantity of a resource: not negative, and whole where it is counted.
pub(in crate::kinds) fn quantity(name: &str, at: &At<'_>) -> Errors {
    let quantity = Quantity::of(at.value);
    let mut errors = Errors::new();
    let text = as_value(quantity.as_str());
    let shown = At::new(&text, at.path.clone());
    if quantity.is_negative() {
        errors.push(shown.invalid("must be greater than or equal to 0"));
    }
    if (COUNTED.contains(&name) || is_extended(name)) && !quantity.is_integer() {
        errors.push(shown.invalid("must be an integer"));
    }
    errors
}

/// `resources` of a container; `claims` are the names of the pod's resource claims.
pub(super) fn requirements(at: &At<'_>, claims: &BTreeSet<&str>) -> Errors {
    let (limits, requests) = (at.get("limits"), at.get("requests"));
    let mut errors = Errors::new();
    let (mut compute, mut huge) = (false, false);
    for (name, limit) in limits.entries() {
        errors.extend(container_resource_name(name, &limit));
        errors.extend(quantity(name, &limit));
        huge |= is_huge_page(name);
        compute |= matches!(name, "cpu" | "memory");
    }
    for (name, request) in requests.entries() {
        errors.extend(container_resource_name(name, &request));
        errors.extend(quantity(name, &request));
        errors.extend(against_limit(name, &request, &requests, &limits));
        huge |= is_huge_page(name);
        compute |= matches!(name, "cpu" | "memory");
    }
    if huge && !compute {
        errors.push(at.forbidden("HugePages require cpu or memory"));
    }
    errors.extend(claim_names(&at.get("claims"), claims));
    errors
}

fn against_limit(name: &str, request: &At<'_>, requests: &At<'_>, limits: &At<'_>) -> Option<FieldError> {
    let overcommit = is_native(name) && !is_huge_page(name);
    let limit = limits.value.get(name);
    let Some(limit) = limit else {
        let says = "Limit must be set for non overcommitable resources";
        return (!overcommit).then(|| limits.required(says));
    };
    let (asked, limit) = (Quantity::of(request.value), Quantity::of(limit));
    let relation = if !overcommit && asked != limit {
        "equal to"
    } else if asked > limit {
        "less than or equal to"
    } else {
        return None;
    };
    let shown = as_value(asked.as_str());
    let detail = format!("must be {relation} {name} limit of {}", limit.as_str());
    Some(At::new(&shown, requests.path.clone()).invalid(detail))
}

fn claim_names(list: &At<'_>, claims: &BTreeSet<&str>) -> Errors {
    let (mut errors, mut seen) = (Errors::new(), BTreeSet::new());
    for item in list.items() {
        let name = item.get("name");
        let at = name.placed(item.path.clone());
        if name.is_empty() {
            errors.push(at.required(""));
            continue;
        }
        if !seen.insert((name.text(), item.get("request").text())) {
            errors.push(at.duplicate());
        }
        if !claims.contains(name.text()) {
            let mut error = at.not_found();
            let known: Vec<_> = claims.iter().copied().collect();
            error.body += ": must be one of the names in pod.spec.resourceClaims";
            let listed = if known.is_empty() {
                " which is empty".to_owned()
            } else {
                format!(": {}", known.join(", "))
            };
            error.body += &listed;
            errors.push(error);
        }
    }
    errors
}
