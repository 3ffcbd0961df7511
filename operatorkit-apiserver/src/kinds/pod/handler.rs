//! Probes and lifecycle handlers.

use crate::validation::{At, Errors, names, number};

const HANDLERS: [&str; 5] = ["exec", "httpGet", "tcpSocket", "grpc", "sleep"];

/// `livenessProbe`, `readinessProbe` and `startupProbe` of a container.
pub(super) fn probes(container: &At<'_>, grace: Option<i64>) -> Errors {
    let mut errors = Errors::new();
    for name in ["livenessProbe", "readinessProbe", "startupProbe"] {
        let probe = container.get(name);
        if !probe.is_set() {
            continue;
        }
        errors.extend(handler(&probe, grace));
        for field in [
            "initialDelaySeconds",
            "timeoutSeconds",
            "periodSeconds",
            "successThreshold",
            "failureThreshold",
        ] {
            errors.extend(number::non_negative(&probe.get(field)));
        }
        let termination = probe.get("terminationGracePeriodSeconds");
        if termination.int().is_some_and(|it| it <= 0) {
            errors.push(termination.invalid("must be greater than 0"));
        }
        let success = probe.get("successThreshold");
        if name == "readinessProbe" {
            if termination.is_set() {
                errors.push(termination.invalid("must not be set for readinessProbes"));
            }
        } else if success.number() != 1 {
            errors.push(success.invalid("must be 1"));
        }
    }
    errors
}

/// `lifecycle` of a container.
pub(super) fn lifecycle(container: &At<'_>, grace: Option<i64>) -> Errors {
    let lifecycle = container.get("lifecycle");
    let mut errors = Errors::new();
    for name in ["postStart", "preStop"] {
        let at = lifecycle.get(name);
        if at.is_set() {
            errors.extend(handler(&at, grace));
        }
    }
    errors
}

fn handler(at: &At<'_>, grace: Option<i64>) -> Errors {
    let (mut errors, mut found) = (Errors::new(), false);
    for name in HANDLERS {
        let action = at.get(name);
        if !action.is_set() {
            continue;
        }
        if found {
            errors.push(action.forbidden("may not specify more than 1 handler type"));
            continue;
        }
        found = true;
        match name {
            "exec" if action.get("command").is_empty() => errors.push(action.get("command").required("")),
            "httpGet" => errors.extend(http(&action)),
            "tcpSocket" => errors.extend(number::port_or_name(&action.get("port"))),
            "grpc" => errors.extend(number::port(&action.get("port"))),
            "sleep" => {
                let seconds = action.get("seconds").number();
                if let Some(grace) = grace.filter(|it| !(0..=*it).contains(&seconds)) {
                    let detail = format!("must be non-negative and less than terminationGracePeriodSeconds ({grace})");
                    errors.push(action.get("seconds").placed(action.path.clone()).invalid(detail));
                }
            }
            _ => {}
        }
    }
    if !found {
        errors.push(at.required("must specify a handler type"));
    }
    errors
}

fn http(action: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    let (path, scheme) = (action.get("path"), action.get("scheme"));
    if path.is_empty() {
        errors.push(path.required(""));
    }
    errors.extend(number::port_or_name(&action.get("port")));
    if !scheme.is_any(&["HTTP", "HTTPS"]) {
        errors.push(scheme.not_supported(&["HTTP", "HTTPS"]));
    }
    let headers = action.get("httpHeaders");
    for header in headers.items() {
        let name = header.get("name").placed(headers.path.clone());
        errors.extend(name.all_invalid(names::http_header(name.text())));
    }
    errors
}
