//! `Ingress` and `IngressClass`.

use serde_json::{Value, json};

use super::strategy::Strategy;
use crate::validation::{At, Errors, address, names, number};

/// `Ingress`.
pub static INGRESS: Strategy = Strategy {
    names_on_update: true,
    status: true,
    initial_status: r#"{"loadBalancer":{}}"#,
    generation: &["spec"],
    validate: |object| {
        let mut errors = ingress(object);
        let root = At::root(object);
        let name = "kubernetes.io/ingress.class";
        let (note, class) = (
            root.get("metadata").get("annotations").key(name),
            root.get("spec").get("ingressClassName"),
        );
        if note.is_set() && class.is_set() && note.value != class.value {
            let at = note.placed(root.get("annotations").path.child(name));
            errors.push(at.invalid("must match `ingressClassName` when both are specified"));
        }
        errors
    },
    validate_update: Some(|new, _| ingress(new)),
    validate_status: |new, _| {
        let mut errors = Errors::new();
        for item in At::root(new).get("status").get("loadBalancer").get("ingress").items() {
            let (ip, host) = (item.get("ip"), item.get("hostname"));
            if !ip.is_empty() {
                errors.extend(address::legacy_ip(&ip, &[]));
            }
            if !host.is_empty() {
                errors.extend(host.all_invalid(names::dns_subdomain(host.text())));
                if address::parse(host.text()).is_some() {
                    errors.push(host.invalid("must be a DNS name, not an IP address"));
                }
            }
        }
        errors
    },
    warn: |object, _| {
        let note = At::root(object)
            .get("metadata")
            .get("annotations")
            .key("kubernetes.io/ingress.class");
        let says =
            "annotation \"kubernetes.io/ingress.class\" is deprecated, please use 'spec.ingressClassName' instead";
        if note.is_set() { vec![says.into()] } else { Vec::new() }
    },
    ..Strategy::NAMESPACED
};

/// `IngressClass`.
pub static INGRESS_CLASS: Strategy = Strategy {
    names_on_update: true,
    generation: &["spec"],
    validate: |object| {
        let controller = At::root(object).get("spec").get("controller");
        if controller.text().len() > 250 {
            return vec![crate::failure::FieldError::too_long(&controller.path, 250)];
        }
        domain_prefixed_path(&controller)
    },
    validate_update: Some(|new, old| {
        let at = |object| At::root(object).get("spec").get("controller");
        at(new).immutable(&at(old)).into_iter().collect()
    }),
    ..Strategy::CLUSTER
};

/// `acme.io/foo`.
pub(super) fn domain_prefixed_path(at: &At<'_>) -> Errors {
    if at.is_empty() {
        return vec![at.required("")];
    }
    let parts = at
        .text()
        .split_once('/')
        .filter(|(host, path)| !host.is_empty() && !path.is_empty());
    let Some((host, path)) = parts else {
        return vec![at.invalid("must be a domain-prefixed path (such as \"acme.io/foo\")")];
    };
    let mut errors = at.with(&host.into()).all_invalid(names::dns_subdomain(host));
    errors.extend(at.with(&path.into()).all_invalid(names::http_path(path)));
    errors
}

fn ingress(object: &Value) -> Errors {
    let spec = At::root(object).get("spec");
    let (rules, default, class) = (
        spec.get("rules"),
        spec.get("defaultBackend"),
        spec.get("ingressClassName"),
    );
    let mut errors = Errors::new();
    if rules.is_empty() && !default.is_set() {
        let says = "either `defaultBackend` or `rules` must be specified";
        errors.push(rules.placed(spec.path.clone()).invalid(says));
    }
    if default.is_set() {
        errors.extend(backend(&default));
    }
    for rule in rules.items() {
        errors.extend(host(&rule.get("host"), true));
        let http = rule.get("http");
        if http.is_set() && http.get("paths").is_empty() {
            errors.push(http.get("paths").required(""));
        }
        errors.extend(http.get("paths").items().flat_map(|it| path(&it)));
    }
    for tls in spec.get("tls").items() {
        errors.extend(tls.get("hosts").items().flat_map(|it| host(&it, false)));
        let secret = tls.get("secretName");
        if !secret.is_empty() {
            errors.extend(secret.all_invalid(names::dns_subdomain(secret.text())));
        }
    }
    if class.is_set() {
        errors.extend(class.all_invalid(names::dns_subdomain(class.text())));
    }
    errors
}

fn host(at: &At<'_>, optional: bool) -> Errors {
    let mut errors = Errors::new();
    if optional && at.is_empty() {
        return errors;
    }
    if optional && address::parse(at.text()).is_some() {
        errors.push(at.invalid("must be a DNS name, not an IP address"));
    }
    let wildcard = at.text().contains('*');
    let wrong = if wildcard {
        names::wildcard_subdomain(at.text())
    } else {
        names::dns_subdomain(at.text())
    };
    errors.extend(at.all_invalid(wrong));
    errors
}

fn path(item: &At<'_>) -> Errors {
    let (kind, path) = (item.get("pathType"), item.get("path"));
    let mut errors = Errors::new();
    if !kind.is_set() {
        return vec![kind.required("pathType must be specified")];
    }
    let strict = kind.is_any(&["Exact", "Prefix"]);
    let known = ["Exact", "ImplementationSpecific", "Prefix"];
    if !kind.is_any(&known) {
        errors.push(kind.not_supported(&known));
    } else if (strict || !path.is_empty()) && !path.text().starts_with('/') {
        errors.extend(path.all_invalid(["must be an absolute path"]));
    }
    if strict {
        for part in ["//", "/./", "/../", "%2f", "%2F"] {
            if path.text().contains(part) {
                errors.push(path.invalid(format!("must not contain '{part}'")));
            }
        }
        for end in ["/..", "/."] {
            if path.text().ends_with(end) {
                errors.push(path.invalid(format!("cannot end with '{end}'")));
            }
        }
    }
    errors.extend(backend(&item.get("backend")));
    errors
}

fn backend(at: &At<'_>) -> Errors {
    let (service, resource) = (at.get("service"), at.get("resource"));
    let empty = json!("");
    let invalid = |says: &str| vec![at.with(&empty).invalid(says)];
    match (service.is_set(), resource.is_set()) {
        (true, true) => return invalid("cannot set both resource and service backends"),
        (false, false) => return invalid("resource or service backend is required"),
        (false, true) => {
            let fields = ["kind", "name"].map(|it| resource.get(it));
            return fields
                .iter()
                .filter(|it| it.is_empty())
                .map(|it| it.required(""))
                .collect();
        }
        (true, false) => {}
    }
    let name = service.get("name");
    let mut errors = Errors::new();
    if name.is_empty() {
        errors.push(name.required(""));
    } else {
        errors.extend(name.all_invalid(names::dns_label(name.text())));
    }
    let (port_name, port) = (service.get("port").get("name"), service.get("port").get("number"));
    match (!port_name.is_empty(), port.number() != 0) {
        (true, true) => errors.extend(invalid("cannot set both port name & port number")),
        (true, false) => errors.extend(port_name.all_invalid(names::port_name(port_name.text()))),
        (false, true) => errors.extend(number::port(&port)),
        (false, false) => errors.push(at.required("port name or number is required")),
    }
    errors
}
