//! Files that volumes make of Secrets, ConfigMaps, fields and tokens.

use std::collections::BTreeSet;

use super::{
    env,
    volume::{descending, mode, required},
};
use crate::{
    failure::{FieldError, FieldPath},
    validation::{At, Errors},
};

pub(super) fn key_to_paths(at: &At<'_>) -> Errors {
    at.get("items").items().flat_map(|it| key_to_path(&it)).collect()
}

pub(super) fn key_to_path(item: &At<'_>) -> Errors {
    let mut errors = required(item, ["key", "path"]);
    errors.extend(non_reserved(&item.get("path")));
    errors.extend(mode(&item.get("mode")));
    errors
}

pub(super) fn downward_file(item: &At<'_>) -> Errors {
    let mut errors = required(item, ["path"]);
    errors.extend(non_reserved(&item.get("path")));
    let (field, resource) = (item.get("fieldRef"), item.get("resourceFieldRef"));
    if field.is_set() {
        errors.extend(env::field_ref(&field, true));
        if resource.is_set() {
            let says = "fieldRef and resourceFieldRef can not be specified simultaneously";
            errors.push(At::new(&"resource".into(), item.path.clone()).invalid(says));
        }
    } else if resource.is_set() {
        errors.extend(env::resource_ref(&resource, true));
    } else {
        errors.push(item.required("one of fieldRef and resourceFieldRef is required"));
    }
    errors.extend(mode(&item.get("mode")));
    errors
}

pub(super) fn projections(at: &At<'_>) -> Errors {
    let (mut errors, mut seen) = (Errors::new(), BTreeSet::new());
    let mut conflict = |path: &str, shown: &str| -> Option<FieldError> {
        let again = !path.is_empty() && !seen.insert(path.to_owned());
        again.then(|| At::new(&shown.into(), at.path.clone()).invalid("conflicting duplicate paths"))
    };
    for source in at.get("sources").items() {
        let mut sources = 0;
        for name in ["secret", "configMap"] {
            let part = source.get(name);
            if part.is_set() {
                sources += 1;
                errors.extend(required(&part, ["name"]));
                for item in part.get("items").items() {
                    errors.extend(key_to_path(&item));
                    errors.extend(conflict(item.get("path").text(), part.get("name").text()));
                }
            }
        }
        let downward = source.get("downwardAPI");
        if downward.is_set() {
            sources += 1;
            for item in downward.get("items").items() {
                let path = item.get("path").text();
                errors.extend(downward_file(&item.placed(downward.path.clone())));
                errors.extend(conflict(path, path));
            }
        }
        let token = source.get("serviceAccountToken");
        if token.is_set() {
            sources += 1;
            errors.extend(service_account_token(&token, &at.path));
            let path = token.get("path").text();
            errors.extend(conflict(path, path));
        }
        sources += ["clusterTrustBundle", "podCertificate"]
            .iter()
            .filter(|it| source.get(it).is_set())
            .count();
        if sources > 1 {
            errors.push(source.forbidden("may not specify more than 1 volume type"));
        }
    }
    errors
}

pub(super) fn service_account_token(at: &At<'_>, projected: &FieldPath) -> Errors {
    let (seconds, mut errors) = (at.get("expirationSeconds"), Errors::new());
    match seconds.int() {
        None => errors.push(seconds.required("")),
        Some(it) if it < 600 => errors.push(seconds.invalid("may not specify a duration less than 10 minutes")),
        Some(it) if it > 1 << 32 => errors.push(seconds.invalid("may not specify a duration larger than 2^32 seconds")),
        Some(_) => {}
    }
    let path = at.get("path");
    if path.is_empty() {
        errors.push(path.placed(projected.child("path")).required(""));
    } else {
        errors.extend(non_reserved(&path));
    }
    errors
}

pub(super) fn non_reserved(at: &At<'_>) -> Errors {
    let mut errors = descending(at);
    if at.text().starts_with("..") && !at.text().starts_with("../") && at.text() != ".." {
        errors.push(at.invalid("must not start with '..'"));
    }
    errors
}
