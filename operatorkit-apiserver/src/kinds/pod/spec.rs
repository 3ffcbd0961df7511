//! What is wrong with a `PodSpec`, in a pod or a template.

use serde_json::{Value, json};

use super::{
    container::{Surroundings, host_network_ports},
    resources, scheduling, security, volume,
};
use crate::{
    failure::FieldError,
    validation::{At, Errors, address, names, number, selector},
};

type Rule = fn(&str) -> names::Messages;

/// A `PodSpec`. `pod` is the name of the pod, or `None` in a template.
pub(in crate::kinds) fn pod_spec(spec: &At<'_>, pod: Option<&str>) -> Errors {
    let mut errors = Errors::new();
    let grace = spec.get("terminationGracePeriodSeconds");
    if !grace.is_set() {
        errors.push(grace.required(""));
    }
    let (volumes, wrong) = volume::volumes(&spec.get("volumes"), pod);
    errors.extend(wrong);
    let claims = spec.get("resourceClaims");
    errors.extend(resource_claims(&claims));
    let claims = claims
        .items()
        .map(|it| it.get("name").text())
        .filter(|it| !it.is_empty())
        .collect();
    let surroundings = Surroundings {
        spec: spec.clone(),
        volumes,
        claims,
    };
    errors.extend(surroundings.containers());
    errors.extend(surroundings.init_containers());
    errors.extend(surroundings.ephemeral_containers());
    errors.extend(host_network_ports(spec, pod.is_some()));
    errors.extend(one_of(&spec.get("restartPolicy"), &["Always", "OnFailure", "Never"]));
    errors.extend(one_of(
        &spec.get("dnsPolicy"),
        &["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"],
    ));
    errors.extend(selector::labels(&spec.get("nodeSelector")));
    errors.extend(security::pod(spec));
    let share = spec.get("shareProcessNamespace");
    if share.is_true() && spec.get("hostPID").is_true() {
        errors.push(share.invalid("ShareProcessNamespace and HostPID cannot both be enabled"));
    }
    errors.extend(scheduling::affinity(&spec.get("affinity")));
    errors.extend(dns_config(spec));
    for gate in spec.get("readinessGates").items() {
        let kind = gate.get("conditionType");
        errors.extend(kind.all_invalid(names::qualified_name(kind.text())));
    }
    errors.extend(scheduling_gates(&spec.get("schedulingGates")));
    errors.extend(scheduling::spread(&spec.get("topologySpreadConstraints")));
    errors.extend(host_users(spec));
    errors.extend(host_name(spec));
    errors.extend(names_and_numbers(spec));
    errors
}

fn one_of(at: &At<'_>, known: &[&str]) -> Option<FieldError> {
    if at.is_empty() {
        return Some(at.required(""));
    }
    (!at.is_any(known)).then(|| at.not_supported(known))
}

fn resource_claims(list: &At<'_>) -> Errors {
    let (mut errors, mut seen) = (Errors::new(), Vec::new());
    for claim in list.items() {
        let name = claim.get("name");
        if name.is_empty() {
            errors.push(name.required(""));
        } else if seen.contains(&name.text()) {
            errors.push(name.duplicate());
        } else {
            errors.extend(name.all_invalid(names::dns_label(name.text())));
            seen.push(name.text());
        }
        let (by_name, template) = (claim.get("resourceClaimName"), claim.get("resourceClaimTemplateName"));
        let says = match (by_name.is_set(), template.is_set()) {
            (true, true) => Some("at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"),
            (false, false) => Some("must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"),
            _ => None,
        };
        if let Some(says) = says {
            // The real server writes the names of the Go fields.
            let shown = json!({
                "Name": name.value, "ResourceClaimName": by_name.value, "ResourceClaimTemplateName": template.value,
            });
            errors.push(At::new(&shown, claim.path.clone()).invalid(says));
        }
        for at in [by_name, template].iter().filter(|it| it.is_set()) {
            errors.extend(at.all_invalid(names::dns_subdomain(at.text())));
        }
    }
    errors
}

