//! Events: one store for `v1` and `events.k8s.io/v1`.
//!
//! They are kept in the form of `v1`. [`from_core`] and [`to_core`] change to and from `events.k8s.io/v1`.

use serde_json::{Map, Value, json};

use super::{edit, strategy::Strategy};
use crate::validation::{At, Errors, at::same, names};

/// `v1` and the names of the same fields in `events.k8s.io/v1`.
const FIELDS: [(&str, &str); 6] = [
    ("involvedObject", "regarding"),
    ("message", "note"),
    ("source", "deprecatedSource"),
    ("firstTimestamp", "deprecatedFirstTimestamp"),
    ("lastTimestamp", "deprecatedLastTimestamp"),
    ("count", "deprecatedCount"),
];
const CONTROLLER: (&str, &str) = ("reportingComponent", "reportingController");

/// `Event`, asked for as `v1`.
pub static EVENT: Strategy = Strategy {
    create_on_update: true,
    kube_finalizers: false,
    defaults: |event| {
        if let Some(fields) = event.as_object_mut() {
            write_all(fields);
        }
    },
    validate: legacy,
    ..Strategy::NAMESPACED
};

/// `Event`, asked for as `events.k8s.io/v1`; in the form of `v1`.
pub static NEW_EVENT: Strategy = Strategy {
    kube_finalizers: true,
    validate: |event| {
        let mut errors = legacy_named(event, "reportingController");
        errors.extend(strict(event));
        errors
    },
    validate_update: Some(update),
    ..EVENT
};

/// An event as `events.k8s.io/v1` has it.
pub fn from_core(event: &Value) -> Value {
    let mut event = event.clone();
    let Some(fields) = event.as_object_mut() else {
        return event;
    };
    rename(
        fields,
        FIELDS.iter().chain([&CONTROLLER]).map(|(core, new)| (*core, *new)),
    );
    fields.insert("apiVersion".into(), json!("events.k8s.io/v1"));
    // What is always written in `v1` is left out here where it is empty.
    for name in ["reportingController", "reportingInstance"] {
        if fields.get(name).is_some_and(|it| it == "") {
            fields.remove(name);
        }
    }
    event
}

/// An event of `events.k8s.io/v1`, as `v1` has it.
pub fn to_core(event: &Value) -> Value {
    let mut event = event.clone();
    let Some(fields) = event.as_object_mut() else {
        return event;
    };
    rename(
        fields,
        FIELDS.iter().chain([&CONTROLLER]).map(|(core, new)| (*new, *core)),
    );
    fields.insert("apiVersion".into(), json!("v1"));
    write_all(fields);
    event
}

/// What is always written in `v1`.
fn write_all(fields: &mut Map<String, Value>) {
    for (name, empty) in [
        ("involvedObject", json!({})),
        ("source", json!({})),
        ("firstTimestamp", Value::Null),
        ("lastTimestamp", Value::Null),
        ("eventTime", Value::Null),
        ("reportingComponent", json!("")),
        ("reportingInstance", json!("")),
    ] {
        fields.entry(name).or_insert(empty);
    }
}

fn rename<'a>(fields: &mut Map<String, Value>, names: impl Iterator<Item = (&'a str, &'a str)>) {
    for (from, to) in names {
        if let Some(value) = fields.remove(from) {
            fields.insert(to.into(), value);
        }
    }
}

fn legacy(event: &Value) -> Errors {
    legacy_named(event, CONTROLLER.0)
}

fn legacy_named(event: &Value, controller: &str) -> Errors {
    let root = At::root(event);
    let (own, of) = (
        edit::text(event, &["metadata", "namespace"]),
        root.get("involvedObject").get("namespace"),
    );
    let mut errors = Errors::new();
    let says = "does not match event.namespace";
    if root.get("eventTime").is_empty() {
        let wrong = if of.is_empty() {
            !own.is_empty() && own != "default"
        } else {
            !of.is(own)
        };
        if wrong {
            errors.extend(of.all_invalid([says]));
        }
        return errors;
    }
    if of.is_empty() && own != "default" && own != "kube-system" {
        errors.extend(of.all_invalid([says]));
    }
    let at = root.get(CONTROLLER.0).placed(root.get(controller).path);
    if at.is_empty() {
        errors.push(at.required(""));
    }
    errors.extend(at.all_invalid(names::qualified_name(at.text())));
    for (name, most) in [
        ("reportingInstance", 128),
        ("action", 128),
        ("reason", 128),
        ("message", 1024),
    ] {
        let at = root.get(name);
        if at.is_empty() && name != "message" {
            errors.push(at.required(""));
        }
        if at.text().len() > most {
            errors.push(At::new(&json!(""), at.path).invalid(format!("can have at most {most} characters")));
        }
    }
    errors
}

fn strict(event: &Value) -> Errors {
    let root = At::root(event);
    let mut errors = series(event);
    let empty = json!("");
    let time = root.get("eventTime");
    if time.is_empty() {
        errors.push(time.required(""));
    }
    let kind = root.get("type");
    if !kind.is_any(&["Normal", "Warning"]) {
        errors.push(kind.with(&empty).invalid(format!("has invalid value: {}", kind.text())));
    }
    for name in ["firstTimestamp", "lastTimestamp", "count", "source"] {
        let at = root.get(name);
        let unset = at.is_empty() || at.value == &json!(0);
        if !unset {
            errors.push(at.with(&empty).invalid("needs to be unset"));
        }
    }
    errors
}

fn series(event: &Value) -> Errors {
    let series = At::root(event).get("series");
    let mut errors = Errors::new();
    if !series.is_set() {
        return errors;
    }
    if series.get("count").number() < 2 {
        errors.push(series.get("count").with(&json!("")).invalid("should be at least 2"));
    }
    let time = series.get("lastObservedTime");
    if time.is_empty() {
        errors.push(time.required(""));
    }
    errors
}

fn update(new: &Value, old: &Value) -> Errors {
    let mut errors = legacy_named(new, CONTROLLER.1);
    let (root, before) = (At::root(new), At::root(old));
    if !same(root.get("series").value, before.get("series").value) {
        errors.extend(series(new));
    }
    for name in [
        "involvedObject",
        "reason",
        "message",
        "source",
        "firstTimestamp",
        "lastTimestamp",
        "count",
        "type",
        "eventTime",
        "action",
        "related",
        "reportingComponent",
        "reportingInstance",
    ] {
        let shown = if name == CONTROLLER.0 { CONTROLLER.1 } else { name };
        let at = root.get(name).placed(root.get(shown).path);
        errors.extend(at.immutable(&before.get(name)));
    }
    errors
}
