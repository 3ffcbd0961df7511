//! An answer as it stands in a file of cases.

use operatorkit::serde_json::{Map, Value, json};

use super::{normal::Normal, parse::Step, path, render};
use crate::server::Answer;

/// Headers that are shown wherever they are.
const HEADERS: [&str; 5] = ["warning", "retry-after", "location", "allow", "content-encoding"];

/// The lines of an answer; of its body only what the step wants to see.
pub(super) fn lines(step: &Step, answer: &Answer, normal: &mut Normal) -> Vec<String> {
    let (code, reason, body) = body(step, answer, normal);
    let mut lines = vec![format!("=> {code}{reason}")];
    lines.extend(headers(answer, normal));
    lines.extend(body.into_iter().map(|line| format!("  {line}")));
    lines
}

/// The lines of events.
pub(super) fn events(step: &Step, events: Vec<Value>, normal: &mut Normal) -> Vec<String> {
    let mut lines = vec!["=>".to_owned()];
    let show: Vec<&str> = step.options("show").flat_map(str::split_whitespace).collect();
    for event in events {
        let mut event = normal.value(event);
        if !show.is_empty() && event["type"] != "ERROR" {
            event["object"] = chosen(&event["object"], &show);
        }
        lines.extend(render::lines(&event).into_iter().map(|line| format!("  {line}")));
    }
    lines
}

fn headers(answer: &Answer, normal: &mut Normal) -> Vec<String> {
    let mut lines = Vec::new();
    for name in HEADERS {
        for value in answer.headers.get_all(name) {
            let value = normal.value(value.to_str().unwrap_or("not text").into());
            lines.push(format!("< {name}: {}", value.as_str().unwrap_or_default()));
        }
    }
    if let Some(kind) = answer.header("content-type").filter(|kind| *kind != "application/json") {
        lines.push(format!("< content-type: {kind}"));
    }
    lines
}

fn body(step: &Step, answer: &Answer, normal: &mut Normal) -> (u16, String, Vec<String>) {
    let value = answer.value();
    for option in step.options("name") {
        let (variable, at) = option.split_once(' ').unwrap_or((option, ""));
        if let Some(text) = path::get(&value, &path::parse(at)).as_str() {
            normal.name(text, &format!("{{{variable}}}"));
        }
    }
    normal.fields = step.option("fields").is_some();
    let value = normal.value(value);
    if let Some((reason, lines)) = status(&value, answer.code) {
        return (answer.code, reason, lines);
    }
    let show: Vec<&str> = step.options("show").flat_map(str::split_whitespace).collect();
    let lines = match &value {
        Value::Null => Vec::new(),
        _ if show == ["-"] => Vec::new(),
        value if show.is_empty() => render::lines(value),
        // What is not there is only told where nothing else is asked for.
        value => {
            let found = show.iter().map(|at| (at, path::get(value, &path::parse(at))));
            let told = found.filter(|(_, found)| !found.is_null() || show.len() == 1);
            told.flat_map(|(at, found)| render::named(at, &found)).collect()
        }
    };
    (answer.code, String::new(), lines)
}

fn chosen(object: &Value, show: &[&str]) -> Value {
    let found = show.iter().filter(|at| **at != "-");
    let found = found.map(|at| ((*at).to_owned(), path::get(object, &path::parse(at))));
    found.collect::<Map<_, _>>().into()
}

/// A Status that is a failure, in short: the reason, the message, the details, and each cause on a line of its own. One that is not
/// made as all others are is shown as it is.
fn status(value: &Value, code: u16) -> Option<(String, Vec<String>)> {
    let mut rest = value.as_object()?.clone();
    let mut is = |key: &str, expected: Value| rest.remove(key) == Some(expected);
    let usual = is("kind", json!("Status"))
        && is("apiVersion", json!("v1"))
        && is("status", json!("Failure"))
        && is("metadata", json!({}))
        && is("code", json!(code));
    if !usual {
        return None;
    }
    let mut text = |key: &str| {
        rest.remove(key)
            .map(|value| value.as_str().unwrap_or_default().to_owned())
    };
    let reason = text("reason").map_or(String::new(), |reason| format!(" {reason}"));
    let mut message = text("message").unwrap_or_else(|| "no message".into());
    let mut causes = Vec::new();
    if let Some(Value::Array(list)) = rest.get_mut("details").and_then(|details| details.get_mut("causes")) {
        causes = std::mem::take(list);
        message = in_order(message, &mut causes);
    }
    let mut lines: Vec<String> = message
        .lines()
        .map(|line| if line.is_empty() { "." } else { line }.into())
        .collect();
    if let Some(Value::Object(mut details)) = rest.remove("details") {
        details.remove("causes");
        lines.push(render::flat(&details.into()));
        lines.extend(causes.iter().map(|cause| format!("- {}", self::cause(cause, &message))));
    }
    if !rest.is_empty() {
        lines.push(format!("and {}", render::flat(&rest.into())));
    }
    Some((reason, lines))
}

/// Sorts causes, and the message that lists them: the real server finds them while it walks maps, in an order by chance.
fn in_order(message: String, causes: &mut [Value]) -> String {
    let texts = |causes: &[Value]| {
        let text = |cause: &Value, key: &str| cause[key].as_str().unwrap_or_default().to_owned();
        let texts = causes
            .iter()
            .map(|cause| format!("{}: {}", text(cause, "field"), text(cause, "message")));
        let mut once: Vec<String> = Vec::new();
        texts.for_each(|text| once.extend((!once.contains(&text)).then_some(text)));
        once.join(", ")
    };
    let before = texts(causes);
    causes.sort_by_cached_key(|cause| ["field", "message", "reason"].map(|key| cause[key].as_str().map(str::to_owned)));
    let after = texts(causes);
    let list = format!("[{before}]");
    match message.strip_suffix(&list) {
        Some(start) => format!("{start}[{after}]"),
        None => message,
    }
}

/// A cause: its reason, field and message; the message is left out where the Status says the same after the field.
fn cause(cause: &Value, message: &str) -> String {
    let text = |key: &str| cause[key].as_str().unwrap_or("-");
    let short = format!("{} {}", text("reason"), text("field"));
    if message.contains(&format!("{}: {}", text("field"), text("message"))) {
        short
    } else {
        format!("{short}: {}", text("message"))
    }
}
