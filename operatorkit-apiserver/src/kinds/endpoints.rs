//! `Endpoints` and `EndpointSlice`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{edit, strategy::Strategy};
use crate::{
    failure::FieldError,
    validation::{At, Errors, address, at::same, names, number},
};

const PROTOCOLS: [&str; 3] = ["SCTP", "TCP", "UDP"];

/// `Endpoints`.
pub static ENDPOINTS: Strategy = Strategy {
    names_on_update: true,
    create_on_update: true,
    validate: endpoints,
    validate_update: Some(|new, old| {
        let unchanged = same(edit::get(new, &["subsets"]), edit::get(old, &["subsets"]));
        if unchanged { Errors::new() } else { endpoints(new) }
    }),
    warn: |_, _| vec!["v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice".into()],
    ..Strategy::NAMESPACED
};

/// `EndpointSlice`.
pub static ENDPOINT_SLICE: Strategy = Strategy {
    names_on_update: true,
    generation: &["addressType", "endpoints", "ports", "metadata.labels"],
    defaults: |object| {
        for port in edit::items_mut(object, &["ports"]) {
            edit::set_default(port, &["name"], json!(""));
            edit::set_default(port, &["protocol"], json!("TCP"));
        }
    },
    validate: |object| slice(object, true),
    validate_update: Some(|new, old| {
        let changed = !same(edit::get(new, &["endpoints"]), edit::get(old, &["endpoints"]));
        let mut errors = slice(new, changed);
        errors.extend(
            At::root(new)
                .get("addressType")
                .declared_immutable(&At::root(old).get("addressType")),
        );
        errors
    }),
    ..Strategy::NAMESPACED
};

fn endpoints(object: &Value) -> Errors {
    let mut errors = Errors::new();
    for subset in At::root(object).get("subsets").items() {
        let lists = ["addresses", "notReadyAddresses"].map(|it| subset.get(it));
        if lists.iter().all(At::is_empty) {
            errors.push(subset.required("must specify `addresses` or `notReadyAddresses`"));
        }
        for item in lists.iter().flat_map(|it| it.items().collect::<Vec<_>>()) {
            let (ip, host, node) = (item.get("ip"), item.get("hostname"), item.get("nodeName"));
            errors.extend(address::legacy_ip(&ip, &[]));
            if !host.is_empty() {
                errors.extend(host.all_invalid(names::dns_label(host.text())));
            }
            if node.is_set() {
                errors.extend(node.all_invalid(names::dns_subdomain(node.text())));
            }
            errors.extend(address::endpoint_ip(&ip));
        }
        let ports = subset.get("ports");
        for port in ports.items() {
            let (name, protocol) = (port.get("name"), port.get("protocol"));
            if ports.len() > 1 && name.is_empty() {
                errors.push(name.required(""));
            } else if !name.is_empty() {
                errors.extend(name.all_invalid(names::dns_label(name.text())));
            }
            errors.extend(number::port(&port.get("port")));
            errors.extend(self::protocol(&protocol));
        }
    }
    errors
}

fn protocol(at: &At<'_>) -> Option<FieldError> {
    if at.is_empty() {
        return Some(at.required(""));
    }
    (!at.is_any(&PROTOCOLS)).then(|| at.not_supported(&PROTOCOLS))
}

fn slice(object: &Value, check_endpoints: bool) -> Errors {
    let root = At::root(object);
    let kind = root.get("addressType");
    let mut errors = Errors::new();
    if kind.is_empty() {
        errors.push(kind.required(""));
    } else if !kind.is_any(&["FQDN", "IPv4", "IPv6"]) {
        errors.push(kind.not_supported(&["FQDN", "IPv4", "IPv6"]));
    }
    let mut seen = BTreeSet::new();
    for port in root.get("ports").items() {
        let (name, application) = (port.get("name"), port.get("appProtocol"));
        if !name.is_empty() {
            errors.extend(name.all_invalid(names::dns_label(name.text())));
        }
        if !seen.insert(name.text()) {
            errors.push(name.duplicate());
        }
        errors.extend(protocol(&port.get("protocol")));
        if application.is_set() {
            errors.extend(application.all_invalid(names::qualified_name(application.text())));
        }
    }
    let list = root.get("endpoints");
    if check_endpoints && list.len() > 1000 {
        errors.push(FieldError::too_many(&list.path, list.len(), 1000));
    } else if check_endpoints {
        errors.extend(list.items().flat_map(|it| endpoint(&it, kind.text())));
    }
    errors
}

fn endpoint(item: &At<'_>, kind: &str) -> Errors {
    let addresses = item.get("addresses");
    let mut errors = Errors::new();
    if addresses.is_empty() {
        errors.push(addresses.required(""));
    } else if addresses.len() > 100 {
        errors.push(FieldError::too_many(&addresses.path, addresses.len(), 100));
    }
    for at in addresses.items() {
        let wrong = match kind {
            "IPv4" => address::legacy_ip(&at, &[]),
            "IPv6" => address::strict_ip(&at),
            "FQDN" => {
                errors.extend(domain(&at));
                continue;
            }
            _ => continue,
        };
        if !wrong.is_empty() {
            errors.extend(wrong);
            continue;
        }
        let v4 = address::parse(at.text()).is_some_and(|it| it.is_ipv4());
        if v4 != (kind == "IPv4") {
            errors.push(
                at.placed(addresses.path.clone())
                    .invalid(format!("must be an {kind} address")),
            );
        }
        errors.extend(address::endpoint_ip(&at));
    }
    let (node, host) = (item.get("nodeName"), item.get("hostname"));
    if node.is_set() {
        errors.extend(node.all_invalid(names::dns_subdomain(node.text())));
    }
    if host.is_set() {
        errors.extend(host.all_invalid(names::dns_label(host.text())));
    }
    errors
}

fn domain(at: &At<'_>) -> Errors {
    let text = at.text().strip_suffix('.').unwrap_or(at.text());
    if at.is_empty() {
        return vec![at.required("")];
    }
    let value = json!(text);
    let at = at.with(&value);
    let wrong = names::dns_subdomain(text);
    if !wrong.is_empty() {
        return vec![at.invalid(wrong.join(","))];
    }
    if !text.contains('.') {
        return vec![at.invalid("should be a domain with at least two segments separated by dots")];
    }
    Errors::new()
}
