//! Ingresses and their classes.

use serde_json::{Value, json};

use super::network::load_balancer;
use crate::read::{items, length, some_text, text};

/// The hosts of an Ingress, as far as the first rules have some; more than three rules are counted.
pub(super) fn hosts(ingress: &Value) -> Value {
    const MOST: usize = 3;
    let rules = items(ingress, "/spec/rules");
    let named: Vec<(usize, &str)> = rules
        .iter()
        .enumerate()
        .filter_map(|(at, rule)| Some((at, some_text(rule, "/host")?)))
        .take(MOST)
        .collect();
    let is_more = named.get(MOST - 1).is_some_and(|(at, _)| at + 1 < rules.len());
    let named: Vec<&str> = named.into_iter().map(|(_, host)| host).collect();
    json!(match named.join(",") {
        hosts if hosts.is_empty() => "*".to_owned(),
        hosts if is_more => format!("{hosts} + {} more...", rules.len() - MOST),
        hosts => hosts,
    })
}

pub(super) fn addresses(ingress: &Value) -> Value {
    json!(load_balancer(ingress).join(","))
}

pub(super) fn ingress_ports(ingress: &Value) -> Value {
    json!(if length(ingress, "/spec/tls") == 0 {
        "80"
    } else {
        "80, 443"
    })
}

pub(super) fn ingress_class(class: &Value) -> Value {
    let name = text(class, "/metadata/name");
    let mark = text(
        class,
        "/metadata/annotations/ingressclass.kubernetes.io~1is-default-class",
    );
    json!(if mark == "true" {
        format!("{name} (default)")
    } else {
        name.to_owned()
    })
}

/// `Kind.group/name`.
pub(super) fn ingress_parameters(class: &Value) -> Value {
    let Some(parameters) = class
        .pointer("/spec/parameters")
        .filter(|parameters| !parameters.is_null())
    else {
        return json!("<none>");
    };
    let (kind, name) = (text(parameters, "/kind"), text(parameters, "/name"));
    json!(match parameters.get("apiGroup").and_then(Value::as_str) {
        Some(group) => format!("{kind}.{group}/{name}"),
        None => format!("{kind}/{name}"),
    })
}
