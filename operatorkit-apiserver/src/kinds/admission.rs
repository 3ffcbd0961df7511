//! `ValidatingWebhookConfiguration`, `MutatingWebhookConfiguration`, `ValidatingAdmissionPolicy` and its binding.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{edit, strategy::Strategy};
use crate::validation::{At, Errors, names, selector};

const WEBHOOKS: Strategy = Strategy {
    generation: &["webhooks"],
    unconditional_update: false,
    kube_finalizers: false,
    ..Strategy::CLUSTER
};

/// `ValidatingWebhookConfiguration`.
pub static VALIDATING_WEBHOOK_CONFIGURATION: Strategy = Strategy {
    defaults: |object| webhook_defaults(object, false),
    validate: |object| webhooks(object, false),
    ..WEBHOOKS
};

/// `MutatingWebhookConfiguration`.
pub static MUTATING_WEBHOOK_CONFIGURATION: Strategy = Strategy {
    defaults: |object| webhook_defaults(object, true),
    validate: |object| webhooks(object, true),
    ..WEBHOOKS
};

/// `ValidatingAdmissionPolicy`, and kinds of its group that are like it. CEL expressions are not compiled here.
pub static POLICY: Strategy = Strategy {
    generation: &["spec"],
    unconditional_update: false,
    kube_finalizers: false,
    status: true,
    status_keeps_meta: true,
    ..Strategy::CLUSTER
};

/// `ValidatingAdmissionPolicyBinding`, and kinds of its group without a status.
pub static BINDING: Strategy = Strategy {
    status: false,
    status_keeps_meta: false,
    ..POLICY
};

fn webhook_defaults(object: &mut Value, mutating: bool) {
    for hook in edit::items_mut(object, &["webhooks"]) {
        for (name, value) in [
            ("failurePolicy", json!("Fail")),
            ("matchPolicy", json!("Equivalent")),
            ("namespaceSelector", json!({})),
            ("objectSelector", json!({})),
            ("timeoutSeconds", json!(10)),
        ] {
            edit::set_default(hook, &[name], value);
        }
        if mutating {
            edit::set_default(hook, &["reinvocationPolicy"], json!("Never"));
        }
        if edit::get(hook, &["clientConfig", "service"]).is_object() {
            edit::set_default(hook, &["clientConfig", "service", "port"], json!(443));
        }
        edit::items_mut(hook, &["rules"]).for_each(|it| edit::set_default(it, &["scope"], json!("*")));
    }
}

fn webhooks(object: &Value, mutating: bool) -> Errors {
    let (mut errors, mut seen) = (Errors::new(), BTreeSet::new());
    let list = At::root(object).get("webhooks");
    for hook in list.items() {
        errors.extend(webhook(&hook, mutating));
        errors.extend(versions(&hook.get("admissionReviewVersions")));
        let name = hook.get("name");
        if !name.is_empty() && !seen.insert(name.text()) {
            errors.push(name.duplicate());
        }
    }
    errors
}

fn versions(list: &At<'_>) -> Errors {
    if list.is_empty() {
        return vec![list.required("must specify one of v1, v1beta1")];
    }
    let mut errors = Errors::new();
    if !list.items().any(|it| it.is_any(&["v1", "v1beta1"])) {
        errors.push(list.invalid("must include at least one of v1, v1beta1"));
    }
    errors
}

fn webhook(hook: &At<'_>, mutating: bool) -> Errors {
    let name = hook.get("name");
    let mut errors = Errors::new();
    // A fully qualified name: three segments at least.
    if name.is_empty() {
        errors.push(name.required(""));
    } else {
        let wrong = names::dns_subdomain(name.text());
        if !wrong.is_empty() {
            errors.push(name.invalid(wrong.join(",")));
        } else if name.text().split('.').count() < 3 {
            errors.push(name.invalid("should be a domain with at least three segments separated by dots"));
        }
    }
    for rule in hook.get("rules").items() {
        errors.extend(self::rule(&rule));
    }
    let known: [(&str, &[&str]); 3] = [
        ("failurePolicy", &["Fail", "Ignore"]),
        ("matchPolicy", &["Equivalent", "Exact"]),
        ("sideEffects", &["None", "NoneOnDryRun"]),
    ];
    for (field, values) in known {
        let at = hook.get(field);
        if field == "sideEffects" && !at.is_set() {
            errors.push(at.required("must specify one of None, NoneOnDryRun"));
        } else if at.is_set() && !at.is_any(values) {
            errors.push(at.not_supported(values));
        }
    }
    let timeout = hook.get("timeoutSeconds");
    if timeout.int().is_some_and(|it| !(1..=30).contains(&it)) {
        errors.push(timeout.invalid("the timeout value must be between 1 and 30 seconds"));
    }
    for field in ["namespaceSelector", "objectSelector"] {
        errors.extend(selector::label_selector(&hook.get(field)));
    }
    let reinvocation = hook.get("reinvocationPolicy");
    if mutating && reinvocation.is_set() && !reinvocation.is_any(&["IfNeeded", "Never"]) {
        errors.push(reinvocation.not_supported(&["IfNeeded", "Never"]));
    }
    errors.extend(client(&hook.get("clientConfig")));
    errors
}

fn rule(rule: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    for name in ["operations", "apiGroups", "apiVersions", "resources"] {
        let list = rule.get(name);
        if list.is_empty() {
            errors.push(list.required(""));
        }
        if list.len() > 1 && list.items().any(|it| it.is("*")) && name != "resources" {
            errors.push(list.invalid(if name == "operations" {
                "if '*' is present, must not specify other operations"
            } else if name == "apiGroups" {
                "if '*' is present, must not specify other API groups"
            } else {
                "if '*' is present, must not specify other API versions"
            }));
        }
    }
    let known = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
    let unknown = rule.get("operations");
    errors.extend(
        unknown
            .items()
            .filter(|it| !it.is_any(&known))
            .map(|it| it.not_supported(&known)),
    );
    let scope = rule.get("scope");
    if scope.is_set() && !scope.is_any(&["*", "Cluster", "Namespaced"]) {
        errors.push(scope.not_supported(&["*", "Cluster", "Namespaced"]));
    }
    errors
}

fn client(at: &At<'_>) -> Errors {
    let (url, service) = (at.get("url"), at.get("service"));
    let mut errors = Errors::new();
    match (url.is_set(), service.is_set()) {
        (true, true) | (false, false) => errors.push(at.required("exactly one of url or service is required")),
        (true, false) if !url.text().starts_with("https://") => {
            let scheme = json!(url.text().split_once("://").map_or("", |it| it.0));
            let says = "'https' is the only allowed URL scheme; desired format: https://host[/path]";
            errors.push(url.with(&scheme).invalid(says));
        }
        (true, false) => {}
        (false, true) => {
            for name in ["name", "namespace"] {
                let field = service.get(name);
                if field.is_empty() {
                    errors.push(field.required(""));
                }
            }
        }
    }
    errors
}
