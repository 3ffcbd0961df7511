//! Where a pod may run: affinity, tolerations, spreading.

use serde_json::Value;

use crate::{
    failure::FieldError,
    validation::{At, Errors, names, number, selector},
};

const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED: &str = "preferredDuringSchedulingIgnoredDuringExecution";

/// `affinity`.
pub(super) fn affinity(at: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    let node = at.get("nodeAffinity");
    let required = node.get(REQUIRED);
    if required.is_set() {
        errors.extend(node_selector(&required));
    }
    for term in node.get(PREFERRED).items() {
        errors.extend(weight(&term));
        errors.extend(node_term(&term.get("preference"), false));
    }
    for name in ["podAffinity", "podAntiAffinity"] {
        let pods = at.get(name);
        errors.extend(pods.get(REQUIRED).items().flat_map(|it| pod_term(&it)));
        for term in pods.get(PREFERRED).items() {
            errors.extend(weight(&term));
            errors.extend(pod_term(&term.get("podAffinityTerm")));
        }
    }
    errors
}

fn weight(term: &At<'_>) -> Option<FieldError> {
    let weight = term.get("weight");
    let wrong = !(1..=100).contains(&weight.number());
    wrong.then(|| weight.invalid("must be in the range 1-100"))
}

/// A `NodeSelector`.
pub(in crate::kinds) fn node_selector(at: &At<'_>) -> Errors {
    let terms = at.get("nodeSelectorTerms");
    if terms.is_empty() {
        return vec![terms.required("must have at least one node selector term")];
    }
    terms.items().flat_map(|it| node_term(&it, true)).collect()
}

fn node_term(term: &At<'_>, check_values: bool) -> Errors {
    let mut errors = Errors::new();
    for item in term.get("matchExpressions").items() {
        let (key, operator, values) = (item.get("key"), item.get("operator"), item.get("values"));
        match operator.text() {
            "In" | "NotIn" if values.is_empty() => {
                errors.push(values.required("must be specified when `operator` is 'In' or 'NotIn'"));
            }
            "Exists" | "DoesNotExist" if !values.is_empty() => {
                errors.push(values.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
            }
            "Gt" | "Lt" if values.len() != 1 => {
                errors.push(values.required("must be specified single value when `operator` is 'Lt' or 'Gt'"));
            }
            "In" | "NotIn" | "Exists" | "DoesNotExist" | "Gt" | "Lt" => {}
            _ => errors.extend(operator.all_invalid(["not a valid selector operator"])),
        }
        errors.extend(key.all_invalid(names::qualified_name(key.text())));
        if check_values {
            errors.extend(
                values
                    .items()
                    .flat_map(|it| it.all_invalid(names::label_value(it.text()))),
            );
        }
    }
    for item in term.get("matchFields").items() {
        let (key, operator, values) = (item.get("key"), item.get("operator"), item.get("values"));
        if !operator.is_any(&["In", "NotIn"]) {
            errors.extend(operator.all_invalid(["not a valid selector operator"]));
        } else if values.len() != 1 {
            let says = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
            errors.push(values.required(says));
        }
        if key.is("metadata.name") {
            errors.extend(
                values
                    .items()
                    .flat_map(|it| it.all_invalid(names::dns_subdomain(it.text()))),
            );
        } else {
            errors.extend(key.all_invalid(["not a valid field selector key"]));
        }
    }
    errors
}

fn pod_term(term: &At<'_>) -> Errors {
    let labels = term.get("labelSelector");
    let mut errors = selector::label_selector(&labels);
    errors.extend(selector::label_selector(&term.get("namespaceSelector")));
    for name in term.get("namespaces").items() {
        let at = name.placed(term.path.child("namespace"));
        errors.extend(at.all_invalid(names::dns_label(at.text())));
    }
    errors.extend(label_keys(term, &labels));
    let key = term.get("topologyKey");
    if key.is_empty() {
        errors.push(key.required("can not be empty"));
    }
    errors.extend(key.all_invalid(names::qualified_name(key.text())));
    errors
}

fn label_keys(term: &At<'_>, labels: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    for name in ["matchLabelKeys", "mismatchLabelKeys"] {
        let keys = term.get(name);
        if !keys.is_empty() && !labels.is_set() {
            errors.push(keys.forbidden("must not be specified when labelSelector is not set"));
            continue;
        }
        errors.extend(
            keys.items()
                .flat_map(|it| it.all_invalid(names::qualified_name(it.text()))),
        );
    }
    let mismatch = term.get("mismatchLabelKeys");
    for key in term.get("matchLabelKeys").items() {
        if mismatch.items().any(|it| it.value == key.value) {
            errors.push(key.invalid("exists in both matchLabelKeys and mismatchLabelKeys"));
        }
    }
    errors
}

