//! What may change in a job that is there, and in its status.

use serde_json::{Value, json};

use super::{indexed_name, job_and_selector, spec::valueless};
use crate::{
    kinds::{edit, workload::non_negative},
    validation::{At, Errors, at::same, selector},
};

pub(super) fn update(new: &Value, old: &Value) -> Errors {
    let mut errors = job_and_selector(new);
    let (spec, before) = (At::root(new).get("spec"), At::root(old).get("spec"));
    let (completions, was) = (spec.get("completions"), before.get("completions"));
    if !spec.get("completionMode").is("Indexed") {
        errors.extend(completions.immutable(&was));
    } else if completions.is_set()
        && completions.value != was.value
        && completions.value != spec.get("parallelism").value
    {
        errors.push(completions.invalid("can only be modified in tandem with spec.parallelism"));
    }
    if spec.get("selector").immutable(&before.get("selector")).is_some() {
        errors.push(
            spec.get("selector")
                .invalid_in_order(&selector::ORDER, "field is immutable"),
        );
    }
    errors.extend(template_update(new, old));
    for name in [
        "completionMode",
        "podFailurePolicy",
        "backoffLimitPerIndex",
        "managedBy",
        "successPolicy",
    ] {
        errors.extend(spec.get(name).immutable(&before.get(name)));
    }
    errors.extend(indexed_name(new));
    errors
}

/// The template stays; of a suspended job that does not run, what schedules its pods and their resources may change.
pub(super) fn template_update(new: &Value, old: &Value) -> Errors {
    let path = ["spec", "template"];
    let (now, mut was) = (edit::get(new, &path).clone(), edit::get(old, &path).clone());
    let at = At::root(new).get("spec").get("template");
    let suspended = edit::get(old, &["spec", "suspend"]) == &json!(true);
    let started = !edit::get(old, &["status", "startTime"]).is_null();
    let idle = (!started || is_true(old, "Suspended")) && edit::number(old, &["status", "active"]) == 0;
    if suspended && idle {
        for place in [
            &["metadata", "labels"][..],
            &["metadata", "annotations"],
            &["spec", "nodeSelector"],
            &["spec", "tolerations"],
            &["spec", "schedulingGates"],
            &["spec", "affinity", "nodeAffinity"],
        ] {
            edit::keep(&mut was, &now, place);
        }
        for list in ["containers", "initContainers"] {
            let given = now.get("spec").and_then(|it| it.get(list)?.as_array());
            for (item, now) in edit::items_mut(&mut was, &["spec", list]).zip(given.into_iter().flatten()) {
                edit::keep(item, now, &["resources"]);
            }
        }
        if !same(edit::get(&now, &["spec"]), edit::get(&was, &["spec"])) {
            let spec = at.get("spec");
            return vec![spec.invalid("field is immutable")];
        }
        return Errors::new();
    }
    if same(&now, &was) {
        Errors::new()
    } else {
        vec![at.invalid("field is immutable")]
    }
}

pub(super) fn is_true(job: &Value, kind: &str) -> bool {
    let conditions = At::root(job).get("status").get("conditions");
    conditions
        .items()
        .any(|it| it.get("type").is(kind) && it.get("status").is("True"))
}

pub(super) fn status(new: &Value, old: &Value) -> Errors {
    let status = At::root(new).get("status");
    let before = At::root(old).get("status");
    let mut errors = non_negative(&status, &["active", "succeeded", "failed", "ready", "terminating"]);
    let finished = ["Complete", "Failed"].into_iter().find(|it| is_true(new, it));
    let conditions = status.get("conditions");
    let was_finished = is_true(old, "Complete") || is_true(old, "Failed");
    if let Some(kind) = finished.filter(|_| !was_finished) {
        if status.get("active").number() > 0 {
            errors.push(status.get("active").invalid("active>0 is invalid for finished job"));
        }
        let start = status.get("startTime");
        let empty =
            edit::number(new, &["spec", "completions"]) == 0 && edit::get(new, &["spec", "suspend"]) == &json!(true);
        if !start.is_set() && !empty {
            errors.push(start.required("startTime is required for finished job"));
        }
        if kind == "Complete" && !is_true(new, "SuccessCriteriaMet") {
            errors.push(valueless(
                &conditions,
                "cannot set Complete=True condition without the SuccessCriteriaMet=true condition",
            ));
        }
        if kind == "Failed" && !is_true(new, "FailureTarget") {
            errors.push(valueless(
                &conditions,
                "cannot set Failed=True condition without the FailureTarget=true condition",
            ));
        }
    }
    let completion = status.get("completionTime");
    if completion.is_set() && !is_true(new, "Complete") {
        errors.push(completion.invalid("cannot set completionTime when there is no Complete=True condition"));
    }
    if !completion.is_set() && is_true(new, "Complete") {
        errors.push(completion.required("completionTime is required for Complete jobs"));
    }
    let indexes = status.get("completedIndexes");
    if !indexes.is_empty() && indexes.value != before.get("completedIndexes").value {
        let completions = edit::number(new, &["spec", "completions"]);
        let wrong = indexes_error(indexes.text(), completions);
        errors.extend(wrong.map(|it| indexes.invalid(format!("error parsing completedIndexes: {it}"))));
        if edit::text(new, &["spec", "completionMode"]) != "Indexed" {
            errors.push(indexes.invalid("cannot set non-empty completedIndexes when non-indexed completion mode"));
        }
    }
    if status.get("ready").is_set() && status.get("ready").number() > status.get("active").number() {
        errors.push(status.get("ready").invalid("cannot set more ready pods than active"));
    }
    for kind in ["Failed", "Complete", "FailureTarget"] {
        if is_true(old, kind) && !is_true(new, kind) {
            errors.push(valueless(
                &conditions,
                &format!("cannot disable the terminal {kind}=True condition"),
            ));
        }
    }
    for name in ["failed", "succeeded"] {
        if status.get(name).number() < before.get(name).number() {
            errors.push(status.get(name).invalid(format!("cannot decrease the {name} counter")));
        }
    }
    errors
}

/// What is wrong with `1,3-5`, the indexes of an indexed job.
pub(super) fn indexes_error(text: &str, completions: i64) -> Option<String> {
    let number = |text: &str| -> Result<i64, String> {
        let wrong = format!("cannot convert string to integer for index: {text:?}");
        text.parse::<i64>().map_err(|_| wrong)
    };
    let interval = |text: &str| -> Result<(), String> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let (first, last) = (number(first)?, number(last)?);
        if last >= completions {
            return Err(format!("too large index: {:?}", last.to_string()));
        }
        if first > last {
            return Err(format!("non-increasing order, previous: {first}, current: {last}"));
        }
        Ok(())
    };
    text.split(',').find_map(|it| interval(it).err())
}
