//! Services and their endpoints, Ingresses, addresses.

use serde_json::{Value, json};

use super::cell::Cell::{self, Age, Name, Of, Selector, Text, TextOr};
use super::cell::joined;
use super::ingress;
use crate::read::{first_of, integer, items, some_text, text};

pub(super) fn cells_of(kind: &str) -> Option<&'static [Cell]> {
    Some(match kind {
        "Ingress" => &[
            Name,
            TextOr("/spec/ingressClassName", "<none>"),
            Of(ingress::hosts),
            Of(ingress::addresses),
            Of(ingress::ingress_ports),
            Age,
        ],
        "IngressClass" => &[
            Of(ingress::ingress_class),
            Text("/spec/controller"),
            Of(ingress::ingress_parameters),
            Age,
        ],
        "NetworkPolicy" => &[Name, Selector("/spec/podSelector"), Age],
        "ServiceCIDR" => &[Name, Of(cidrs), Age],
        // The real server's rows have an age here that no column shows.
        "IPAddress" => &[Name, Of(parent), Age],
        "EndpointSlice" => &[Name, Text("/addressType"), Of(slice_ports), Of(slice_endpoints), Age],
        _ => return None,
    })
}

pub(super) fn cluster_ip(service: &Value) -> Value {
    json!(
        service
            .pointer("/spec/clusterIPs/0")
            .and_then(Value::as_str)
            .unwrap_or("<none>")
    )
}

pub(super) fn external_ip(service: &Value) -> Value {
    let own: Vec<&str> = items(service, "/spec/externalIPs")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let balancer = load_balancer(service);
    json!(match text(service, "/spec/type") {
        "ClusterIP" | "NodePort" if own.is_empty() => "<none>".to_owned(),
        "ClusterIP" | "NodePort" => own.join(","),
        "LoadBalancer" if own.is_empty() && balancer.is_empty() => "<pending>".to_owned(),
        "LoadBalancer" => balancer
            .iter()
            .map(String::as_str)
            .chain(own)
            .collect::<Vec<_>>()
            .join(","),
        "ExternalName" => text(service, "/spec/externalName").to_owned(),
        _ => "<unknown>".to_owned(),
    })
}

/// The addresses or names of a load balancer, in order, each once.
pub(super) fn load_balancer(object: &Value) -> Vec<String> {
    let address = |ingress| {
        some_text(ingress, "/ip")
            .or_else(|| some_text(ingress, "/hostname"))
            .map(str::to_owned)
    };
    let mut addresses: Vec<String> = items(object, "/status/loadBalancer/ingress")
        .iter()
        .filter_map(address)
        .collect();
    addresses.sort_unstable();
    addresses.dedup();
    addresses
}

/// `80/TCP,443:30443/TCP`.
pub(super) fn service_ports(service: &Value) -> Value {
    let port = |port: &Value| {
        let (number, protocol) = (integer(port, "/port"), text(port, "/protocol"));
        match integer(port, "/nodePort") {
            1.. => format!("{number}:{}/{protocol}", integer(port, "/nodePort")),
            _ => format!("{number}/{protocol}"),
        }
    };
    let ports: Vec<String> = items(service, "/spec/ports").iter().map(port).collect();
    json!(if ports.is_empty() {
        "<none>".to_owned()
    } else {
        ports.join(",")
    })
}

/// Each address with each port of its subset, the first three of them.
pub(super) fn endpoints(object: &Value) -> Value {
    let subsets = items(object, "/subsets");
    if subsets.is_empty() {
        return json!("<none>");
    }
    let mut all = Vec::new();
    for subset in subsets {
        let addresses = || items(subset, "/addresses").iter().map(|address| text(address, "/ip"));
        let ports = items(subset, "/ports");
        if ports.is_empty() {
            all.extend(addresses().map(str::to_owned));
        }
        for port in ports {
            all.extend(addresses().map(|ip| host_port(ip, integer(port, "/port"))));
        }
    }
    json!(if all.is_empty() {
        String::new()
    } else {
        first_of(&all, 3)
    })
}

fn host_port(ip: &str, port: i64) -> String {
    if ip.contains(':') {
        format!("[{ip}]:{port}")
    } else {
        format!("{ip}:{port}")
    }
}

fn slice_ports(slice: &Value) -> Value {
    let port = |port: &Value| match port.get("port").and_then(Value::as_i64) {
        Some(number) => number.to_string(),
        None => port.get("name").and_then(Value::as_str).unwrap_or("*").to_owned(),
    };
    let ports: Vec<String> = items(slice, "/ports").iter().map(port).collect();
    json!(first_of(&ports, 3))
}

fn slice_endpoints(slice: &Value) -> Value {
    let endpoints = items(slice, "/endpoints").iter();
    let addresses: Vec<&str> = endpoints
        .flat_map(|endpoint| items(endpoint, "/addresses"))
        .filter_map(Value::as_str)
        .collect();
    json!(first_of(&addresses, 3))
}

fn cidrs(object: &Value) -> Value {
    json!(joined(object, "/spec/cidrs", ""))
}

/// `resource.group/namespace/name`.
fn parent(address: &Value) -> Value {
    let Some(parent) = address.pointer("/spec/parentRef").filter(|parent| !parent.is_null()) else {
        return json!("<none>");
    };
    let mut line = text(parent, "/resource").to_lowercase();
    if let Some(group) = some_text(parent, "/group") {
        line = format!("{line}.{}", group.to_lowercase());
    }
    for part in [some_text(parent, "/namespace"), Some(text(parent, "/name"))]
        .into_iter()
        .flatten()
    {
        line = format!("{line}/{part}");
    }
    json!(line)
}
