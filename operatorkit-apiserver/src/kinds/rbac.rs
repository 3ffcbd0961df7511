//! `Role`, `ClusterRole` and their bindings.

use serde_json::{Value, json};

use super::{edit, strategy::Strategy};
use crate::validation::{At, Errors, names, selector};

const GROUP: &str = "rbac.authorization.k8s.io";

const ANY: Strategy = Strategy {
    name: names::path_segment,
    create_on_update: true,
    ..Strategy::NAMESPACED
};

/// `Role`.
pub static ROLE: Strategy = Strategy {
    names_on_update: true,
    validate: |object| rules(object, true),
    ..ANY
};

/// `ClusterRole`.
pub static CLUSTER_ROLE: Strategy = Strategy {
    names_on_update: true,
    namespaced: false,
    validate: |object| {
        let mut errors = rules(object, false);
        let aggregation = At::root(object).get("aggregationRule");
        let selectors = aggregation.get("clusterRoleSelectors");
        if aggregation.is_set() && selectors.is_empty() {
            errors.push(selectors.required("at least one clusterRoleSelector required if aggregationRule is non-nil"));
        }
        for item in selectors.items() {
            let wrong = selector::label_selector(&item);
            if !wrong.is_empty() {
                errors.extend(wrong);
                errors.push(At::new(&Value::Null, item.path.clone()).invalid("invalid label selector."));
            }
        }
        errors
    },
    ..ANY
};

/// `RoleBinding`.
pub static ROLE_BINDING: Strategy = Strategy {
    names_on_update: true,
    defaults: binding_defaults,
    validate: |object| binding(object, true),
    validate_update: Some(|new, old| binding_update(new, old, true)),
    ..ANY
};

/// `ClusterRoleBinding`.
pub static CLUSTER_ROLE_BINDING: Strategy = Strategy {
    names_on_update: true,
    namespaced: false,
    defaults: binding_defaults,
    validate: |object| binding(object, false),
    validate_update: Some(|new, old| binding_update(new, old, false)),
    ..ANY
};

fn binding_defaults(object: &mut Value) {
    if edit::text(object, &["roleRef", "apiGroup"]).is_empty() {
        edit::set(object, &["roleRef", "apiGroup"], json!(GROUP));
    }
    for subject in edit::items_mut(object, &["subjects"]) {
        let of_group = matches!(edit::text(subject, &["kind"]), "User" | "Group");
        if of_group && edit::text(subject, &["apiGroup"]).is_empty() {
            edit::set(subject, &["apiGroup"], json!(GROUP));
        }
    }
}

fn rules(object: &Value, namespaced: bool) -> Errors {
    let mut errors = Errors::new();
    for rule in At::root(object).get("rules").items() {
        let verbs = rule.get("verbs");
        if verbs.is_empty() {
            errors.push(verbs.required(""));
        }
        let urls = rule.get("nonResourceURLs");
        let (groups, resources) = (rule.get("apiGroups"), rule.get("resources"));
        if !urls.is_empty() {
            if namespaced {
                errors.push(urls.invalid("namespaced rules cannot apply to non-resource URLs"));
            }
            if !groups.is_empty() || !resources.is_empty() || !rule.get("resourceNames").is_empty() {
                errors.push(urls.invalid("rules cannot apply to both regular resources and non-resource URLs"));
            }
            continue;
        }
        if groups.is_empty() {
            errors.push(groups.required("resource rules must supply at least one api group"));
        }
        if resources.is_empty() {
            errors.push(resources.required("resource rules must supply at least one resource"));
        }
    }
    errors
}

fn binding(object: &Value, namespaced: bool) -> Errors {
    let role = At::root(object).get("roleRef");
    let (group, kind, name) = (role.get("apiGroup"), role.get("kind"), role.get("name"));
    let mut errors = Errors::new();
    if !group.is(GROUP) {
        errors.push(group.not_supported(&[GROUP]));
    }
    let kinds: &[&str] = if namespaced {
        &["Role", "ClusterRole"]
    } else {
        &["ClusterRole"]
    };
    if !kind.is_any(kinds) {
        errors.push(kind.not_supported(kinds));
    }
    if name.is_empty() {
        errors.push(name.required(""));
    } else {
        errors.extend(name.all_invalid(names::path_segment(name.text(), false)));
    }
    for subject in At::root(object).get("subjects").items() {
        errors.extend(self::subject(&subject, namespaced));
    }
    errors
}

fn subject(subject: &At<'_>, namespaced: bool) -> Errors {
    let (name, group, namespace) = (subject.get("name"), subject.get("apiGroup"), subject.get("namespace"));
    let mut errors = Errors::new();
    if name.is_empty() {
        errors.push(name.required(""));
    }
    match subject.get("kind").text() {
        "ServiceAccount" => {
            if !name.is_empty() {
                errors.extend(name.all_invalid(names::dns_subdomain(name.text())));
            }
            if !group.is_empty() {
                errors.push(group.not_supported(&[""]));
            }
            if !namespaced && namespace.is_empty() {
                errors.push(namespace.required(""));
            }
        }
        "User" | "Group" if !group.is(GROUP) => errors.push(group.not_supported(&[GROUP])),
        "User" | "Group" => {}
        _ => errors.push(subject.get("kind").not_supported(&["ServiceAccount", "User", "Group"])),
    }
    errors
}

fn binding_update(new: &Value, old: &Value, namespaced: bool) -> Errors {
    let mut errors = binding(new, namespaced);
    let at = |object| At::root(object).get("roleRef");
    if at(new).immutable(&at(old)).is_some() {
        let text = |name| at(new).get(name).text();
        // The real server prints its internal type, whose fields have capital letters.
        let shown = json!({"APIGroup": text("apiGroup"), "Kind": text("kind"), "Name": text("name")});
        errors.push(At::new(&shown, at(new).path).invalid("field is immutable"));
    }
    errors
}
