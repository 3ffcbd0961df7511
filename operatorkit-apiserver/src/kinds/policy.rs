//! `NetworkPolicy`.

use serde_json::{Value, json};

use super::{edit, strategy::Strategy};
use crate::validation::{At, Errors, address, names, number, selector};

/// `NetworkPolicy`.
pub static NETWORK_POLICY: Strategy = Strategy {
    generation: &["spec"],
    defaults: |object| {
        if At::root(object).get("spec").get("policyTypes").is_empty() {
            let egress = !At::root(object).get("spec").get("egress").is_empty();
            let types = if egress {
                json!(["Ingress", "Egress"])
            } else {
                json!(["Ingress"])
            };
            edit::set(object, &["spec", "policyTypes"], types);
        }
        for list in ["ingress", "egress"] {
            for rule in edit::items_mut(object, &["spec", list]) {
                edit::items_mut(rule, &["ports"]).for_each(|it| edit::set_default(it, &["protocol"], json!("TCP")));
            }
        }
    },
    validate: network_policy,
    ..Strategy::NAMESPACED
};

pub(super) fn network_policy(object: &Value) -> Errors {
    let spec = At::root(object).get("spec");
    let mut errors = selector::label_selector(&spec.get("podSelector"));
    for (list, peers) in [("ingress", "from"), ("egress", "to")] {
        for rule in spec.get(list).items() {
            errors.extend(rule.get("ports").items().flat_map(|it| policy_port(&it)));
            errors.extend(rule.get(peers).items().flat_map(|it| peer(&it)));
        }
    }
    let types = spec.get("policyTypes");
    if types.len() > 2 {
        errors.push(types.invalid("may not specify more than two policyTypes"));
        return errors;
    }
    let unknown = types.items().filter(|it| !it.is_any(&["Ingress", "Egress"]));
    errors.extend(unknown.map(|it| it.not_supported(&["Ingress", "Egress"])));
    errors
}

pub(super) fn policy_port(at: &At<'_>) -> Errors {
    let (protocol, port, end) = (at.get("protocol"), at.get("port"), at.get("endPort"));
    let mut errors = Errors::new();
    if protocol.is_set() && !protocol.is_any(&["TCP", "UDP", "SCTP"]) {
        errors.push(protocol.not_supported(&["TCP", "UDP", "SCTP"]));
    }
    if !port.is_set() {
        if end.is_set() {
            errors.push(end.invalid("may not be specified when `port` is not specified"));
        }
    } else if port.value.is_string() {
        if end.is_set() {
            errors.push(end.invalid("may not be specified when `port` is non-numeric"));
        }
        errors.extend(port.all_invalid(names::port_name(port.text())));
    } else {
        errors.extend(number::port(&port));
        if end.is_set() {
            if end.number() < port.number() {
                errors.push(end.invalid("must be greater than or equal to `port`"));
            }
            errors.extend(number::port(&end));
        }
    }
    errors
}

pub(super) fn peer(at: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    let block = at.get("ipBlock");
    let selectors = ["podSelector", "namespaceSelector"].map(|it| at.get(it));
    for item in selectors.iter().filter(|it| it.is_set()) {
        errors.extend(selector::label_selector(item));
    }
    if block.is_set() {
        errors.extend(ip_block(&block));
    }
    let others = selectors.iter().any(At::is_set);
    match (others, block.is_set()) {
        (false, false) => errors.push(at.required("must specify a peer")),
        (true, true) => errors.push(at.forbidden("may not specify both ipBlock and another peer")),
        _ => {}
    }
    errors
}

pub(super) fn ip_block(at: &At<'_>) -> Errors {
    let cidr = at.get("cidr");
    if cidr.is_empty() {
        return vec![cidr.required("")];
    }
    let mut errors = address::legacy_cidr(&cidr, &[]);
    let Some((network, prefix)) = address::parse_cidr(cidr.text()) else {
        return errors;
    };
    for item in at.get("except").items() {
        errors.extend(address::legacy_cidr(&item, &[]));
        let Some((inner, length)) = address::parse_cidr(item.text()) else {
            continue;
        };
        let family = inner.is_ipv4() == network.is_ipv4();
        let inside = family && address::network(inner, prefix) == address::network(network, prefix);
        if !inside || prefix >= length {
            errors.push(item.invalid("must be a strict subset of `cidr`"));
        }
    }
    errors
}
