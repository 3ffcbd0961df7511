//! Addresses and ports of Services: what is free, taken on creation and update, and given back (`pkg/registry/core/service/storage`).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

pub use super::allocator::{Allocator, Claim};
use super::{allocator::v4, is_headless, kind, needs_health_check, needs_node_port, node_ports, validate};
use crate::{
    failure::FieldError,
    kinds::edit,
    validation::{At, Errors, address},
};

/// Gives a new Service its addresses and ports. For a dry run, revert the claim afterwards.
///
/// # Errors
///
/// What cannot be had; nothing is taken then.
pub fn on_create(service: &mut Value, allocator: &mut Allocator) -> Result<Claim, Errors> {
    normalize(service, None);
    allocate(service, None, allocator)
}

/// The same for an update; what the client left out is taken from the old object.
///
/// # Errors
///
/// What cannot be had; nothing is taken then.
pub fn on_update(new: &mut Value, old: &Value, allocator: &mut Allocator) -> Result<Claim, Errors> {
    patch(new, old);
    normalize(new, Some(old));
    allocate(new, Some(old), allocator)
}

fn allocate(service: &mut Value, old: Option<&Value>, allocator: &mut Allocator) -> Result<Claim, Errors> {
    families(service, old)?;
    let mut claim = Claim::default();
    let taken =
        cluster_ip(service, old, allocator, &mut claim).and_then(|()| ports(service, old, allocator, &mut claim));
    match taken {
        Ok(()) => Ok(claim),
        Err(error) => {
            claim.revert(allocator);
            Err(vec![error])
        }
    }
}

/// Allocated values that the client left out.
fn patch(new: &mut Value, old: &Value) {
    if kind(new) != "ExternalName" && kind(old) != "ExternalName" {
        for name in ["clusterIP", "clusterIPs"] {
            if At::root(new).get("spec").get(name).is_empty() {
                edit::keep(new, old, &["spec", name]);
            }
        }
    }
    if needs_node_port(new) && needs_node_port(old) {
        let mut used: BTreeSet<_> = node_ports(new).into_iter().collect();
        let ports = At::root(old).get("spec").get("ports");
        let known: BTreeMap<_, _> = ports
            .items()
            .map(|it| (it.get("name").text(), it.get("nodePort").number()))
            .collect();
        for port in edit::items_mut(new, &["spec", "ports"]) {
            let was = known.get(edit::text(port, &["name"])).copied().unwrap_or_default();
            if edit::number(port, &["nodePort"]) == 0 && was != 0 && used.insert(was) {
                edit::set(port, &["nodePort"], json!(was));
            }
        }
    }
    if needs_health_check(new) && needs_health_check(old) {
        let path = ["spec", "healthCheckNodePort"];
        if edit::number(new, &path) == 0 {
            edit::keep(new, old, &path);
        }
    }
}

/// `clusterIP` and `clusterIPs` follow each other.
fn normalize(new: &mut Value, old: Option<&Value>) {
    let single = edit::text(new, &["spec", "clusterIP"]).to_owned();
    let list = edit::get(new, &["spec", "clusterIPs"]).clone();
    let Some(old) = old else {
        if !single.is_empty() && At::root(&list).is_empty() {
            edit::set(new, &["spec", "clusterIPs"], json!([single]));
        }
        return;
    };
    let same_list = list == *edit::get(old, &["spec", "clusterIPs"]);
    let was = edit::text(old, &["spec", "clusterIP"]);
    if single != was && same_list {
        match single.as_str() {
            "" => drop(edit::remove(new, &["spec", "clusterIPs"])),
            _ => edit::set(new, &["spec", "clusterIPs"], json!([single])),
        }
    }
}

