//! JSON as text for people: YAML in flow style, on one line where that is short enough.

use operatorkit::serde_json::{Map, Value};

/// Longer lines are broken.
const WIDTH: usize = 116;

/// The lines of a value.
pub(super) fn lines(value: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    block("", value, "", 0, &mut lines);
    lines
}

/// The lines of a value, after its name.
pub(super) fn named(name: &str, value: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    block(&format!("{name}: "), value, "", 0, &mut lines);
    lines
}

/// A value on one line.
pub(super) fn flat(value: &Value) -> String {
    match value {
        Value::Array(list) => {
            let list: Vec<String> = list.iter().map(flat).collect();
            format!("[{}]", list.join(", "))
        }
        Value::Object(map) => {
            let entries = sorted(map);
            let entries: Vec<String> = entries
                .iter()
                .map(|(name, value)| format!("{}: {}", key(name), flat(value)))
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
        other => other.to_string(),
    }
}

fn block(before: &str, value: &Value, after: &str, depth: usize, lines: &mut Vec<String>) {
    let indent = "  ".repeat(depth);
    let short = format!("{indent}{before}{}{after}", flat(value));
    if short.len() <= WIDTH {
        lines.push(short);
        return;
    }
    match value {
        Value::Array(list) => {
            lines.push(format!("{indent}{before}["));
            for (at, value) in list.iter().enumerate() {
                let comma = if at + 1 < list.len() { "," } else { "" };
                block("", value, comma, depth + 1, lines);
            }
            lines.push(format!("{indent}]{after}"));
        }
        Value::Object(map) => {
            lines.push(format!("{indent}{before}{{"));
            let entries = sorted(map);
            for (at, (name, value)) in entries.iter().enumerate() {
                let comma = if at + 1 < entries.len() { "," } else { "" };
                block(&format!("{}: ", key(name)), value, comma, depth + 1, lines);
            }
            lines.push(format!("{indent}}}{after}"));
        }
        _ => lines.push(short),
    }
}

/// What says what the object is comes first.
fn sorted(map: &Map<String, Value>) -> Vec<(&String, &Value)> {
    const FIRST: [&str; 4] = ["type", "apiVersion", "kind", "metadata"];
    let place = |key: &str| FIRST.iter().position(|first| *first == key).unwrap_or(FIRST.len());
    let mut entries: Vec<_> = map.iter().collect();
    entries.sort_by_key(|(key, _)| (place(key), *key));
    entries
}

fn key(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./$".contains(&byte);
    let word = name.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic());
    if word && name.bytes().all(plain) {
        name.to_owned()
    } else {
        Value::from(name).to_string()
    }
}
