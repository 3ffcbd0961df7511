//! What is wrong with a `JobSpec`.

use std::collections::BTreeSet;

use serde_json::json;

use crate::{
    failure::FieldError,
    kinds::{network::domain_prefixed_path, pod::template, workload::non_negative},
    validation::{At, Errors, names},
};

pub(super) fn job_spec(spec: &At<'_>) -> Errors {
    let mut errors = non_negative(
        spec,
        &[
            "parallelism",
            "completions",
            "activeDeadlineSeconds",
            "backoffLimit",
            "ttlSecondsAfterFinished",
            "backoffLimitPerIndex",
            "maxFailedIndexes",
        ],
    );
    let (per_index, max_failed) = (spec.get("backoffLimitPerIndex"), spec.get("maxFailedIndexes"));
    if max_failed.is_set() && !per_index.is_set() {
        errors.push(per_index.required("when maxFailedIndexes is specified"));
    }
    errors.extend(managed_by(&spec.get("managedBy")));
    let (mode, completions) = (spec.get("completionMode"), spec.get("completions"));
    if mode.is_set() && !mode.is_any(&["NonIndexed", "Indexed"]) {
        errors.push(mode.not_supported(&["NonIndexed", "Indexed"]));
    }
    if mode.is("Indexed") {
        if !completions.is_set() {
            errors.push(completions.required("when completion mode is Indexed"));
        }
        let parallelism = spec.get("parallelism");
        if parallelism.number() > 100_000 {
            errors.push(parallelism.invalid("must be less than or equal to 100000 when completion mode is Indexed"));
        }
        if completions.int().is_some_and(|it| max_failed.number() > it) {
            errors.push(max_failed.invalid("must be less than or equal to completions"));
        }
    } else if !mode.is_set() || mode.is("NonIndexed") {
        for at in [&per_index, &max_failed].into_iter().filter(|it| it.is_set()) {
            errors.push(at.invalid("requires indexed completion mode"));
        }
    }
    errors.extend(failure_policy(spec));
    errors.extend(success_policy(spec));
    let replacement = spec.get("podReplacementPolicy");
    let known: &[&str] = if spec.get("podFailurePolicy").is_set() {
        &["Failed"]
    } else {
        &["Failed", "TerminatingOrFailed"]
    };
    if replacement.is_set() && !replacement.is_any(known) {
        errors.push(replacement.not_supported(known));
    }
    errors.extend(template::template(&spec.get("template")));
    let restart = spec.get("template").get("spec").get("restartPolicy");
    match restart.text() {
        "" | "Always" => errors.push(restart.required("valid values: \"OnFailure\", \"Never\"")),
        "OnFailure" if spec.get("podFailurePolicy").is_set() => {
            errors.push(restart.invalid("only \"Never\" is supported when podFailurePolicy is specified"));
        }
        "Never" | "OnFailure" => {}
        _ => errors.push(restart.not_supported(&["OnFailure", "Never"])),
    }
    errors
}

pub(super) fn managed_by(at: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    if !at.is_set() {
        return errors;
    }
    errors.extend(domain_prefixed_path(at));
    if at.text().len() > 63 {
        errors.push(FieldError::too_long(&at.path, 63));
    }
    errors
}

