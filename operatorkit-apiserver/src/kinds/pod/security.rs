//! Security contexts.

use std::collections::BTreeSet;

use super::volume;
use crate::{
    failure::FieldError,
    validation::{At, Errors, number},
};

/// `securityContext` of a container.
pub(super) fn container(at: &At<'_>, host_users: bool) -> Errors {
    let mut errors = Errors::new();
    if !at.is_set() {
        return errors;
    }
    errors.extend(number::unix_id(&at.get("runAsUser")));
    errors.extend(number::unix_id(&at.get("runAsGroup")));
    let mount = at.get("procMount");
    if mount.is_set() && !mount.is_any(&["Default", "Unmasked"]) {
        errors.push(mount.not_supported(&["Default", "Unmasked"]));
    }
    if host_users && mount.is("Unmasked") {
        errors.push(mount.invalid("`hostUsers` must be false to use `Unmasked`"));
    }
    errors.extend(seccomp(&at.get("seccompProfile")));
    if at.get("allowPrivilegeEscalation").is_false() {
        let says = "cannot set `allowPrivilegeEscalation` to false and";
        if at.get("privileged").is_true() {
            errors.push(at.invalid(format!("{says} `privileged` to true")));
        }
        if at
            .get("capabilities")
            .get("add")
            .items()
            .any(|it| it.is("CAP_SYS_ADMIN"))
        {
            errors.push(at.invalid(format!("{says} `capabilities.Add` CAP_SYS_ADMIN")));
        }
    }
    errors.extend(app_armor(&at.get("appArmorProfile")));
    errors
}

/// `securityContext` of a pod.
pub(super) fn pod(spec: &At<'_>) -> Errors {
    let at = spec.get("securityContext");
    let mut errors = Errors::new();
    for name in ["fsGroup", "runAsUser", "runAsGroup"] {
        errors.extend(number::unix_id(&at.get(name)));
    }
    errors.extend(
        at.get("supplementalGroups")
            .items()
            .filter_map(|it| number::unix_id(&it)),
    );
    errors.extend(sysctls(&at.get("sysctls"), spec));
    errors.extend(one_of(&at.get("fsGroupChangePolicy"), &["Always", "OnRootMismatch"]));
    errors.extend(seccomp(&at.get("seccompProfile")));
    errors.extend(app_armor(&at.get("appArmorProfile")));
    errors.extend(one_of(&at.get("supplementalGroupsPolicy"), &["Merge", "Strict"]));
    errors.extend(one_of(&at.get("seLinuxChangePolicy"), &["MountOption", "Recursive"]));
    errors
}

fn one_of(at: &At<'_>, known: &[&str]) -> Option<FieldError> {
    (at.is_set() && !at.is_any(known)).then(|| at.not_supported(known))
}

fn sysctls(list: &At<'_>, spec: &At<'_>) -> Errors {
    let (mut errors, mut seen) = (Errors::new(), BTreeSet::new());
    let edge = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit();
    let segment = |it: &str| {
        let bytes = it.as_bytes();
        let ends = bytes.first().is_some_and(|it| edge(*it)) && bytes.last().is_some_and(|it| edge(*it));
        ends && bytes.iter().all(|it| edge(*it) || matches!(it, b'-' | b'_'))
    };
    for item in list.items() {
        let name = item.get("name");
        let text = name.text();
        if text.is_empty() {
            errors.push(name.required(""));
        } else if text.len() > 253 || !text.split(['.', '/']).all(segment) {
            let part = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
            let regex = format!("^({part}[\\./])*{part}$");
            errors.push(name.invalid(format!("must have at most 253 characters and match regex {regex}")));
        } else if seen.contains(text) {
            errors.push(name.duplicate());
        }
        for (field, prefixes) in [
            ("hostNetwork", ["net.", "net/"]),
            ("hostIPC", ["kernel.shm", "fs.mqueue."]),
        ] {
            if spec.get(field).is_true() && prefixes.iter().any(|it| text.starts_with(it)) {
                errors.push(name.invalid(format!("may not be specified when '{field}' is true")));
            }
        }
        seen.insert(text);
    }
    errors
}

fn seccomp(at: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    if !at.is_set() {
        return errors;
    }
    let (kind, profile) = (at.get("type"), at.get("localhostProfile"));
    let known = ["Localhost", "RuntimeDefault", "Unconfined"];
    if kind.is_empty() {
        errors.push(kind.required("type is required when seccompProfile is set"));
    } else if !kind.is_any(&known) {
        errors.push(kind.not_supported(&known));
    }
    if kind.is("Localhost") {
        if profile.is_set() {
            errors.extend(volume::descending(&profile));
        } else {
            errors.push(profile.required("must be set when seccomp type is Localhost"));
        }
    } else if profile.is_set() {
        let says = "can only be set when seccomp type is Localhost";
        errors.push(at.placed(profile.path).invalid(says));
    }
    errors
}

fn app_armor(at: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    if !at.is_set() {
        return errors;
    }
    let (kind, profile) = (at.get("type"), at.get("localhostProfile"));
    match kind.text() {
        "Localhost" if profile.text().trim().is_empty() && profile.text().is_empty() => {
            errors.push(profile.required("must be set when AppArmor type is Localhost"));
        }
        "Localhost" if profile.text().trim() != profile.text() => {
            errors.push(profile.invalid("must not be padded with whitespace"));
        }
        "Localhost" => {}
        "RuntimeDefault" | "Unconfined" => {
            if profile.is_set() {
                errors.push(profile.invalid("can only be set when AppArmor type is Localhost"));
            }
        }
        "" => errors.push(kind.required("type is required when appArmorProfile is set")),
        _ => errors.push(kind.not_supported(&["Localhost", "RuntimeDefault", "Unconfined"])),
    }
    errors
}
