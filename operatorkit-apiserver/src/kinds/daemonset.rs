//! `DaemonSet`.

use serde_json::{Value, json};

use super::{
    edit,
    pod::template,
    strategy::Strategy,
    workload::{collisions, immutable_selector, non_negative, template_defaults},
};
use crate::validation::{At, Errors, at::same, number, selector};

/// The number of the template, which API group `apps/v1` keeps in an annotation.
const GENERATION: [&str; 3] = ["metadata", "annotations", "deprecated.daemonset.template.generation"];

/// `DaemonSet`.
pub static DAEMON_SET: Strategy = Strategy {
    status: true,
    initial_status: r#"{"currentNumberScheduled":0,"desiredNumberScheduled":0,"numberMisscheduled":0,"numberReady":0}"#,
    generation: &["spec"],
    defaults: |object| {
        template_defaults(object);
        edit::set_default(object, &["spec", "updateStrategy", "type"], json!("RollingUpdate"));
        if edit::text(object, &["spec", "updateStrategy", "type"]) == "RollingUpdate" {
            for (name, value) in [("maxUnavailable", 1), ("maxSurge", 0)] {
                edit::set_default(object, &["spec", "updateStrategy", "rollingUpdate", name], json!(value));
            }
        }
    },
    prepare: |object| edit::set(object, &GENERATION, json!("1")),
    prepare_update: |new, old| {
        let number: i64 = edit::text(old, &GENERATION).parse().unwrap_or_default();
        let template = ["spec", "template"];
        let changed = !same(edit::get(new, &template), edit::get(old, &template));
        edit::set(new, &GENERATION, json!((number + i64::from(changed)).to_string()));
    },
    validate: daemon_set,
    validate_update: Some(|new, old| {
        let mut errors: Errors = immutable_selector(new, old).into_iter().collect();
        errors.extend(daemon_set(new));
        errors
    }),
    validate_status: |new, old| {
        let fields = [
            "currentNumberScheduled",
            "numberMisscheduled",
            "desiredNumberScheduled",
            "numberReady",
            "observedGeneration",
            "updatedNumberScheduled",
            "numberAvailable",
            "numberUnavailable",
            "collisionCount",
        ];
        let mut errors = non_negative(&At::root(new).get("status"), &fields);
        errors.extend(collisions(new, old));
        errors
    },
    warn: |object, _| template::warn(&At::root(object).get("spec").get("template")),
    ..Strategy::NAMESPACED
};

fn daemon_set(object: &Value) -> Errors {
    let spec = At::root(object).get("spec");
    let (selected, at) = (spec.get("selector"), spec.get("template"));
    let mut errors = Errors::new();
    errors.extend(selector::label_selector(&selected));
    let labels = at.get("metadata").get("labels");
    if selector::matches(&selected, labels.value) == Some(false) {
        errors.push(labels.invalid("`selector` does not match template `labels`"));
    }
    if selected.is_set() && selector::is_blank(&selected) {
        errors.push(selected.invalid("empty selector is invalid for daemonset"));
    }
    errors.extend(template::template(&at));
    errors.extend(template::always_restarting(&at, "DaemonSet"));
    errors.extend(non_negative(&spec, &["minReadySeconds"]));
    errors.extend(strategy(&spec.get("updateStrategy")));
    errors.extend(non_negative(&spec, &["revisionHistoryLimit"]));
    errors
}

fn strategy(at: &At<'_>) -> Errors {
    let rolling = at.get("rollingUpdate");
    match at.get("type").text() {
        "OnDelete" => Errors::new(),
        "RollingUpdate" if !rolling.is_set() => vec![rolling.required("")],
        "RollingUpdate" => {
            let (unavailable, surge) = (rolling.get("maxUnavailable"), rolling.get("maxSurge"));
            let mut errors = number::int_or_percent(&unavailable);
            errors.extend(number::int_or_percent(&surge));
            errors.extend(number::at_most_100_percent(&unavailable));
            errors.extend(number::at_most_100_percent(&surge));
            let some = |at: &At<'_>| number::int_or_percent_value(at.value) != 0;
            match (some(&unavailable), some(&surge)) {
                (true, true) => errors.push(surge.invalid("may not be set when maxUnavailable is non-zero")),
                (false, false) => errors.push(unavailable.required("cannot be 0 when maxSurge is 0")),
                _ => {}
            }
            errors
        }
        kind => {
            let shown = json!({"Type": kind, "RollingUpdate": rolling.value});
            let at = At::new(&shown, at.path.clone());
            let mut error = at.invalid_in_order(&["Type", "RollingUpdate"], "");
            let value = error
                .body
                .trim_start_matches("Invalid value: ")
                .trim_end_matches(": ")
                .to_owned();
            error.reason = "FieldValueNotSupported";
            error.body = format!("Unsupported value: {value}: supported values: \"RollingUpdate\", \"OnDelete\"");
            vec![error]
        }
    }
}