pub(super) fn failure_policy(spec: &At<'_>) -> Errors {
    let rules = spec.get("podFailurePolicy").get("rules");
    let mut errors = Errors::new();
    if rules.len() > 20 {
        errors.push(FieldError::too_many(&rules.path, rules.len(), 20));
    }
    let actions = ["Count", "FailIndex", "FailJob", "Ignore"];
    for rule in rules.items() {
        let action = rule.get("action");
        if action.is_empty() {
            errors.push(action.required("valid values: [\"Count\" \"FailIndex\" \"FailJob\" \"Ignore\"]"));
        } else if action.is("FailIndex") && !spec.get("backoffLimitPerIndex").is_set() {
            errors.push(action.invalid("requires the backoffLimitPerIndex to be set"));
        } else if !action.is_any(&actions) {
            errors.push(action.not_supported(&actions));
        }
        let (codes, conditions) = (rule.get("onExitCodes"), rule.get("onPodConditions"));
        if codes.is_set() {
            errors.extend(exit_codes(&codes, spec));
        }
        for condition in conditions.items() {
            let (kind, status) = (condition.get("type"), condition.get("status"));
            errors.extend(kind.all_invalid(names::qualified_name(kind.text())));
            if status.is_empty() {
                errors.push(status.required("valid values: [\"False\" \"True\" \"Unknown\"]"));
            } else if !status.is_any(&["False", "True", "Unknown"]) {
                errors.push(status.not_supported(&["False", "True", "Unknown"]));
            }
        }
        let says = match (codes.is_set(), conditions.is_empty()) {
            (true, false) => "specifying both OnExitCodes and OnPodConditions is not supported",
            (false, true) => "specifying one of OnExitCodes and OnPodConditions is required",
            _ => continue,
        };
        errors.push(valueless(&rule, says));
    }
    errors
}

/// `Invalid value: <detail>`, where the real server leaves the value out.
pub(super) fn valueless(at: &At<'_>, detail: &str) -> FieldError {
    let mut error = at.invalid("");
    error.body = format!("Invalid value: {detail}");
    error
}

pub(super) fn exit_codes(codes: &At<'_>, spec: &At<'_>) -> Errors {
    let (operator, name, values) = (codes.get("operator"), codes.get("containerName"), codes.get("values"));
    let mut errors = Errors::new();
    if operator.is_empty() {
        errors.push(operator.required("valid values: [\"In\" \"NotIn\"]"));
    } else if !operator.is_any(&["In", "NotIn"]) {
        errors.push(operator.not_supported(&["In", "NotIn"]));
    }
    let pod = spec.get("template").get("spec");
    let known = |list: &str| pod.get(list).items().any(|it| it.get("name").value == name.value);
    if name.is_set() && !known("containers") && !known("initContainers") {
        errors.push(name.invalid("must be one of the container or initContainer names in the pod template"));
    }
    if values.is_empty() {
        errors.push(values.invalid("at least one value is required"));
    } else if values.len() > 255 {
        errors.push(FieldError::too_many(&values.path, values.len(), 255));
    }
    let mut seen = BTreeSet::new();
    for value in values.items() {
        if operator.is("In") && value.int() == Some(0) {
            errors.push(value.invalid("must not be 0 for the In operator"));
        }
        if !seen.insert(value.number()) {
            errors.push(value.duplicate());
        }
    }
    if !values.items().map(|it| it.number()).is_sorted() {
        errors.push(values.invalid("must be ordered"));
    }
    errors
}

pub(super) fn success_policy(spec: &At<'_>) -> Errors {
    let policy = spec.get("successPolicy");
    let mut errors = Errors::new();
    if !policy.is_set() {
        return errors;
    }
    if !spec.get("completionMode").is("Indexed") {
        let shown = json!({"Rules": policy.get("rules").value});
        return vec![At::new(&shown, policy.path).invalid("requires indexed completion mode")];
    }
    let rules = policy.get("rules");
    if rules.is_empty() {
        errors.push(rules.required("at least one rules must be specified when the successPolicy is specified"));
    }
    if rules.len() > 20 {
        errors.push(FieldError::too_many(&rules.path, rules.len(), 20));
    }
    for rule in rules.items() {
        let (count, indexes) = (rule.get("succeededCount"), rule.get("succeededIndexes"));
        if !count.is_set() && !indexes.is_set() {
            errors.push(rule.required("at least one of succeededCount or succeededIndexes must be specified"));
        }
        errors.extend(non_negative(&rule, &["succeededCount"]));
        let completions = spec.get("completions").number();
        if count.number() > completions {
            let says = format!("must be less than or equal to {completions} (the number of specified completions)");
            errors.push(count.invalid(says));
        }
    }
    errors
}
