//! Environment variables and where their values come from.

use serde_json::Value;

use crate::{
    failure::FieldPath,
    validation::{At, Errors, Quantity, names},
};

type Rule = fn(&At<'_>) -> Errors;

const ENV_FIELDS: [&str; 9] = [
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
];
const VOLUME_FIELDS: [&str; 5] = [
    "metadata.annotations",
    "metadata.labels",
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
];
const RESOURCES: [&str; 6] = [
    "limits.cpu",
    "limits.ephemeral-storage",
    "limits.memory",
    "requests.cpu",
    "requests.ephemeral-storage",
    "requests.memory",
];
const BYTES: [&str; 13] = [
    "1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei",
];
/// Fields that the downward API knows by name, wherever they are allowed.
const KNOWN: [&str; 10] = [
    "metadata.annotations",
    "metadata.labels",
    "spec.restartPolicy",
    "spec.schedulerName",
    "status.phase",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
    "spec.host",
];

/// `env`.
pub(super) fn env(list: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    for item in list.items() {
        let name = item.get("name");
        if name.is_empty() {
            errors.push(name.required(""));
        } else {
            errors.extend(name.all_invalid(names::environment_name(name.text())));
        }
        errors.extend(value_from(&item));
    }
    errors
}

fn value_from(item: &At<'_>) -> Errors {
    let from = item.get("valueFrom");
    let mut errors = Errors::new();
    if !from.is_set() {
        return errors;
    }
    let mut sources = 0;
    for name in [
        "fieldRef",
        "resourceFieldRef",
        "configMapKeyRef",
        "secretKeyRef",
        "fileKeyRef",
    ] {
        let source = from.get(name);
        if !source.is_set() {
            continue;
        }
        sources += 1;
        errors.extend(match name {
            "fieldRef" => field_ref(&source, false),
            "resourceFieldRef" => resource_ref(&source, false),
            "fileKeyRef" => file_ref(&source),
            _ => key_ref(&source),
        });
    }
    let empty = Value::from("");
    let at = At::new(&empty, from.path);
    if sources == 0 {
        let known = "`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";
        errors.push(at.invalid(format!("must specify one of: {known}")));
    } else if !item.get("value").is_empty() {
        errors.push(at.invalid("may not be specified when `value` is not empty"));
    } else if sources > 1 {
        errors.push(at.invalid("may not have more than one field specified at a time"));
    }
    errors
}

/// A field of the pod, for a variable or a volume.
pub(super) fn field_ref(at: &At<'_>, volume: bool) -> Errors {
    let (version, field) = (at.get("apiVersion"), at.get("fieldPath"));
    if version.is_empty() {
        return vec![version.required("")];
    }
    if field.is_empty() {
        return vec![field.required("")];
    }
    let text = field.text();
    if let Some((path, rest)) = text.split_once("['")
        && let Some(key) = rest.strip_suffix("']")
    {
        let key = Value::from(if path == "metadata.annotations" {
            key.to_lowercase()
        } else {
            key.into()
        });
        let key = At::new(&key, at.path.clone());
        return match path {
            "metadata.annotations" | "metadata.labels" => key.all_invalid(names::qualified_name(key.text())),
            _ => vec![At::new(&path.into(), at.path.clone()).invalid("does not support subscript")],
        };
    }
    let allowed: &[&str] = if volume { &VOLUME_FIELDS } else { &ENV_FIELDS };
    if allowed.contains(&text) {
        return Errors::new();
    }
    if !KNOWN.contains(&text) && !ENV_FIELDS.contains(&text) {
        return vec![field.invalid(format!("error converting fieldPath: field label not supported: {text}"))];
    }
    vec![field.not_supported(allowed)]
}

/// A resource of a container, for a variable or a volume.
pub(super) fn resource_ref(at: &At<'_>, volume: bool) -> Errors {
    let mut errors = Errors::new();
    let (container, resource) = (at.get("containerName"), at.get("resource"));
    let name = resource.text();
    let huge = name.starts_with("requests.hugepages-") || name.starts_with("limits.hugepages-");
    if volume && container.is_empty() {
        errors.push(container.required(""));
    } else if resource.is_empty() {
        errors.push(resource.required(""));
    } else if !RESOURCES.contains(&name) && !huge {
        errors.push(resource.not_supported(&RESOURCES));
    }
    let divisor = Quantity::of(at.get("divisor").value);
    if divisor.is_zero() {
        return errors;
    }
    let bytes = "1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are";
    let (known, values, what): (&[&str], _, _) = match name.split_once('.').map_or("", |it| it.1) {
        "cpu" => (&["1m", "1"], "1m and 1 are", "cpu"),
        "memory" => (&BYTES, bytes, "memory"),
        "ephemeral-storage" => (&BYTES, bytes, "local ephemeral storage"),
        _ if huge => (&BYTES, bytes, "hugepages"),
        _ => return errors,
    };
    if !known.contains(&divisor.as_str()) {
        let detail = format!("only divisor's values {values} supported with the {what} resource");
        errors.push(resource.placed(at.path.child("divisor")).invalid(detail));
    }
    errors
}

fn key_ref(at: &At<'_>) -> Errors {
    let (name, key) = (at.get("name"), at.get("key"));
    let mut errors = name.all_invalid(names::dns_subdomain(name.text()));
    if key.is_empty() {
        errors.push(key.required(""));
    } else {
        errors.extend(key.all_invalid(names::config_key(key.text())));
    }
    errors
}

fn file_ref(at: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    let rules: [(&str, Rule); 3] = [
        ("key", |at| at.all_invalid(names::environment_name(at.text()))),
        ("volumeName", |at| at.all_invalid(names::dns_label(at.text()))),
        ("path", |at| super::volume::no_backsteps(at).into_iter().collect()),
    ];
    for (name, rule) in rules {
        let field = at.get(name);
        if field.is_empty() {
            errors.push(field.required(""));
        } else {
            errors.extend(rule(&field));
        }
    }
    errors
}

/// `envFrom`.
pub(super) fn env_from(list: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    let at_list = |path: &FieldPath, detail: &str| At::new(&"".into(), path.clone()).invalid(detail);
    for item in list.items() {
        let prefix = item.get("prefix");
        if !prefix.is_empty() {
            errors.extend(prefix.all_invalid(names::environment_name(prefix.text())));
        }
        let mut sources = 0;
        for name in ["configMapRef", "secretRef"] {
            let source = item.get(name);
            if !source.is_set() {
                continue;
            }
            sources += 1;
            let name = source.get("name");
            if name.is_empty() {
                errors.push(name.required(""));
            } else {
                errors.extend(name.all_invalid(names::subdomain_name(name.text(), true)));
            }
        }
        match sources {
            0 => errors.push(at_list(
                &list.path,
                "must specify one of: `configMapRef` or `secretRef`",
            )),
            1 => {}
            _ => errors.push(at_list(
                &list.path,
                "may not have more than one field specified at a time",
            )),
        }
    }
    errors
}
