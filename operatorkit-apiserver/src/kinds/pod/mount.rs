//! `volumeMounts` and `volumeDevices` of a container.

use std::collections::BTreeSet;

use serde_json::Value;

use super::volume::{Volumes, descending, no_backsteps};
use crate::{
    failure::{FieldError, FieldPath},
    validation::{At, Errors},
};

/// `volumeMounts` and `volumeDevices` of a container.
pub(super) fn mounts(container: &At<'_>, volumes: &Volumes<'_>) -> Errors {
    let (mounts, devices) = (container.get("volumeMounts"), container.get("volumeDevices"));
    let pairs = |list: &At<'_>, path: &str| -> Vec<(String, String)> {
        let pair = |it: At<'_>| (it.get("name").text().into(), it.get(path).text().into());
        list.items().map(pair).collect()
    };
    let (known_mounts, known_devices) = (pairs(&mounts, "mountPath"), pairs(&devices, "devicePath"));
    let (mut errors, mut seen) = (Errors::new(), BTreeSet::new());
    for mount in mounts.items() {
        let (name, path) = (mount.get("name"), mount.get("mountPath"));
        errors.extend(present(&name, volumes));
        if path.is_empty() {
            errors.push(path.required(""));
        }
        if !seen.insert(path.text()) {
            errors.push(path.invalid("must be unique"));
        }
        if known_devices.iter().any(|it| it.0 == name.text()) {
            errors.push(name.invalid("must not already exist in volumeDevices"));
        }
        if known_devices.iter().any(|it| it.1 == path.text()) {
            errors.push(path.invalid("must not already exist as a path in volumeDevices"));
        }
        errors.extend(mount_options(&mount, container, &mounts.path));
    }
    let mut seen = (BTreeSet::new(), BTreeSet::new());
    for device in devices.items() {
        let (name, path) = (device.get("name"), device.get("devicePath"));
        if name.is_empty() {
            errors.push(name.required(""));
        }
        if !name.is_empty() && !seen.0.insert(name.text()) {
            errors.push(name.invalid("must be unique"));
        }
        match volumes.get(name.text()) {
            None => errors.push(name.not_found()),
            Some(it) if it.get("persistentVolumeClaim").is_set() || it.get("ephemeral").is_set() => {}
            Some(_) => errors.push(
                name.invalid("can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode"),
            ),
        }
        if path.is_empty() {
            errors.push(path.required(""));
        }
        if seen.1.contains(path.text()) {
            errors.push(path.invalid("must be unique"));
        }
        if no_backsteps(&path).is_some() {
            errors.push(path.invalid("can not contain backsteps ('..')"));
        } else {
            seen.1.insert(path.text());
        }
        if known_mounts.iter().any(|it| it.0 == name.text()) {
            errors.push(name.invalid("must not already exist in volumeMounts"));
        }
        if known_mounts.iter().any(|it| it.1 == path.text()) {
            errors.push(path.invalid("must not already exist as a path in volumeMounts"));
        }
    }
    errors
}

pub(super) fn present(name: &At<'_>, volumes: &Volumes<'_>) -> Errors {
    let mut errors = Errors::new();
    if name.is_empty() {
        errors.push(name.required(""));
    }
    if !volumes.contains_key(name.text()) {
        errors.push(FieldError::not_found(&name.path, &Value::from(name.text())));
    }
    errors
}

pub(super) fn mount_options(mount: &At<'_>, container: &At<'_>, list: &FieldPath) -> Errors {
    let mut errors = Errors::new();
    let (path, expression) = (mount.get("subPath"), mount.get("subPathExpr"));
    errors.extend(descending(&path.placed(list.child("subPath"))));
    if !expression.is_empty() {
        if !path.is_empty() {
            errors.push(expression.invalid("subPathExpr and subPath are mutually exclusive"));
        }
        errors.extend(descending(&expression.placed(list.child("subPathExpr"))));
    }
    let propagation = mount.get("mountPropagation").placed(list.child("mountPropagation"));
    if propagation.is_set() {
        let known = ["Bidirectional", "HostToContainer", "None"];
        if !propagation.is_any(&known) {
            errors.push(propagation.not_supported(&known));
        }
        let privileged = container.get("securityContext").get("privileged").is_true();
        if propagation.is("Bidirectional") && !privileged {
            let says = "Bidirectional mount propagation is available only to privileged containers";
            errors.push(propagation.forbidden(says));
        }
    }
    let recursive = mount.get("recursiveReadOnly").placed(list.child("recursiveReadOnly"));
    match recursive.text() {
        "" | "Disabled" => {}
        "Enabled" | "IfPossible" => {
            if !mount.get("readOnly").is_true() {
                errors.push(recursive.forbidden("may only be specified when readOnly is true"));
            }
            if propagation.is_set() && !propagation.is("None") {
                let says = "may only be specified when mountPropagation is None or not specified";
                errors.push(recursive.forbidden(says));
            }
        }
        _ => errors.push(recursive.not_supported(&["Disabled", "Enabled", "IfPossible"])),
    }
    errors
}
