//! Labels and label selectors as one line: `app=web,tier in (a,b),!old`.

use serde_json::{Map, Value};

use crate::read::{items, text};

/// Labels as `k=v,k=v`, `<none>` for none.
pub(super) fn labels(labels: Option<&Value>) -> String {
    let line = match labels.and_then(Value::as_object) {
        Some(labels) => pairs(labels).join(","),
        None => String::new(),
    };
    if line.is_empty() { "<none>".to_owned() } else { line }
}

/// A `LabelSelector` as a line: `None` if it has an operator that is none.
pub(super) fn line(selector: Option<&Value>) -> Option<String> {
    let Some(selector) = selector.filter(|selector| !selector.is_null()) else {
        return Some(String::new());
    };
    let mut requirements: Vec<(&str, String)> = Vec::new();
    if let Some(labels) = selector.get("matchLabels").and_then(Value::as_object) {
        requirements.extend(labels.keys().map(String::as_str).zip(pairs(labels)));
    }
    for expression in items(selector, "/matchExpressions") {
        requirements.push((text(expression, "/key"), requirement(expression)?));
    }
    requirements.sort_by_key(|(key, _)| *key);
    let lines: Vec<String> = requirements.into_iter().map(|(_, line)| line).collect();
    Some(lines.join(","))
}

/// A `LabelSelector` as a cell: `<none>` if it asks for nothing, `<error>` if it cannot be read.
pub(super) fn cell(selector: Option<&Value>) -> String {
    match line(selector) {
        None => "<error>".to_owned(),
        Some(line) if line.is_empty() => "<none>".to_owned(),
        Some(line) => line,
    }
}

fn pairs(labels: &Map<String, Value>) -> Vec<String> {
    labels
        .iter()
        .map(|(key, value)| format!("{key}={}", value.as_str().unwrap_or_default()))
        .collect()
}

fn requirement(expression: &Value) -> Option<String> {
    let key = text(expression, "/key");
    let mut values: Vec<&str> = items(expression, "/values").iter().filter_map(Value::as_str).collect();
    values.sort_unstable();
    let values = values.join(",");
    match text(expression, "/operator") {
        "In" => Some(format!("{key} in ({values})")),
        "NotIn" => Some(format!("{key} notin ({values})")),
        "Exists" => Some(key.to_owned()),
        "DoesNotExist" => Some(format!("!{key}")),
        _ => None,
    }
}

/// A `LabelSelector` as Go's protobuf prints the message: the cell of an admission policy binding shows this.
pub(super) fn message(selector: &Value) -> String {
    let labels = selector.get("matchLabels").and_then(Value::as_object);
    let label = |(key, value): (&String, &Value)| format!("{key}: {},", value.as_str().unwrap_or_default());
    let labels: String = labels.into_iter().flatten().map(label).collect();
    let expression = |expression: &Value| {
        let values: Vec<&str> = items(expression, "/values").iter().filter_map(Value::as_str).collect();
        let (key, operator) = (text(expression, "/key"), text(expression, "/operator"));
        format!(
            "LabelSelectorRequirement{{Key:{key},Operator:{operator},Values:[{}],}},",
            values.join(" ")
        )
    };
    let expressions: String = items(selector, "/matchExpressions").iter().map(expression).collect();
    format!(
        "&LabelSelector{{MatchLabels:map[string]string{{{labels}}},\
         MatchExpressions:[]LabelSelectorRequirement{{{expressions}}},}}"
    )
}
