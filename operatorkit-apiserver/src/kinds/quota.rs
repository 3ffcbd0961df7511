//! `ResourceQuota` and `LimitRange`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::{edit, pod::resources, strategy::Strategy};
use crate::validation::{At, Errors, Quantity, names};

/// `ResourceQuota`.
pub static RESOURCE_QUOTA: Strategy = Strategy {
    status: true,
    validate: |object| {
        let spec = At::root(object).get("spec");
        let mut errors = hard(&spec.get("hard"));
        errors.extend(scopes(&spec));
        errors
    },
    validate_update: Some(|new, old| {
        let (spec, before) = (At::root(new).get("spec"), At::root(old).get("spec"));
        let mut errors = hard(&spec.get("hard"));
        errors.extend(scopes(&spec));
        let set = |at: &At<'_>| {
            at.get("scopes")
                .items()
                .map(|it| it.text().to_owned())
                .collect::<BTreeSet<_>>()
        };
        if set(&spec) != set(&before) {
            errors.push(spec.get("scopes").invalid("field is immutable"));
        }
        errors
    }),
    validate_status: |new, _| {
        let status = At::root(new).get("status");
        let mut errors = hard(&status.get("hard"));
        errors.extend(hard(&status.get("used")));
        errors
    },
    ..Strategy::NAMESPACED
};

/// `LimitRange`.
pub static LIMIT_RANGE: Strategy = Strategy {
    create_on_update: true,
    defaults: limit_defaults,
    validate: limit_range,
    ..Strategy::NAMESPACED
};

fn hard(map: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    for (name, at) in map.entries() {
        errors.extend(resources::quota_resource_name(name, &at));
        errors.extend(resources::quantity(name, &at));
    }
    errors
}

fn scopes(spec: &At<'_>) -> Errors {
    let list = spec.get("scopes");
    let known = [
        "Terminating",
        "NotTerminating",
        "BestEffort",
        "NotBestEffort",
        "PriorityClass",
        "CrossNamespacePodAffinity",
        "VolumeAttributesClass",
    ];
    let mut errors = Errors::new();
    errors.extend(
        list.items()
            .filter(|it| !it.is_any(&known))
            .map(|_| list.invalid("unsupported scope")),
    );
    let has = |name: &str| list.items().any(|it| it.is(name));
    for (one, other) in [("BestEffort", "NotBestEffort"), ("Terminating", "NotTerminating")] {
        if has(one) && has(other) {
            errors.push(list.invalid("conflicting scopes"));
        }
    }
    errors
}

fn limit_defaults(object: &mut Value) {
    for limit in edit::items_mut(object, &["spec", "limits"]) {
        if edit::text(limit, &["type"]) != "Container" {
            continue;
        }
        for (from, to) in [
            ("max", "default"),
            ("default", "defaultRequest"),
            ("min", "defaultRequest"),
        ] {
            let known = edit::get(limit, &[from]).clone();
            for (name, value) in known.as_object().into_iter().flatten() {
                edit::set_default(limit, &[to, name], value.clone());
            }
        }
    }
}

fn limit_range(object: &Value) -> Errors {
    let (mut errors, mut seen) = (Errors::new(), BTreeSet::new());
    for limit in At::root(object).get("spec").get("limits").items() {
        let kind = limit.get("type");
        let standard = kind.is_any(&["Pod", "Container", "PersistentVolumeClaim"]);
        let wrong = names::qualified_name(kind.text());
        if wrong.is_empty() && !kind.text().contains('/') && !standard {
            errors.push(kind.invalid("must be a standard limit type or fully qualified"));
        }
        errors.extend(kind.all_invalid(wrong));
        if !seen.insert(kind.text()) {
            errors.push(kind.duplicate());
        }
        errors.extend(one_limit(&limit));
    }
    errors
}

fn one_limit(limit: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    let is_pod = limit.get("type").is("Pod");
    let of_container = limit.get("type").is_any(&["Pod", "Container"]);
    let mut values: BTreeMap<&str, BTreeMap<&str, Quantity>> = BTreeMap::new();
    for list in ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"] {
        let map = limit.get(list);
        if is_pod && list.starts_with("default") {
            if !map.is_empty() {
                errors.push(map.forbidden("may not be specified when `type` is 'Pod'"));
            }
            continue;
        }
        for (name, at) in map.entries() {
            errors.extend(if of_container {
                resources::container_resource_name(name, &at)
            } else {
                resources::resource_name(name, &at)
            });
            values.entry(name).or_default().insert(list, Quantity::of(at.value));
        }
    }
    for (name, known) in &values {
        let pairs = [
            ("min", "min", "max", "max"),
            ("defaultRequest", "min", "defaultRequest", "default request"),
            ("defaultRequest", "defaultRequest", "max", "max"),
            ("defaultRequest", "defaultRequest", "default", "default limit"),
            ("default", "min", "default", "default"),
            ("max", "default", "max", "max"),
        ];
        for (index, (field, low, high, _)) in pairs.iter().enumerate() {
            let (Some(lower), Some(upper)) = (known.get(low), known.get(high)) else {
                continue;
            };
            if lower <= upper {
                continue;
            }
            let (low_text, high_text) = (lower.as_str(), upper.as_str());
            let detail = match index {
                0 => format!("min value {low_text} is greater than max value {high_text}"),
                1 => format!("min value {low_text} is greater than default request value {high_text}"),
                2 => format!("default request value {low_text} is greater than max value {high_text}"),
                3 => format!("default request value {low_text} is greater than default limit value {high_text}"),
                4 => format!("min value {low_text} is greater than default value {high_text}"),
                _ => format!("default value {low_text} is greater than max value {high_text}"),
            };
            let shown = if index == 1 { high_text } else { low_text };
            let field = if index == 5 { "default" } else { field };
            errors.push(limit.get(field).key(name).with(&json!(shown)).invalid(detail));
        }
    }
    errors
}
