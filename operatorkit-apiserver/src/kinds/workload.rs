//! What the workloads share: selectors, numbers of replicas, rolling updates.

use serde_json::{Value, json};

use super::{edit, pod::template};
use crate::{
    failure::FieldError,
    validation::{At, Errors, number, selector},
};

/// The name of a workload, which becomes part of the names of pods.
pub(super) fn warnings(object: &Value, path: &[&str]) -> Vec<String> {
    let mut warnings = super::pod::dns_label_warning(object, "Pod names and hostnames");
    let at = path.iter().fold(At::root(object), |at, name| at.get(name));
    warnings.extend(template::warn(&at));
    warnings
}

/// Warnings of a workload with its template at `spec.template`; those of an update only if the template changes.
pub(super) fn template_warnings(new: &Value, old: Option<&Value>) -> Vec<String> {
    let path = ["spec", "template"];
    match old {
        None => warnings(new, &path),
        Some(old) if edit::get(new, &["metadata", "generation"]) != edit::get(old, &["metadata", "generation"]) => {
            template::warn(&At::root(new).get("spec").get("template"))
        }
        Some(_) => Vec::new(),
    }
}

/// Defaults of the template at `spec.template` that depend on other fields.
pub(super) fn template_defaults(object: &mut Value) {
    edit::items_in(object, &["spec", "template", "spec"], template::spec_defaults);
}

/// A selector that there must be, and that must say something.
pub(super) fn required_selector(at: &At<'_>, kind: &str) -> Errors {
    if !at.is_set() {
        return vec![at.required("")];
    }
    let mut errors = selector::label_selector(at);
    if selector::is_blank(at) {
        errors.push(at.invalid(format!("empty selector is invalid for {kind}")));
    }
    errors
}

/// The template of a workload, against its selector; `broken` is said of a selector that cannot be read.
pub(super) fn selected_template(spec: &At<'_>, kind: &str, broken: &str) -> Errors {
    let (selected, at) = (spec.get("selector"), spec.get("template"));
    if selected.is_set() && !readable(&selected) {
        let shown = selected.invalid_in_order(&selector::ORDER, broken);
        return vec![if broken.is_empty() {
            without_detail(shown)
        } else {
            shown
        }];
    }
    let mut errors = template::matches(&selected, &at);
    errors.extend(template::template(&at));
    errors.extend(template::always_restarting(&at, kind));
    errors
}

fn without_detail(mut error: FieldError) -> FieldError {
    error.body = error.body.trim_end_matches(": ").to_owned();
    error
}

/// Whether Go can make a selector of it.
fn readable(at: &At<'_>) -> bool {
    selector::label_selector(at).is_empty()
}

/// `selector` stays.
pub(super) fn immutable_selector(new: &Value, old: &Value) -> Option<FieldError> {
    let at = |object| At::root(object).get("spec").get("selector");
    let error = at(new).immutable(&at(old));
    error.map(|_| at(new).invalid_in_order(&selector::ORDER, "field is immutable"))
}

/// Numbers that are not negative.
pub(super) fn non_negative(at: &At<'_>, fields: &[&str]) -> Errors {
    fields
        .iter()
        .filter_map(|it| number::non_negative(&at.get(it)))
        .collect()
}

/// Numbers of replicas that are not above another one.
pub(super) fn at_most(status: &At<'_>, fields: &[&str], most: &str, says: &str) -> Errors {
    let most = status.get(most).number();
    let above = fields.iter().map(|it| status.get(it)).filter(|it| it.number() > most);
    let refused = |at: At<'_>| At::new(&at.number().into(), at.path).invalid(format!("cannot be greater than {says}"));
    above.map(refused).collect()
}

/// `collisionCount` does not go down.
pub(super) fn collisions(new: &Value, old: &Value) -> Option<FieldError> {
    let at = |object| At::root(object).get("status").get("collisionCount");
    let (now, was) = (at(new), at(old));
    let shown = json!(now.number());
    let down = was.is_set() && now.number() < was.number();
    down.then(|| At::new(&shown, now.path.clone()).invalid("cannot be decremented"))
}
