//! What is wrong with a `Service`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{is_external, is_headless, kind, needs_health_check};
use crate::{
    failure::FieldError,
    validation::{At, Errors, address, names, number, selector},
};

const PROTOCOLS: [&str; 3] = ["SCTP", "TCP", "UDP"];
const LOAD_BALANCER_ONLY: &str = "may only be used when `type` is 'LoadBalancer'";

pub(super) fn service(object: &Value, old: Option<&Value>) -> Errors {
    let spec = At::root(object).get("spec");
    let mut errors = Errors::new();
    let ports = spec.get("ports");
    if ports.is_empty() && !is_headless(object) && kind(object) != "ExternalName" {
        errors.push(ports.required(""));
    }
    errors.extend(by_type(object, &spec));
    errors.extend(each_port(&ports));
    errors.extend(selector::labels(&spec.get("selector")));
    errors.extend(affinity(&spec));
    errors.extend(cluster_ips(object, old));
    errors.extend(external_ips(&spec, old));
    let type_at = spec.get("type");
    if type_at.is_empty() {
        errors.push(type_at.required(""));
    } else if !type_at.is_any(&["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"]) {
        errors.push(type_at.not_supported(&["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"]));
    }
    errors.extend(duplicate_ports(object, &ports));
    errors.extend(source_ranges(object, &spec, old));
    let allocate = spec.get("allocateLoadBalancerNodePorts");
    if allocate.is_set() && kind(object) != "LoadBalancer" {
        errors.push(allocate.forbidden(LOAD_BALANCER_ONLY));
    }
    if !allocate.is_set() && kind(object) == "LoadBalancer" {
        errors.push(At::root(object).get("allocateLoadBalancerNodePorts").required(""));
    }
    errors.extend(load_balancer_class(object, &spec));
    errors.extend(traffic(object, &spec));
    errors
}

fn by_type(object: &Value, spec: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    let kind = kind(object);
    match kind {
        "LoadBalancer" | "NodePort" if is_headless(object) => {
            let first = spec.get("clusterIPs").items().next();
            let detail = format!("may not be set to 'None' for {kind} services");
            errors.extend(first.map(|it| it.invalid(detail)));
        }
        "ExternalName" => {
            for name in ["clusterIPs", "ipFamilies", "ipFamilyPolicy"] {
                let at = spec.get(name);
                if !at.is_empty() {
                    errors.push(at.forbidden("may not be set for ExternalName services"));
                }
            }
            let name = spec.get("externalName");
            let text = name.text().strip_suffix('.').unwrap_or(name.text());
            if text.is_empty() {
                errors.push(name.required(""));
            } else {
                let value = Value::from(text);
                errors.extend(At::new(&value, name.path).all_invalid(names::dns_subdomain(text)));
            }
        }
        _ => {}
    }
    errors
}

fn each_port(ports: &At<'_>) -> Errors {
    let (mut errors, mut seen) = (Errors::new(), BTreeSet::new());
    for port in ports.items() {
        let name = port.get("name");
        if ports.len() > 1 && name.is_empty() {
            errors.push(name.required(""));
        } else if !name.is_empty() {
            errors.extend(name.all_invalid(names::dns_label(name.text())));
            if !seen.insert(name.text()) {
                errors.push(name.duplicate());
            }
        }
        errors.extend(number::port(&port.get("port")));
        let protocol = port.get("protocol");
        if protocol.is_empty() {
            errors.push(protocol.required(""));
        } else if !protocol.is_any(&PROTOCOLS) {
            errors.push(protocol.not_supported(&PROTOCOLS));
        }
        errors.extend(number::port_or_name(&port.get("targetPort")));
        let application = port.get("appProtocol");
        if application.is_set() {
            errors.extend(application.all_invalid(names::qualified_name(application.text())));
        }
    }
    errors
}

