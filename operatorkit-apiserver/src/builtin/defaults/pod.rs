//! Pods, containers, images, volumes.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::json;

use super::field::{Fields, complete, default, default_empty, filled, given, items, object, text};

/// What a Pod gets and a Pod template does not.
pub(super) fn pod(fields: &mut Fields) {
    let Some(spec) = object(fields, "spec") else { return };
    if spec
        .get("terminationGracePeriodSeconds")
        .and_then(serde_json::Value::as_i64)
        .is_some_and(|it| it < 0)
    {
        spec.insert("terminationGracePeriodSeconds".into(), 1.into());
    }
    default(spec, "enableServiceLinks", true);
    let host_network = filled(spec, "hostNetwork");
    for list in ["containers", "initContainers"] {
        for container in items(spec, list) {
            if let Some(resources) = object(container, "resources")
                && filled(resources, "limits")
            {
                complete(resources, "requests", "limits");
            }
            if host_network {
                items(container, "ports").for_each(host_port);
            }
        }
    }
}

fn host_port(port: &mut Fields) {
    if let Some(container_port) = port.get("containerPort").cloned() {
        default_empty(port, "hostPort", container_port);
    }
}

/// `serviceAccount` is the old name of `serviceAccountName`, which wins.
pub(super) fn pod_spec(fields: &mut Fields) {
    for (from, to) in [
        ("serviceAccount", "serviceAccountName"),
        ("serviceAccountName", "serviceAccount"),
    ] {
        let name = text(fields, from).to_owned();
        let wins = from == "serviceAccountName" || !filled(fields, to);
        if !name.is_empty() && wins {
            fields.insert(to.into(), name.into());
        }
    }
}

/// `podIP` is the first of `podIPs`, and wins.
pub(super) fn pod_status(fields: &mut Fields) {
    let first = fields
        .get("podIPs")
        .and_then(|ips| ips[0]["ip"].as_str())
        .map(str::to_owned);
    let one = text(fields, "podIP").to_owned();
    match first {
        Some(first) if one.is_empty() => drop(fields.insert("podIP".into(), first.into())),
        first if !one.is_empty() && first.as_ref() != Some(&one) => {
            fields.insert("podIPs".into(), json!([{ "ip": one }]));
        }
        _ => {}
    }
}

/// The pull policy depends on the tag.
pub(super) fn container(fields: &mut Fields) {
    let policy = pull_policy(text(fields, "image"));
    default_empty(fields, "imagePullPolicy", policy);
}

/// The pull policy depends on the tag.
pub(super) fn image_volume(fields: &mut Fields) {
    let policy = pull_policy(text(fields, "reference"));
    default_empty(fields, "pullPolicy", policy);
}

/// A volume without a source is an empty folder.
pub(super) fn volume(fields: &mut Fields) {
    if !fields.keys().any(|name| name != "name" && given(fields, name)) {
        fields.insert("emptyDir".into(), json!({}));
    }
}

/// `Always` for the tag `latest`, which is also meant by a name without a tag and a digest. A name that is none
/// (`distribution/reference`) has no tag.
pub(super) fn pull_policy(image: &str) -> &'static str {
    static REFERENCE: LazyLock<Regex> = LazyLock::new(|| {
        let part = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
        let host = format!(r"(?:{part}(?:\.{part})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?");
        let path = r"[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
        let digest = r"[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}";
        Regex::new(&format!(
            r"^(?P<name>(?:{host}/)?{path}(?:/{path})*)(?::(?P<tag>\w[\w.-]{{0,127}}))?(?P<digest>@{digest})?$"
        ))
        .expect("a pattern that the tests have seen")
    });
    let Some(parts) = REFERENCE.captures(image) else {
        return "IfNotPresent";
    };
    let name = parts.name("name").map_or("", |name| name.as_str());
    // 64 digits are an identifier, and no name.
    let is_identifier = image.len() == 64 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let latest = match (parts.name("tag"), parts.name("digest")) {
        (Some(tag), _) => tag.as_str() == "latest",
        (None, digest) => digest.is_none() && !is_identifier,
    };
    if latest { "Always" } else { "IfNotPresent" }
}
