//! Label selectors: their form, and what they match (`metav1.LabelSelector`).

use serde_json::Value;

use super::{
    at::{At, Errors},
    names,
};

/// A map of labels.
pub fn labels(map: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    for (key, value) in map.entries() {
        let name = Value::from(key);
        let key_at = At::new(&name, map.path.clone());
        errors.extend(key_at.all_invalid(names::qualified_name(key)));
        let value = value.placed(map.path.clone());
        errors.extend(value.all_invalid(names::label_value(value.text())));
    }
    errors
}

/// A `LabelSelector`; an absent one is well.
pub fn label_selector(selector: &At<'_>) -> Errors {
    let mut errors = labels(&selector.get("matchLabels"));
    for item in selector.get("matchExpressions").items() {
        errors.extend(requirement(&item));
    }
    errors
}

fn requirement(item: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    let (key, operator, values) = (item.get("key"), item.get("operator"), item.get("values"));
    match operator.text() {
        "In" | "NotIn" if values.is_empty() => {
            errors.push(values.required("must be specified when `operator` is 'In' or 'NotIn'"));
        }
        "Exists" | "DoesNotExist" if !values.is_empty() => {
            errors.push(values.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
        }
        "In" | "NotIn" | "Exists" | "DoesNotExist" => {}
        _ => errors.extend(operator.all_invalid(["not a valid selector operator"])),
    }
    errors.extend(key.all_invalid(names::qualified_name(key.text())));
    for value in values.items() {
        errors.extend(value.all_invalid(names::label_value(value.text())));
    }
    errors
}

/// Whether a selector says nothing.
pub fn is_blank(selector: &At<'_>) -> bool {
    selector.get("matchLabels").is_empty() && selector.get("matchExpressions").is_empty()
}

/// Whether labels match a selector; `None` if the selector is not well formed. An absent selector matches nothing, an empty one everything.
pub fn matches(selector: &At<'_>, labels: &Value) -> Option<bool> {
    if !selector.is_set() {
        return Some(false);
    }
    if !label_selector(selector).is_empty() {
        return None;
    }
    let label = |key: &str| labels.get(key).and_then(Value::as_str);
    let equal = map_matches(selector.get("matchLabels").value, labels);
    let expressions = selector.get("matchExpressions");
    let expressed = expressions.items().all(|item| {
        let found = label(item.get("key").text());
        let listed = found.is_some_and(|it| item.get("values").items().any(|value| value.is(it)));
        match item.get("operator").text() {
            "In" => listed,
            "NotIn" => !listed,
            "Exists" => found.is_some(),
            _ => found.is_none(),
        }
    });
    Some(equal && expressed)
}

/// Whether labels have all entries of a map.
pub fn map_matches(map: &Value, labels: &Value) -> bool {
    let mut entries = map.as_object().into_iter().flatten();
    entries.all(|(key, value)| labels.get(key) == Some(value))
}

/// The fields of `metav1.LabelSelector`, for values in messages.
pub const ORDER: [&str; 2] = ["matchLabels", "matchExpressions"];
