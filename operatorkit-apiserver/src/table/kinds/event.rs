//! Events of both groups: they are one store with two sets of names.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::cell::Cell::{self, At, Name, Of, Text};
use crate::read::{has, integer, some_text};
use crate::table::duration::since;

pub(super) const CELLS: &[Cell] = &[
    At(|event, now| json!(last_seen(event, now))),
    Text("/type"),
    Text("/reason"),
    Of(object),
    Of(subobject),
    Of(source),
    Of(message),
    At(|event, now| json!(first_seen(event, now))),
    Of(count),
    Name,
];

fn first_seen(event: &Value, now: Timestamp) -> String {
    let first = either(event, "/firstTimestamp", "/deprecatedFirstTimestamp");
    since(first.or_else(|| some_text(event, "/eventTime")), now)
}

fn last_seen(event: &Value, now: Timestamp) -> String {
    if has(event, "/series") {
        return since(some_text(event, "/series/lastObservedTime"), now);
    }
    match either(event, "/lastTimestamp", "/deprecatedLastTimestamp") {
        Some(last) => since(Some(last), now),
        None => first_seen(event, now),
    }
}

fn count(event: &Value) -> Value {
    if has(event, "/series") {
        return json!(integer(event, "/series/count"));
    }
    // One Event alone has no count.
    json!(integer(event, "/count").max(integer(event, "/deprecatedCount")).max(1))
}

/// `deployment/web`.
fn object(event: &Value) -> Value {
    let kind = either(event, "/involvedObject/kind", "/regarding/kind")
        .unwrap_or_default()
        .to_lowercase();
    json!(match either(event, "/involvedObject/name", "/regarding/name") {
        Some(name) => format!("{kind}/{name}"),
        None => kind,
    })
}

fn subobject(event: &Value) -> Value {
    json!(either(event, "/involvedObject/fieldPath", "/regarding/fieldPath").unwrap_or_default())
}

/// `component, host`.
fn source(event: &Value) -> Value {
    let component = either(event, "/source/component", "/deprecatedSource/component");
    let component = component.or_else(|| either(event, "/reportingController", "/reportingComponent"));
    let host = either(event, "/source/host", "/deprecatedSource/host");
    let component = component.unwrap_or_default();
    json!(match host.or_else(|| some_text(event, "/reportingInstance")) {
        Some(host) => format!("{component}, {host}"),
        None => component.to_owned(),
    })
}

fn message(event: &Value) -> Value {
    json!(either(event, "/message", "/note").unwrap_or_default().trim())
}

fn either<'a>(event: &'a Value, pointer: &str, other: &str) -> Option<&'a str> {
    some_text(event, pointer).or_else(|| some_text(event, other))
}
