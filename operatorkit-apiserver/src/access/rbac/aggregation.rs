//! ClusterRoles that are made of others (`pkg/controller/clusterroleaggregation`).

use serde_json::Value;

/// The rules that a `ClusterRole` with an `aggregationRule` should have, if they are others than it has. `all` are all
/// ClusterRoles, in the order of their names.
pub fn aggregate(role: &Value, all: &[&Value]) -> Option<Vec<Value>> {
    let selectors = role.get("aggregationRule")?.get("clusterRoleSelectors")?.as_array()?;
    let name = &role["metadata"]["name"];
    let mut rules: Vec<Value> = Vec::new();
    for selector in selectors {
        for other in all.iter().filter(|it| it["metadata"]["name"] != *name) {
            if !matches(selector, &other["metadata"]["labels"]) {
                continue;
            }
            for rule in other["rules"].as_array().into_iter().flatten() {
                if !rules.contains(rule) {
                    rules.push(rule.clone());
                }
            }
        }
    }
    let present = role["rules"].as_array().map_or(&[][..], Vec::as_slice);
    (present != rules).then_some(rules)
}

/// Do the labels fit a `LabelSelector`? One that cannot be read fits nothing.
fn matches(selector: &Value, labels: &Value) -> bool {
    let label = |key: &str| labels.get(key).and_then(Value::as_str);
    let equal = selector["matchLabels"].as_object().into_iter().flatten();
    let mut expressions = selector["matchExpressions"].as_array().into_iter().flatten();
    equal.into_iter().all(|(key, value)| label(key) == value.as_str()) && expressions.all(|it| fits(it, &label))
}

fn fits<'a>(expression: &Value, label: &impl Fn(&str) -> Option<&'a str>) -> bool {
    let Some(key) = expression["key"].as_str() else {
        return false;
    };
    let value = label(key);
    let mut values = expression["values"].as_array().into_iter().flatten();
    match expression["operator"].as_str() {
        Some("In") => value.is_some() && values.any(|it| it.as_str() == value),
        Some("NotIn") => value.is_none() || values.all(|it| it.as_str() != value),
        Some("Exists") => value.is_some(),
        Some("DoesNotExist") => value.is_none(),
        _ => false,
    }
}
