//! `Job`.

mod cron;
mod spec;
mod update;

pub use cron::CRON_JOB;

use serde_json::{Value, json};

use super::{
    edit,
    strategy::{Propagation, Strategy},
    workload::template_warnings,
};
use crate::{
    failure::FieldError,
    validation::{At, Errors, names, selector},
};

const JOB_NAME: [&str; 2] = ["job-name", "batch.kubernetes.io/job-name"];
const CONTROLLER_UID: [&str; 2] = ["controller-uid", "batch.kubernetes.io/controller-uid"];

/// `Job`.
pub static JOB: Strategy = Strategy {
    status: true,
    generation: &["spec"],
    propagation: Propagation::Orphan,
    defaults: |object| {
        edit::items_in(object, &["spec"], spec_defaults);
        let labels = edit::get(object, &["spec", "template", "metadata", "labels"]).clone();
        if labels.is_object() && At::root(object).get("metadata").get("labels").is_empty() {
            edit::set(object, &["metadata", "labels"], labels);
        }
    },
    prepare: generate_selector,
    validate: |object| {
        let mut errors = generated_selector(object);
        errors.extend(job_and_selector(object));
        errors.extend(indexed_name(object));
        errors
    },
    validate_update: Some(update::update),
    validate_status: update::status,
    warn: template_warnings,
    ..Strategy::NAMESPACED
};

fn spec_defaults(spec: &mut Value) {
    cron::template_defaults(spec);
    let none = |spec: &Value, name: &str| edit::get(spec, &[name]).is_null();
    if none(spec, "completions") && none(spec, "parallelism") {
        edit::set(spec, &["completions"], json!(1));
    }
    edit::set_default(spec, &["parallelism"], json!(1));
    let by_index = !none(spec, "backoffLimitPerIndex");
    edit::set_default(spec, &["backoffLimit"], json!(if by_index { i32::MAX } else { 6 }));
    let failure = !none(spec, "podFailurePolicy");
    let policy = if failure { "Failed" } else { "TerminatingOrFailed" };
    edit::set_default(spec, &["podReplacementPolicy"], json!(policy));
    edit::set_default(spec, &["completionMode"], json!("NonIndexed"));
    edit::set_default(spec, &["suspend"], json!(false));
    edit::set_default(spec, &["manualSelector"], json!(false));
}

fn generate_selector(job: &mut Value) {
    if edit::get(job, &["spec", "manualSelector"]) == &json!(true) {
        return;
    }
    let name = edit::get(job, &["metadata", "name"]).clone();
    let uid = edit::get(job, &["metadata", "uid"]).clone();
    for (labels, value) in [(JOB_NAME, &name), (CONTROLLER_UID, &uid)] {
        for label in labels {
            edit::set_default(job, &["spec", "template", "metadata", "labels", label], value.clone());
        }
    }
    edit::set_default(job, &["spec", "selector", "matchLabels", CONTROLLER_UID[1]], uid);
}

/// The labels and the selector that the server made.
fn generated_selector(job: &Value) -> Errors {
    let spec = At::root(job).get("spec");
    let selected = spec.get("selector");
    let mut errors = Errors::new();
    if spec.get("manualSelector").is_true() || !selected.is_set() {
        return errors;
    }
    let labels = spec.get("template").get("metadata").get("labels");
    let (name, uid) = (
        edit::text(job, &["metadata", "name"]),
        edit::text(job, &["metadata", "uid"]),
    );
    let pairs = [
        (CONTROLLER_UID[0], uid),
        (JOB_NAME[0], name),
        (CONTROLLER_UID[1], uid),
        (JOB_NAME[1], name),
    ];
    for (key, value) in pairs {
        let at = labels.key(key);
        if !at.is_set() {
            errors.push(at.required(&format!("must be '{value}'")));
        } else if !at.is(value) {
            errors.push(labels.placed(at.path).invalid(format!("must be '{value}'")));
        }
    }
    let expected: Value = pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), json!(value)))
        .collect::<serde_json::Map<_, _>>()
        .into();
    if selector::matches(&selected, &expected) == Some(false) {
        errors.push(selected.invalid_in_order(&selector::ORDER, "`selector` not auto-generated"));
    }
    errors
}

fn job_and_selector(job: &Value) -> Errors {
    let spec = At::root(job).get("spec");
    let mut errors = spec::job_spec(&spec);
    let selected = spec.get("selector");
    if !selected.is_set() {
        errors.push(selected.required(""));
    }
    errors.extend(selector::label_selector(&selected));
    let labels = spec.get("template").get("metadata").get("labels");
    if selector::matches(&selected, labels.value) == Some(false) {
        errors.push(labels.invalid("`selector` does not match template `labels`"));
    }
    errors
}

fn indexed_name(job: &Value) -> Option<FieldError> {
    let spec = At::root(job).get("spec");
    let completions = spec.get("completions").number();
    if !spec.get("completionMode").is("Indexed") || completions <= 0 {
        return None;
    }
    let name = At::root(job).get("metadata").get("name");
    let host = format!("{}-{}", name.text(), completions - 1);
    let wrong = !names::dns_label(&host).is_empty();
    wrong.then(|| name.invalid(format!("will not able to create pod with invalid DNS label: {host}")))
}