fn affinity(spec: &At<'_>) -> Errors {
    let (affinity, config) = (spec.get("sessionAffinity"), spec.get("sessionAffinityConfig"));
    let mut errors = Errors::new();
    match affinity.text() {
        "" => errors.push(affinity.required("")),
        "ClientIP" => {
            let says = "when session affinity type is ClientIP";
            let client = config.get("clientIP");
            let timeout = client.get("timeoutSeconds");
            let missing = [&config, &client, &timeout].into_iter().find(|it| !it.is_set());
            if let Some(at) = missing {
                errors.push(at.required(says));
            } else if !(1..=86400).contains(&timeout.number()) {
                errors.push(timeout.invalid("must be greater than 0 and less than 86400"));
            }
        }
        "None" if config.is_set() => {
            errors.push(config.forbidden("must not be set when session affinity is None"));
        }
        "None" => {}
        _ => errors.push(affinity.not_supported(&["ClientIP", "None"])),
    }
    errors
}

/// The cluster's addresses and their families.
pub(super) fn cluster_ips(object: &Value, old: Option<&Value>) -> Errors {
    if kind(object) == "ExternalName" {
        return Errors::new();
    }
    let spec = At::root(object).get("spec");
    let mut errors = Errors::new();
    let (ip, ips) = (spec.get("clusterIP"), spec.get("clusterIPs"));
    let first = ips.items().next();
    match (ip.is_empty(), &first) {
        (false, None) => errors.push(ips.required("")),
        (false, Some(first)) if !first.is(ip.text()) => {
            errors.push(ips.invalid("first value must match `clusterIP`"));
        }
        (true, Some(_)) => errors.push(ips.invalid("must be empty when `clusterIP` is not specified")),
        _ => {}
    }
    let (families, mut seen) = (spec.get("ipFamilies"), BTreeSet::new());
    for family in families.items() {
        if !family.is_any(&["IPv4", "IPv6"]) {
            errors.push(family.not_supported(&["IPv4", "IPv6"]));
        }
        if !seen.insert(family.text()) {
            errors.push(family.duplicate());
        }
    }
    let policy = spec.get("ipFamilyPolicy");
    let policies = ["PreferDualStack", "RequireDualStack", "SingleStack"];
    if policy.is_set() && !policy.is_any(&policies) {
        errors.push(policy.not_supported(&policies));
    }
    let known = texts(old, "clusterIPs");
    let mut wrong = false;
    for (index, item) in ips.items().enumerate() {
        if index == 0 && item.is("None") {
            if ips.len() > 1 {
                wrong = true;
                errors.push(ips.invalid("'None' must be the first and only value"));
            }
            continue;
        }
        let found = address::legacy_ip(&item, &known);
        wrong |= !found.is_empty();
        errors.extend(found);
    }
    if ips.len() > 2 {
        errors.push(ips.invalid("may only hold up to 2 values"));
    }
    if wrong {
        return errors;
    }
    let is_v6 = |at: &At<'_>| address::parse(at.text()).is_some_and(|it| it.is_ipv6());
    let sixes = ips.items().filter(is_v6).count();
    if ips.len() > 1 && (sixes == 0 || sixes == ips.len()) {
        errors.push(ips.invalid("may specify no more than one IP for each IP family"));
    }
    if !is_headless(object) {
        for (index, (item, family)) in ips.items().zip(families.items()).enumerate() {
            if is_v6(&item) != family.is("IPv6") {
                let family = family.text();
                let article = format!("expected an {family} value as indicated by `ipFamilies[{index}]`");
                errors.push(item.invalid(article));
            }
        }
    }
    errors
}

fn texts<'a>(object: Option<&'a Value>, name: &str) -> Vec<&'a str> {
    let list = object.and_then(|it| it.get("spec")?.get(name)?.as_array());
    list.into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(str::trim)
        .collect()
}

