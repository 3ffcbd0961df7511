//! Volumes of a pod.

use std::collections::{BTreeMap, BTreeSet};

use super::projected;
use crate::{
    failure::FieldError,
    kinds::claim,
    validation::{At, Errors, Quantity, meta, names, selector},
};

/// The kinds of volumes, in the order in which the real server looks.
const SOURCES: [&str; 30] = [
    "emptyDir",
    "hostPath",
    "gitRepo",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "secret",
    "nfs",
    "iscsi",
    "glusterfs",
    "flocker",
    "persistentVolumeClaim",
    "rbd",
    "cinder",
    "cephfs",
    "quobyte",
    "downwardAPI",
    "fc",
    "flexVolume",
    "configMap",
    "azureFile",
    "vsphereVolume",
    "photonPersistentDisk",
    "portworxVolume",
    "azureDisk",
    "storageos",
    "projected",
    "scaleIO",
    "csi",
    "ephemeral",
    "image",
];
const MODE: &str = "must be a number between 0 and 0777 (octal), both inclusive";

/// The volumes that are well, by name.
pub(super) type Volumes<'a> = BTreeMap<&'a str, At<'a>>;

/// `volumes`; `pod` is the name of the pod, if it is one.
pub(super) fn volumes<'a>(list: &At<'a>, pod: Option<&str>) -> (Volumes<'a>, Errors) {
    let (mut found, mut errors, mut seen) = (Volumes::new(), Errors::new(), BTreeSet::new());
    for volume in list.items() {
        let name = volume.get("name");
        let mut wrong = source(&volume, pod);
        if name.is_empty() {
            wrong.push(name.required(""));
        } else {
            wrong.extend(name.all_invalid(names::dns_label(name.text())));
        }
        if seen.contains(name.text()) {
            wrong.push(name.duplicate());
        }
        if wrong.is_empty() {
            seen.insert(name.text());
            found.insert(name.text(), volume.clone());
        }
        errors.extend(wrong);
    }
    (found, errors)
}

fn source(volume: &At<'_>, pod: Option<&str>) -> Errors {
    let (mut errors, mut found) = (Errors::new(), false);
    for name in SOURCES {
        let at = volume.get(name);
        if !at.is_set() {
            continue;
        }
        if found {
            errors.push(at.forbidden("may not specify more than 1 volume type"));
            continue;
        }
        found = true;
        errors.extend(one_source(name, &at, volume, pod));
    }
    if !found {
        errors.push(volume.required("must specify a volume type"));
    }
    errors
}

pub(super) fn required<const N: usize>(at: &At<'_>, fields: [&str; N]) -> Errors {
    let fields = fields.map(|it| at.get(it));
    fields
        .iter()
        .filter(|it| it.is_empty())
        .map(|it| it.required(""))
        .collect()
}

fn one_source(name: &str, at: &At<'_>, volume: &At<'_>, pod: Option<&str>) -> Errors {
    match name {
        "emptyDir" => {
            let size = at.get("sizeLimit");
            let negative = Quantity::of(size.value).is_negative();
            let says = "SizeLimit field must be a valid resource quantity";
            negative.then(|| size.forbidden(says)).into_iter().collect()
        }
        "hostPath" => host_path(at),
        "secret" => [
            required(at, ["secretName"]),
            mode(&at.get("defaultMode")),
            projected::key_to_paths(at),
        ]
        .concat(),
        "configMap" => [
            required(at, ["name"]),
            mode(&at.get("defaultMode")),
            projected::key_to_paths(at),
        ]
        .concat(),
        "persistentVolumeClaim" => required(at, ["claimName"]),
        "nfs" => nfs(at),
        "downwardAPI" => {
            let mut errors = mode(&at.get("defaultMode"));
            let items = at.get("items");
            errors.extend(
                items
                    .items()
                    .flat_map(|it| projected::downward_file(&it.placed(at.path.clone()))),
            );
            errors
        }
        "projected" => [mode(&at.get("defaultMode")), projected::projections(at)].concat(),
        "csi" => csi(at),
        "ephemeral" => ephemeral(at, volume, pod),
        "image" => {
            let policy = at.get("pullPolicy");
            [required(at, ["reference"]), super::container::pull_policy(&policy)].concat()
        }
        "gcePersistentDisk" => required(&at.placed(volume.path.child("persistentDisk")), ["pdName"]),
        "gitRepo" => [required(at, ["repository"]), descending(&at.get("directory"))].concat(),
        "iscsi" => required(at, ["targetPortal", "iqn"]),
        "glusterfs" => required(at, ["endpoints", "path"]),
        "rbd" => required(at, ["monitors", "image"]),
        "cephfs" => required(at, ["monitors"]),
        "awsElasticBlockStore" | "cinder" => required(at, ["volumeID"]),
        "flexVolume" => required(at, ["driver"]),
        "azureFile" => required(at, ["secretName", "shareName"]),
        "azureDisk" => required(at, ["diskName", "diskURI"]),
        "vsphereVolume" => required(at, ["volumePath"]),
        _ => Errors::new(),
    }
}

