//! Whether a Pod can be on a node: its selector and affinity, and the node's taints.

use serde_json::Value;

use super::labels::label;
use super::owner::name;
use crate::read::{items, text};

/// Whether the Pod's `nodeSelector` and required affinity match the node.
pub(super) fn is_wanted(pod_spec: &Value, node: &Value) -> bool {
    let selector = pod_spec.get("nodeSelector").and_then(Value::as_object);
    let is_selected = selector.is_none_or(|selector| super::labels::has_all(node, selector));
    let terms = pod_spec
        .pointer("/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms")
        .and_then(Value::as_array);
    is_selected && terms.is_none_or(|terms| terms.iter().any(|term| is_term_met(term, node)))
}

/// Whether the Pod tolerates all taints of the node that have one of these effects.
pub(super) fn is_tolerated(tolerations: &[Value], node: &Value, effects: &[&str]) -> bool {
    let taints = items(node, "/spec/taints")
        .iter()
        .filter(|taint| effects.contains(&text(taint, "/effect")));
    taints
        .into_iter()
        .all(|taint| tolerations.iter().any(|toleration| tolerates(toleration, taint)))
}

/// A term without anything in it is met by no node.
fn is_term_met(term: &Value, node: &Value) -> bool {
    let (labels, fields) = (items(term, "/matchExpressions"), items(term, "/matchFields"));
    let by_label = |expression: &Value| is_met(expression, label(node, text(expression, "/key")));
    let by_field =
        |expression: &Value| text(expression, "/key") == "metadata.name" && is_met(expression, Some(name(node)));
    (!labels.is_empty() || !fields.is_empty()) && labels.iter().all(by_label) && fields.iter().all(by_field)
}

fn is_met(expression: &Value, value: Option<&str>) -> bool {
    let wanted = items(expression, "/values");
    let is_among = || wanted.iter().any(|wanted| wanted.as_str() == value);
    let number = |text: Option<&str>| text.and_then(|text| text.parse::<i64>().ok());
    let bound = || number(wanted.first().and_then(Value::as_str));
    match text(expression, "/operator") {
        "In" => value.is_some() && is_among(),
        "NotIn" => value.is_none() || !is_among(),
        "Exists" => value.is_some(),
        "DoesNotExist" => value.is_none(),
        "Gt" => number(value).zip(bound()).is_some_and(|(value, bound)| value > bound),
        "Lt" => number(value).zip(bound()).is_some_and(|(value, bound)| value < bound),
        _ => false,
    }
}

fn tolerates(toleration: &Value, taint: &Value) -> bool {
    let (effect, key) = (text(toleration, "/effect"), text(toleration, "/key"));
    let is_effect = effect.is_empty() || effect == text(taint, "/effect");
    let is_key = key.is_empty() || key == text(taint, "/key");
    let is_value = match text(toleration, "/operator") {
        "Exists" => true,
        "" | "Equal" => !key.is_empty() && text(toleration, "/value") == text(taint, "/value"),
        _ => false,
    };
    is_effect && is_key && is_value
}