fn families(service: &mut Value, old: Option<&Value>) -> Result<(), Errors> {
    if kind(service) == "ExternalName" {
        return Ok(());
    }
    let selectorless = is_headless(service) && At::root(service).get("spec").get("selector").is_empty();
    let policy = ["spec", "ipFamilyPolicy"];
    if edit::get(service, &policy).is_null() {
        let known = old.map(|it| edit::get(it, &policy)).filter(|it| !it.is_null()).cloned();
        let default = if selectorless {
            "RequireDualStack"
        } else {
            "SingleStack"
        };
        edit::set(service, &policy, known.unwrap_or_else(|| default.into()));
    }
    let errors = validate::cluster_ips(service, old);
    if !errors.is_empty() {
        return Err(errors);
    }
    let spec = At::root(service).get("spec");
    let (policy, families) = (spec.get("ipFamilyPolicy"), spec.get("ipFamilies"));
    let mut errors = Errors::new();
    if policy.is("SingleStack") {
        let says = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
        if spec.get("clusterIPs").len() == 2 {
            errors.push(policy.invalid(format!("{says} cluster IPs are specified")));
        }
        if families.len() == 2 {
            errors.push(policy.invalid(format!("{says} IP families are specified")));
        }
    }
    if errors.is_empty() && !selectorless {
        if policy.is("RequireDualStack") {
            errors.push(policy.invalid("this cluster is not configured for dual-stack services"));
        }
        let missing = families.items().filter(|it| it.is("IPv6"));
        errors.extend(missing.map(|it| it.invalid("not configured on this cluster")));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let (single, mut found) = (
        policy.is("SingleStack"),
        families.value.as_array().cloned().unwrap_or_default(),
    );
    if found.is_empty() {
        found.push(json!("IPv4"));
    }
    if selectorless && found.len() == 1 && !single {
        found.push(json!(if found[0] == "IPv4" { "IPv6" } else { "IPv4" }));
    }
    edit::set(service, &["spec", "ipFamilies"], found.into());
    Ok(())
}

fn cluster_ip(
    service: &mut Value,
    old: Option<&Value>,
    allocator: &mut Allocator,
    claim: &mut Claim,
) -> Result<(), FieldError> {
    let (now, before) = (
        kind(service) == "ExternalName",
        old.map(|it| kind(it) == "ExternalName"),
    );
    if now {
        if let Some(old) = old.filter(|it| !is_headless(it)) {
            claim.old_ips = Claim::of(old).ips;
        }
        return Ok(());
    }
    if before == Some(false) || is_headless(service) {
        return Ok(());
    }
    let ips = At::root(service).get("spec").get("clusterIPs");
    let given = ips.items().next().map(|it| it.text().to_owned());
    let ip = match given.as_deref().and_then(address::parse) {
        Some(ip) if ip.is_ipv6() => {
            let first = ips.placed(ips.path.index(0));
            return Err(first.invalid("IPv6 is not configured on this cluster"));
        }
        Some(ip) => {
            let shown = given.unwrap_or_default();
            let taken = allocator.take_ip(ip);
            taken.map_err(|why| ips.invalid(format!("failed to allocate IP {shown}: {why}")))?;
            ip
        }
        None => {
            let next = allocator.next_ip();
            next.map_err(|why| ips.invalid(format!("failed to allocate IP: {why}")))?
                .into()
        }
    };
    claim.ips.extend(v4(&ip.to_string()));
    edit::set(service, &["spec", "clusterIP"], json!(ip.to_string()));
    edit::set(service, &["spec", "clusterIPs"], json!([ip.to_string()]));
    Ok(())
}

fn ports(
    service: &mut Value,
    old: Option<&Value>,
    allocator: &mut Allocator,
    claim: &mut Claim,
) -> Result<(), FieldError> {
    let before = old.map(Claim::of).unwrap_or_default().ports;
    let refused = |index: usize, port: i64, why: String| {
        let at = At::root(&Value::Null)
            .get("spec")
            .get("ports")
            .path
            .index(index)
            .child("nodePort");
        FieldError::invalid(&at, &json!(port), why)
    };
    if needs_node_port(service) {
        let wanted = kind(service) == "NodePort"
            || At::root(service)
                .get("spec")
                .get("allocateLoadBalancerNodePorts")
                .is_true();
        let list = At::root(service).get("spec").get("ports");
        let pair = |it: At<'_>| (it.get("port").number(), it.get("nodePort").number());
        let requested: Vec<_> = list.items().map(pair).filter(|it| it.1 != 0).collect();
        // The same port of another protocol gets the same node port.
        let mut given: BTreeMap<i64, i64> = BTreeMap::new();
        for (index, port) in edit::items_mut(service, &["spec", "ports"]).enumerate() {
            let (number, mut node) = (edit::number(port, &["port"]), edit::number(port, &["nodePort"]));
            if node == 0 && !wanted {
                continue;
            }
            if node == 0 && old.is_none() {
                let known = requested.iter().find(|it| it.0 == number).map(|it| it.1);
                node = given.get(&number).copied().or(known).unwrap_or_default();
            }
            let has = given.get(&number) == Some(&node)
                || before.contains(&node)
                || old.is_some() && claim.ports.contains(&node);
            if node == 0 {
                node = allocator.next_port().map_err(|why| refused(index, 0, why))?;
            } else if !has {
                allocator.take_port(node).map_err(|why| refused(index, node, why))?;
            }
            if !before.contains(&node) {
                claim.ports.insert(node);
            }
            given.entry(number).or_insert(node);
            edit::set(port, &["nodePort"], json!(node));
        }
    }
    if needs_health_check(service) {
        let path = ["spec", "healthCheckNodePort"];
        let at = At::root(service).get("spec").get("healthCheckNodePort");
        let given = at.number();
        if given == 0 {
            let port = allocator.next_port().map_err(|why| at.invalid(why))?;
            claim.ports.insert(port);
            edit::set(service, &path, json!(port));
        } else if !before.contains(&given) {
            let says = format!("failed to allocate requested HealthCheck NodePort {given}");
            allocator
                .take_port(given)
                .map_err(|why| at.invalid(format!("{says}: {why}")))?;
            claim.ports.insert(given);
        }
    }
    // What the new type does not need is dropped by the strategy.
    let mut now: BTreeSet<_> = if needs_node_port(service) {
        node_ports(service).into_iter().collect()
    } else {
        BTreeSet::new()
    };
    if needs_health_check(service) {
        now.insert(edit::number(service, &["spec", "healthCheckNodePort"]));
    }
    claim.old_ports = before.difference(&now).copied().collect();
    Ok(())
}
