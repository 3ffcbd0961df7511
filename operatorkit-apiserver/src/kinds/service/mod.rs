//! `Service`.
//!
//! The real server allocates before it prepares and checks: call [`allocate::on_create`] (or [`allocate::on_update`]), then
//! [`Strategy::before_create`], and [`allocate::Claim::commit`] or [`allocate::Claim::revert`].

pub mod allocate;
mod allocator;
mod update;
mod validate;

use serde_json::{Value, json};

use super::{edit, strategy::Strategy};
use crate::validation::{At, address, at::same, names};

/// `Service`.
pub static SERVICE: Strategy = Strategy {
    name: names::label_name,
    status: true,
    initial_status: r#"{"loadBalancer":{}}"#,
    create_on_update: true,
    defaults,
    prepare_update: drop_type_dependent,
    validate: |object| validate::service(object, None),
    validate_update: Some(|new, old| {
        let mut errors = update::update(new, old);
        errors.extend(validate::service(new, Some(old)));
        errors
    }),
    validate_status: update::status,
    warn: |object, _| warnings(object),
    ..Strategy::NAMESPACED
};

pub(super) fn kind(object: &Value) -> &str {
    edit::text(object, &["spec", "type"])
}

pub(super) fn is_headless(object: &Value) -> bool {
    let ips = edit::get(object, &["spec", "clusterIPs"]).as_array();
    ips.is_some_and(|it| it.len() == 1 && it[0] == "None")
}

pub(super) fn needs_node_port(object: &Value) -> bool {
    matches!(kind(object), "NodePort" | "LoadBalancer")
}

/// A load balancer with local traffic has a port for health checks.
pub(super) fn needs_health_check(object: &Value) -> bool {
    kind(object) == "LoadBalancer" && edit::text(object, &["spec", "externalTrafficPolicy"]) == "Local"
}

pub(super) fn is_external(object: &Value) -> bool {
    let ips = !At::root(object).get("spec").get("externalIPs").is_empty();
    needs_node_port(object) || kind(object) == "ClusterIP" && ips
}

pub(super) fn node_ports(object: &Value) -> Vec<i64> {
    let ports = At::root(object).get("spec").get("ports");
    ports
        .items()
        .filter_map(|it| it.get("nodePort").int())
        .filter(|it| *it != 0)
        .collect()
}

fn defaults(object: &mut Value) {
    edit::set_default(object, &["spec", "sessionAffinity"], json!("None"));
    if edit::text(object, &["spec", "sessionAffinity"]) == "None" {
        edit::remove(object, &["spec", "sessionAffinityConfig"]);
    }
    let timeout = ["spec", "sessionAffinityConfig", "clientIP", "timeoutSeconds"];
    if edit::text(object, &["spec", "sessionAffinity"]) == "ClientIP" {
        edit::set_default(object, &timeout, json!(10800));
    }
    edit::set_default(object, &["spec", "type"], json!("ClusterIP"));
    for port in edit::items_mut(object, &["spec", "ports"]) {
        edit::set_default(port, &["protocol"], json!("TCP"));
        let target = edit::get(port, &["targetPort"]);
        if target.is_null() || *target == json!(0) || *target == json!("") {
            let number = edit::get(port, &["port"]).clone();
            edit::set(port, &["targetPort"], number);
        }
    }
    if is_external(object) && edit::text(object, &["spec", "externalTrafficPolicy"]).is_empty() {
        edit::set(object, &["spec", "externalTrafficPolicy"], json!("Cluster"));
    }
    if kind(object) != "ExternalName" {
        edit::set_default(object, &["spec", "internalTrafficPolicy"], json!("Cluster"));
    }
    if kind(object) == "LoadBalancer" {
        edit::set_default(object, &["spec", "allocateLoadBalancerNodePorts"], json!(true));
        for ingress in edit::items_mut(object, &["status", "loadBalancer", "ingress"]) {
            if !edit::text(ingress, &["ip"]).is_empty() {
                edit::set_default(ingress, &["ipMode"], json!("VIP"));
            }
        }
    }
}