fn external_ips(spec: &At<'_>, old: Option<&Value>) -> Errors {
    let known = texts(old, "externalIPs");
    let mut errors = Errors::new();
    for item in spec.get("externalIPs").items() {
        let found = address::legacy_ip(&item, &known);
        errors.extend(if found.is_empty() {
            address::endpoint_ip(&item)
        } else {
            found
        });
    }
    errors
}

fn duplicate_ports(object: &Value, ports: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    let node_ports: Vec<_> = ports.items().filter(|it| it.get("nodePort").number() != 0).collect();
    if kind(object) == "ClusterIP" {
        let says = "may not be used when `type` is 'ClusterIP'";
        errors.extend(node_ports.iter().map(|it| it.get("nodePort").forbidden(says)));
    }
    let mut seen = BTreeSet::new();
    for port in &node_ports {
        let at = port.get("nodePort");
        if !seen.insert((port.get("protocol").text(), at.number())) {
            errors.push(at.duplicate());
        }
    }
    let mut seen = BTreeSet::new();
    for port in ports.items() {
        let (protocol, number) = (port.get("protocol").text(), port.get("port").number());
        if !seen.insert((protocol, number)) {
            // The real server prints its own form of a port.
            let mut error = FieldError::duplicate(&port.path, &Value::Null);
            error.body = format!(
                "Duplicate value: {{\"Name\":\"\",\"Protocol\":{},\"AppProtocol\":null,\"Port\":{number},\"TargetPort\":0,\"NodePort\":0}}",
                json!(protocol)
            );
            errors.push(error);
        }
    }
    errors
}

fn source_ranges(object: &Value, spec: &At<'_>, old: Option<&Value>) -> Errors {
    let ranges = spec.get("loadBalancerSourceRanges");
    // The real server writes the name of the Go field.
    let ranges = ranges.placed(spec.get("LoadBalancerSourceRanges").path);
    let mut errors = Errors::new();
    if ranges.is_empty() {
        return errors;
    }
    if kind(object) != "LoadBalancer" {
        errors.push(ranges.forbidden(LOAD_BALANCER_ONLY));
    }
    let known = texts(old, "loadBalancerSourceRanges");
    for item in ranges.items() {
        let trimmed = Value::from(item.text().trim());
        errors.extend(address::legacy_cidr(&At::new(&trimmed, item.path), &known));
    }
    errors
}

pub(super) fn load_balancer_class(object: &Value, spec: &At<'_>) -> Errors {
    let class = spec.get("loadBalancerClass");
    if !class.is_set() {
        return Errors::new();
    }
    if kind(object) == "LoadBalancer" {
        return class.all_invalid(names::qualified_name(class.text()));
    }
    vec![class.forbidden(LOAD_BALANCER_ONLY)]
}

fn traffic(object: &Value, spec: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    let policies = ["Cluster", "Local"];
    let external = spec.get("externalTrafficPolicy");
    match (is_external(object), external.is_empty()) {
        (false, false) => errors.push(external.invalid("may only be set for externally-accessible services")),
        (true, true) => errors.push(external.required("")),
        (true, false) if !external.is_any(&policies) => errors.push(external.not_supported(&policies)),
        _ => {}
    }
    let health = spec.get("healthCheckNodePort");
    match (needs_health_check(object), health.number() == 0) {
        (false, false) => errors.push(
            health.invalid("may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"),
        ),
        (true, true) => errors.push(health.required("")),
        (true, false) => errors.extend(number::port(&health)),
        (false, true) => {}
    }
    let internal = spec.get("internalTrafficPolicy");
    if !internal.is_set() {
        if matches!(kind(object), "NodePort" | "LoadBalancer" | "ClusterIP") {
            errors.push(internal.required(""));
        }
    } else if !internal.is_any(&policies) {
        errors.push(internal.not_supported(&policies));
    }
    let distribution = spec.get("trafficDistribution");
    let known = ["PreferClose", "PreferSameZone", "PreferSameNode"];
    if distribution.is_set() && !distribution.is_any(&known) {
        errors.push(distribution.not_supported(&known));
    }
    errors
}
