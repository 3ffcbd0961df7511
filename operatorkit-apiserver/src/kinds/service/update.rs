//! What may change in a `Service` that is there, and in its status.

use serde_json::{Value, json};

use super::{is_headless, kind, needs_health_check, validate::load_balancer_class};
use crate::validation::{At, Errors, address, names};

/// What may not change.
pub(super) fn update(new: &Value, old: &Value) -> Errors {
    let mut errors = Errors::new();
    let (spec, old_spec) = (At::root(new).get("spec"), At::root(old).get("spec"));
    let external = kind(new) == "ExternalName" || kind(old) == "ExternalName";
    let headless = is_headless(new) && is_headless(old);
    if !external && !headless {
        errors.extend(kept(&spec, &old_spec, "clusterIPs", "clusterIP"));
    }
    if !external && !is_headless(new) && !is_headless(old) {
        errors.extend(kept(&spec, &old_spec, "ipFamilies", "ipFamily"));
    }
    if kind(new) == "LoadBalancer" && kind(old) == "LoadBalancer" {
        let class = spec.get("loadBalancerClass");
        if class.value != old_spec.get("loadBalancerClass").value {
            errors.push(class.invalid("may not change once set"));
        }
        errors.extend(load_balancer_class(new, &spec));
    }
    let health = spec.get("healthCheckNodePort");
    let same = health.number() == old_spec.get("healthCheckNodePort").number();
    if needs_health_check(old) && needs_health_check(new) && !same {
        errors.push(health.forbidden("field is immutable"));
    }
    errors
}

/// The first value stays; a second one may come, and go with `SingleStack`.
pub(super) fn kept(spec: &At<'_>, old: &At<'_>, name: &str, one: &str) -> Errors {
    let (new, old) = (spec.get(name), old.get(name));
    let mut errors = Errors::new();
    let says = "may not change once set";
    for (index, (item, before)) in new.items().zip(old.items()).enumerate() {
        let compared = index == 0 || new.len() == old.len();
        if compared && item.value != before.value {
            errors.push(new.placed(new.path.index(index)).invalid(says));
        }
    }
    if old.len() > new.len() {
        if new.is_empty() {
            let empty = json!([]);
            errors.push(At::new(&empty, new.path.index(0)).invalid(format!("primary {one} can not be unset")));
        }
        let policy = spec.get("ipFamilyPolicy");
        if new.len() == 1 && !policy.is("SingleStack") {
            let detail = format!("must be set to 'SingleStack' when releasing the secondary {one}");
            errors.push(policy.invalid(detail));
        }
    }
    errors
}

pub(super) fn status(new: &Value, old: &Value) -> Errors {
    let ingress = |object| At::root(object).get("status").get("loadBalancer").get("ingress");
    let (list, before) = (ingress(new), ingress(old));
    if kind(new) != "LoadBalancer" && !list.is_empty() {
        return vec![list.forbidden("may only be used when `spec.type` is 'LoadBalancer'")];
    }
    let known: Vec<_> = before.items().map(|it| it.get("ip").text()).collect();
    let mut errors = Errors::new();
    for item in list.items() {
        let (ip, mode, host) = (item.get("ip"), item.get("ipMode"), item.get("hostname"));
        if !ip.is_empty() {
            errors.extend(address::legacy_ip(&ip, &known));
        }
        match (mode.is_set(), ip.is_empty()) {
            (false, false) => errors.push(mode.required("must be specified when `ip` is set")),
            (true, true) => errors.push(mode.forbidden("may not be specified when `ip` is not set")),
            (true, false) if !mode.is_any(&["Proxy", "VIP"]) => errors.push(mode.not_supported(&["Proxy", "VIP"])),
            _ => {}
        }
        if !host.is_empty() {
            errors.extend(host.all_invalid(names::dns_subdomain(host.text())));
            if address::parse(host.text()).is_some() {
                errors.push(host.invalid("must be a DNS name, not an IP address"));
            }
        }
    }
    errors
}