/// What the old type had and the new type has not is dropped, unless the client changed it at the same time.
fn drop_type_dependent(new: &mut Value, old: &Value) {
    let drop_if_same = |new: &mut Value, name: &str| {
        let path = ["spec", name];
        if same(edit::get(new, &path), edit::get(old, &path)) {
            edit::remove(new, &path);
        }
    };
    if kind(old) != "ExternalName" && kind(new) == "ExternalName" {
        let unchanged = |name: &str| same(edit::get(new, &["spec", name]), edit::get(old, &["spec", name]));
        if unchanged("clusterIP") && unchanged("clusterIPs") {
            edit::remove(new, &["spec", "clusterIP"]);
            edit::remove(new, &["spec", "clusterIPs"]);
        }
        drop_if_same(new, "ipFamilies");
        drop_if_same(new, "ipFamilyPolicy");
    }
    if needs_node_port(old) && !needs_node_port(new) {
        let known = node_ports(old);
        if node_ports(new).iter().all(|it| known.contains(it)) {
            edit::items_mut(new, &["spec", "ports"]).for_each(|it| drop(edit::remove(it, &["nodePort"])));
        }
    }
    if needs_health_check(old) && !needs_health_check(new) {
        drop_if_same(new, "healthCheckNodePort");
    }
    if kind(old) == "LoadBalancer" && kind(new) != "LoadBalancer" {
        drop_if_same(new, "allocateLoadBalancerNodePorts");
        drop_if_same(new, "loadBalancerClass");
    }
    if is_external(old) && !is_external(new) {
        drop_if_same(new, "externalTrafficPolicy");
    }
    if kind(new) != "LoadBalancer" {
        edit::set(new, &["status", "loadBalancer"], json!({}));
    }
    if kind(new) == "ExternalName" {
        edit::remove(new, &["spec", "internalTrafficPolicy"]);
    }
}

fn warnings(object: &Value) -> Vec<String> {
    let root = At::root(object);
    let spec = root.get("spec");
    let mut warnings = Vec::new();
    let hints = "service.kubernetes.io/topology-aware-hints";
    if root.get("metadata").get("annotations").key(hints).is_set() {
        let mode = "service.kubernetes.io/topology-mode";
        warnings.push(format!("annotation {hints} is deprecated, please use {mode} instead"));
    }
    let ips = spec.get("externalIPs");
    if spec.get("clusterIP").is("None") && spec.get("type").is("ClusterIP") {
        if !spec.get("loadBalancerIP").is_empty() {
            warnings.push("spec.loadBalancerIP is ignored for headless services".into());
        }
        if !ips.is_empty() {
            warnings.push("spec.externalIPs is ignored for headless services".into());
        }
        if !spec.get("sessionAffinity").is("None") {
            warnings.push("spec.SessionAffinity is ignored for headless services".into());
        }
    } else if !ips.is_empty() && kind(object) != "ExternalName" {
        warnings.extend(ips.items().filter_map(|it| ip_warning(&it)));
        warnings.push("spec.externalIPs is deprecated and may no longer be implemented in some clusters".into());
    }
    if kind(object) == "ExternalName" && !ips.is_empty() {
        warnings.push("spec.externalIPs is ignored when spec.type is \"ExternalName\"".into());
    }
    if kind(object) != "ExternalName" && !spec.get("externalName").is_empty() {
        warnings.push("spec.externalName is ignored when spec.type is not \"ExternalName\"".into());
    }
    if spec.get("trafficDistribution").is("PreferClose") {
        warnings.push("spec.trafficDistribution: \"PreferClose\" is deprecated; use \"PreferSameZone\"".into());
    }
    warnings
}

/// An address that is not in its canonical form.
fn ip_warning(at: &At<'_>) -> Option<String> {
    let canonical = address::parse(at.text())?.to_string();
    (canonical != at.text()).then(|| {
        let (path, text) = (&at.path, at.text());
        format!("{path}: IPv6 address {text:?} should be in RFC 5952 canonical format ({canonical:?})")
    })
}