/// `tolerations`.
pub(in crate::kinds) fn tolerations(list: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    for item in list.items() {
        let (key, operator, value) = (item.get("key"), item.get("operator"), item.get("value"));
        let effect = item.get("effect");
        if !key.is_empty() {
            errors.extend(key.all_invalid(names::qualified_name(key.text())));
        }
        if key.is_empty() && !operator.is("Exists") {
            let says = "operator must be Exists when `key` is empty, which means \"match all values and all keys\"";
            errors.extend(operator.all_invalid([says]));
        }
        if item.get("tolerationSeconds").is_set() && !effect.is("NoExecute") {
            errors.extend(effect.all_invalid(["effect must be 'NoExecute' when `tolerationSeconds` is set"]));
        }
        let at = value.placed(operator.path.clone());
        match operator.text() {
            "" | "Equal" => {
                let wrong = names::label_value(value.text());
                if !wrong.is_empty() {
                    errors.push(at.invalid(wrong.join(";")));
                }
            }
            "Exists" if !value.is_empty() => {
                errors.push(at.invalid("value must be empty when `operator` is 'Exists'"));
            }
            "Exists" => {}
            "Lt" | "Gt" => {
                if value.text().parse::<i64>().is_err() {
                    let shown = value.text();
                    let detail = format!("strconv.ParseInt: parsing {shown:?}: invalid syntax");
                    errors.extend(value.all_invalid([detail]));
                }
            }
            _ => errors.push(operator.not_supported(&["Equal", "Exists"])),
        }
        if !effect.is_empty() {
            errors.extend(taint_effect(&effect));
        }
    }
    errors
}

/// The effect of a taint.
pub(in crate::kinds) fn taint_effect(effect: &At<'_>) -> Option<FieldError> {
    let known = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
    if effect.is_empty() {
        return Some(effect.required(""));
    }
    (!effect.is_any(&known)).then(|| effect.not_supported(&known))
}

/// `topologySpreadConstraints`.
pub(super) fn spread(list: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    let items: Vec<_> = list.items().collect();
    for (index, item) in items.iter().enumerate() {
        errors.extend(number::positive(&item.get("maxSkew")));
        let (key, when) = (item.get("topologyKey"), item.get("whenUnsatisfiable"));
        if key.is_empty() {
            errors.push(key.required("can not be empty"));
        }
        if !when.is_any(&["DoNotSchedule", "ScheduleAnyway"]) {
            errors.push(when.not_supported(&["DoNotSchedule", "ScheduleAnyway"]));
        }
        let again = |it: &At<'_>| it.get("topologyKey").is(key.text()) && it.get("whenUnsatisfiable").is(when.text());
        if items[index + 1..].iter().any(again) {
            let shown = Value::from(format!("{{{}, {}}}", key.text(), when.text()));
            let path = item.path.child("{topologyKey, whenUnsatisfiable}");
            errors.push(FieldError::duplicate(&path, &shown));
        }
        let domains = item.get("minDomains");
        if domains.is_set() {
            errors.extend(number::positive(&domains));
            if !when.is("DoNotSchedule") {
                let says = "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not";
                errors.push(domains.invalid(format!("{says} {}", when.text())));
            }
        }
        for name in ["nodeAffinityPolicy", "nodeTaintsPolicy"] {
            let policy = item.get(name);
            if policy.is_set() && !policy.is_any(&["Honor", "Ignore"]) {
                errors.push(policy.not_supported(&["Honor", "Ignore"]));
            }
        }
        let labels = item.get("labelSelector");
        errors.extend(label_keys(item, &labels));
        errors.extend(selector::label_selector(&labels));
    }
    errors
}