pub(super) fn mode(at: &At<'_>) -> Errors {
    let wrong = at.int().is_some_and(|it| !(0..=0o777).contains(&it));
    if wrong { vec![at.invalid(MODE)] } else { Errors::new() }
}

/// `hostPath`, of a pod's volume and of a `PersistentVolume`.
pub(in crate::kinds) fn host_path(at: &At<'_>) -> Errors {
    let (path, kind) = (at.get("path"), at.get("type"));
    if path.is_empty() {
        return vec![path.required("")];
    }
    let known = [
        "",
        "BlockDevice",
        "CharDevice",
        "Directory",
        "DirectoryOrCreate",
        "File",
        "FileOrCreate",
        "Socket",
    ];
    let mut errors: Errors = no_backsteps(&path).into_iter().collect();
    if !kind.is_any(&known) {
        errors.push(kind.not_supported(&known));
    }
    errors
}

/// `nfs`, of a pod's volume and of a `PersistentVolume`.
pub(in crate::kinds) fn nfs(at: &At<'_>) -> Errors {
    let mut errors = required(at, ["server", "path"]);
    let path = at.get("path");
    if !path.text().starts_with('/') {
        errors.extend(path.all_invalid(["must be an absolute path"]));
    }
    errors
}

fn csi(at: &At<'_>) -> Errors {
    let mut errors = claim::csi_driver_name(&at.get("driver"));
    let secret = at.get("nodePublishSecretRef");
    if secret.is_set() {
        let name = secret.get("name");
        if name.is_empty() {
            errors.push(name.required(""));
        } else {
            errors.extend(
                name.placed(at.path.child("name"))
                    .all_invalid(names::dns_subdomain(name.text())),
            );
        }
    }
    errors
}

fn ephemeral(at: &At<'_>, volume: &At<'_>, pod: Option<&str>) -> Errors {
    let template = at.get("volumeClaimTemplate");
    if !template.is_set() {
        return vec![template.required("")];
    }
    let inner = template.get("metadata");
    let mut errors = meta::annotations(&inner.get("annotations"));
    errors.extend(selector::labels(&inner.get("labels")));
    for (name, value) in inner.entries() {
        if !matches!(name, "annotations" | "labels" | "creationTimestamp") && !value.is_empty() {
            errors.push(inner.get(name).forbidden("cannot be set"));
        }
    }
    errors.extend(claim::claim_spec(&template.get("spec")));
    let name = volume.get("name");
    if let Some(pod) = pod.filter(|it| !it.is_empty() && !name.is_empty()) {
        let claim = format!("{pod}-{}", name.text());
        let wrong = names::dns_subdomain(&claim);
        errors.extend(name.all_invalid(wrong.iter().map(|it| format!("PVC name {claim:?}: {it}"))));
    }
    errors
}

/// No `..` among the parts of a path.
pub(super) fn no_backsteps(at: &At<'_>) -> Option<FieldError> {
    let wrong = at.text().split('/').any(|it| it == "..");
    wrong.then(|| at.invalid("must not contain '..'"))
}

/// A relative path without `..`.
pub(super) fn descending(at: &At<'_>) -> Errors {
    let absolute = at
        .text()
        .starts_with('/')
        .then(|| at.invalid("must be a relative path"));
    absolute.into_iter().chain(no_backsteps(at)).collect()
}