fn dns_config(spec: &At<'_>) -> Errors {
    let config = spec.get("dnsConfig");
    let (servers, searches) = (config.get("nameservers"), config.get("searches"));
    let mut errors = Errors::new();
    if spec.get("dnsPolicy").is("None") {
        if !config.is_set() {
            return vec![config.required("must provide `dnsConfig` when `dnsPolicy` is None")];
        }
        if servers.is_empty() {
            return vec![servers.required("must provide at least one DNS nameserver when `dnsPolicy` is None")];
        }
    }
    if servers.len() > 3 {
        errors.push(servers.invalid("must not have more than 3 nameservers"));
    }
    errors.extend(servers.items().flat_map(|it| address::legacy_ip(&it, &[])));
    if searches.len() > 32 {
        errors.push(searches.invalid("must not have more than 32 search paths"));
    }
    let length: usize = searches.items().map(|it| it.text().len() + 1).sum();
    if length > 2049 {
        let says = "must not have more than 2048 characters (including spaces) in the search list";
        errors.push(searches.invalid(says));
    }
    for search in searches.items().filter(|it| !it.is(".")) {
        let text = search.text().strip_suffix('.').unwrap_or(search.text());
        let value = Value::from(text);
        errors.extend(At::new(&value, search.path).all_invalid(names::dns_subdomain_with_underscore(text)));
    }
    let unnamed = config.get("options").items().filter(|it| it.get("name").is_empty());
    errors.extend(unnamed.map(|it| it.required("must not be empty")));
    errors
}

fn scheduling_gates(list: &At<'_>) -> Errors {
    let (mut errors, mut seen) = (Errors::new(), Vec::new());
    for gate in list.items() {
        let name = gate.get("name").placed(gate.path.clone());
        errors.extend(name.all_invalid(names::qualified_name(name.text())));
        if seen.contains(&name.text()) {
            errors.push(name.duplicate());
        }
        seen.push(name.text());
    }
    errors
}

fn host_users(spec: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    if !spec.get("hostUsers").is_false() {
        return errors;
    }
    // The real server writes the names of the Go fields.
    for (name, shown) in [
        ("hostNetwork", "hostNetwork"),
        ("hostPID", "HostPID"),
        ("hostIPC", "HostIPC"),
    ] {
        if spec.get(name).is_true() {
            errors.push(spec.get(shown).forbidden("when `hostUsers` is false"));
        }
    }
    errors
}

fn host_name(spec: &At<'_>) -> Errors {
    let at = spec.get("hostnameOverride");
    let mut errors = Errors::new();
    if !at.is_set() {
        return errors;
    }
    for (name, says) in [
        (
            "setHostnameAsFQDN",
            "may not be specified when setHostnameAsFQDN is true",
        ),
        ("hostNetwork", "may not be specified when hostNetwork is true"),
    ] {
        if spec.get(name).is_true() {
            errors.push(at.forbidden(says));
        }
    }
    if at.text().len() > 64 {
        errors.push(FieldError::too_long(&at.path, 64));
    }
    errors.extend(at.all_invalid(names::dns_subdomain(at.text())));
    errors
}

fn names_and_numbers(spec: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    let rules: [(&str, Rule); 6] = [
        ("serviceAccountName", names::dns_subdomain),
        ("nodeName", names::dns_subdomain),
        ("activeDeadlineSeconds", |_| Vec::new()),
        ("hostname", names::dns_label),
        ("subdomain", names::dns_label),
        ("tolerations", |_| Vec::new()),
    ];
    for (name, rule) in rules {
        let at = spec.get(name);
        match name {
            "activeDeadlineSeconds" if at.is_set() => errors.extend(number::in_range(&at, 1, i64::from(i32::MAX))),
            "tolerations" => errors.extend(scheduling::tolerations(&at)),
            _ if !at.is_empty() => errors.extend(at.all_invalid(rule(at.text()))),
            _ => {}
        }
    }
    for alias in spec.get("hostAliases").items() {
        errors.extend(address::legacy_ip(&alias.get("ip"), &[]));
        let hosts = alias.get("hostnames");
        errors.extend(
            hosts
                .items()
                .flat_map(|it| it.all_invalid(names::dns_subdomain(it.text()))),
        );
    }
    for name in ["priorityClassName", "runtimeClassName"] {
        let at = spec.get(name);
        if !at.is_empty() || name == "runtimeClassName" && at.is_set() {
            errors.extend(at.all_invalid(names::dns_subdomain(at.text())));
        }
    }
    let preemption = spec.get("preemptionPolicy");
    if preemption.is_set() {
        errors.extend(one_of(&preemption, &["PreemptLowerPriority", "Never"]));
    }
    let overhead = spec.get("overhead");
    for (name, at) in overhead.placed(overhead.path.child("limits")).entries() {
        errors.extend(resources::container_resource_name(name, &at));
        errors.extend(resources::quantity(name, &at));
    }
    let os = spec.get("os").get("name").placed(spec.path.child("os"));
    if spec.get("os").is_set() && !os.is_any(&["linux", "windows"]) {
        let name = spec.get("os").get("name");
        errors.push(if os.is_empty() {
            name.required("")
        } else {
            os.not_supported(&["linux", "windows"])
        });
    }
    errors
}
