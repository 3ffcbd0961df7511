//! What a client is told about a pod that is well (`pkg/api/pod/warnings.go`).

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{
    failure::FieldPath,
    validation::{At, Quantity, names},
};

/// A port: where it is, and the address and the port of the host.
type Place = (FieldPath, String, i64);

const DEPRECATED_LABELS: [(&str, &str); 6] = [
    (
        "beta.kubernetes.io/arch",
        "deprecated since v1.14; use \"kubernetes.io/arch\" instead",
    ),
    (
        "beta.kubernetes.io/os",
        "deprecated since v1.14; use \"kubernetes.io/os\" instead",
    ),
    (
        "failure-domain.beta.kubernetes.io/region",
        "deprecated since v1.17; use \"topology.kubernetes.io/region\" instead",
    ),
    (
        "failure-domain.beta.kubernetes.io/zone",
        "deprecated since v1.17; use \"topology.kubernetes.io/zone\" instead",
    ),
    (
        "beta.kubernetes.io/instance-type",
        "deprecated since v1.17; use \"node.kubernetes.io/instance-type\" instead",
    ),
    (
        "node.kubernetes.io/exclude-disruption",
        "deprecated since v1.17; use \"node.kubernetes.io/exclude-from-external-load-balancers\" instead",
    ),
];
const DEPRECATED_VOLUMES: [(&str, &str); 9] = [
    ("photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"),
    ("gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"),
    ("scaleIO", "deprecated in v1.16, non-functional in v1.22+"),
    ("flocker", "deprecated in v1.22, non-functional in v1.25+"),
    ("storageos", "deprecated in v1.22, non-functional in v1.25+"),
    ("quobyte", "deprecated in v1.22, non-functional in v1.25+"),
    ("glusterfs", "deprecated in v1.25, non-functional in v1.26+"),
    ("cephfs", "deprecated in v1.28, non-functional in v1.31+"),
    ("rbd", "deprecated in v1.28, non-functional in v1.31+"),
];

/// A pod.
pub(super) fn pod(object: &Value) -> Vec<String> {
    let root = At::root(object);
    let mut warnings = dns_label(object, "the Pod's hostname");
    warnings.extend(of_spec(&root));
    warnings
}

/// A name that is no DNS label, but used as one.
pub(in crate::kinds) fn dns_label(object: &Value, use_: &str) -> Vec<String> {
    let name = At::root(object).get("metadata").get("name");
    let wrong = names::dns_label(name.text());
    if wrong.is_empty() {
        return Vec::new();
    }
    vec![format!(
        "metadata.name: this is used in {use_}, which can result in surprising behavior; a DNS label is recommended: [{}]",
        wrong.join(" ")
    )]
}

/// A pod or a template: an object with `metadata` and `spec`.
pub(super) fn of_spec(at: &At<'_>) -> Vec<String> {
    let spec = at.get("spec");
    let mut warnings = Vec::new();
    for (key, selector) in spec.get("nodeSelector").entries() {
        let known = DEPRECATED_LABELS.iter().find(|it| it.0 == key);
        warnings.extend(known.map(|it| format!("{}: {}", selector.path, it.1)));
    }
    for item in spec.get("topologySpreadConstraints").items() {
        let labels = item.get("labelSelector");
        if !labels.is_set() {
            warnings.push(format!(
                "{}: a null labelSelector results in matching no pod",
                labels.path
            ));
        }
    }
    for volume in spec.get("volumes").items() {
        for (name, says) in DEPRECATED_VOLUMES {
            let source = volume.get(name);
            if source.is_set() {
                warnings.push(format!("{}: {says}", source.path));
            }
        }
    }
    for (list, key, what) in [("hostAliases", "ip", "ip"), ("imagePullSecrets", "name", "name")] {
        let mut seen = Vec::new();
        for item in spec.get(list).items() {
            let field = item.get(key);
            if seen.contains(&field.text()) {
                warnings.push(format!("{}: duplicate {what} {:?}", field.path, field.text()));
            } else if field.is_empty() && list == "imagePullSecrets" {
                warnings.push(format!("{}: invalid empty name \"\"", field.path));
            }
            seen.push(field.text());
        }
    }
    let containers: Vec<_> = ["initContainers", "containers", "ephemeralContainers"]
        .iter()
        .flat_map(|it| spec.get(it).items().collect::<Vec<_>>())
        .collect();
    containers.iter().for_each(|it| warnings.extend(container(it)));
    warnings.extend(ports(&containers));
    warnings
}

fn container(container: &At<'_>) -> Vec<String> {
    let mut warnings = Vec::new();
    let resources = container.get("resources");
    for name in ["memory", "ephemeral-storage"] {
        for list in ["limits", "requests"] {
            let at = resources.get(list).key(name);
            let quantity = Quantity::of(at.value);
            if !quantity.is_integer() {
                let shown = quantity.as_str();
                warnings.push(format!(
                    "{}: fractional byte value {shown:?} is invalid, must be an integer",
                    at.path
                ));
            }
        }
    }
    let mut seen = Vec::new();
    for variable in container.get("env").items() {
        let name = variable.get("name").text();
        if !seen.contains(&name) {
            seen.push(name);
            continue;
        }
        // One that builds on the earlier one means it.
        let (reference, value) = (format!("$({name})"), variable.get("value").text());
        if variable.get("valueFrom").is_set() || value == reference || !value.contains(&reference) {
            warnings.push(format!(
                "{}: hides previous definition of {name:?}, which may be dropped when using apply",
                variable.path
            ));
        }
    }
    warnings
}

fn ports(containers: &[At<'_>]) -> Vec<String> {
    let mut warnings = Vec::new();
    let mut known: BTreeMap<(i64, String), Vec<Place>> = BTreeMap::new();
    for port in containers
        .iter()
        .flat_map(|it| it.get("ports").items().collect::<Vec<_>>())
    {
        let (ip, host) = (port.get("hostIP").text().to_owned(), port.get("hostPort").number());
        let key = (
            port.get("containerPort").number(),
            port.get("protocol").text().to_owned(),
        );
        let others = known.entry(key).or_default();
        for (path, other_ip, other_host) in others.iter() {
            let what = if ip == *other_ip && host == *other_host {
                "duplicate"
            } else if host == 0 || *other_host == 0 {
                "overlapping"
            } else if host == *other_host && ip.is_empty() != other_ip.is_empty() {
                "dangerously ambiguous"
            } else {
                continue;
            };
            warnings.push(format!("{}: {what} port definition with {path}", port.path));
        }
        others.push((port.path, ip, host));
    }
    warnings
}
