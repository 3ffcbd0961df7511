//! `PersistentVolume`, `StorageClass`, and the kinds of CSI.

use serde_json::{Value, json};

use super::{claim, difference, edit, pod, strategy::Strategy};
use crate::{
    failure::FieldError,
    validation::{At, Errors, at::same, names},
};

const SOURCES: [&str; 22] = [
    "hostPath",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "glusterfs",
    "flocker",
    "nfs",
    "rbd",
    "quobyte",
    "cephfs",
    "iscsi",
    "cinder",
    "fc",
    "flexVolume",
    "azureFile",
    "vsphereVolume",
    "photonPersistentDisk",
    "portworxVolume",
    "azureDisk",
    "scaleIO",
    "local",
    "storageos",
    "csi",
];

/// `PersistentVolume`.
pub static PERSISTENT_VOLUME: Strategy = Strategy {
    names_on_update: true,
    status: true,
    initial_status: r#"{"phase":"Pending"}"#,
    defaults: |object| {
        edit::set_default(object, &["spec", "persistentVolumeReclaimPolicy"], json!("Retain"));
        edit::set_default(object, &["spec", "volumeMode"], json!("Filesystem"));
    },
    admit: |object| super::protect(object, "kubernetes.io/pv-protection"),
    validate: |object| volume(&At::root(object).get("spec")),
    validate_update: Some(|new, old| {
        let (spec, before) = (At::root(new).get("spec"), At::root(old).get("spec"));
        let mut errors = volume(&spec);
        let source = |at: &At<'_>| -> Value {
            let mut value = at.value.clone();
            if let Some(fields) = value.as_object_mut() {
                fields.retain(|name, _| SOURCES.contains(&name.as_str()));
            }
            value
        };
        let (now, was) = (source(&spec), source(&before));
        if !same(&now, &was) {
            let at = spec.get("persistentvolumesource");
            let says = "spec.persistentvolumesource is immutable after creation";
            errors.push(at.forbidden(format!("{says}\n{}", difference(&was, &now))));
        }
        let mode = spec.get("volumeMode").placed(At::root(new).get("volumeMode").path);
        errors.extend(mode.immutable(&before.get("volumeMode")));
        errors
    }),
    ..Strategy::CLUSTER
};

/// `StorageClass`.
pub static STORAGE_CLASS: Strategy = Strategy {
    defaults: |object| {
        edit::set_default(object, &["reclaimPolicy"], json!("Delete"));
        edit::set_default(object, &["volumeBindingMode"], json!("Immediate"));
    },
    validate: |object| {
        let root = At::root(object);
        let (provisioner, policy, mode) = (
            root.get("provisioner"),
            root.get("reclaimPolicy"),
            root.get("volumeBindingMode"),
        );
        let mut errors = Errors::new();
        if provisioner.is_empty() {
            errors.push(provisioner.required(""));
        } else {
            let lower = json!(provisioner.text().to_lowercase());
            errors.extend(
                provisioner
                    .with(&lower)
                    .all_invalid(names::qualified_name(lower.as_str().unwrap_or_default())),
            );
        }
        if !policy.is_empty() && !policy.is_any(&["Delete", "Retain"]) {
            errors.push(policy.not_supported(&["Delete", "Retain"]));
        }
        let modes = ["Immediate", "WaitForFirstConsumer"];
        if !mode.is_set() {
            errors.push(mode.required(""));
        } else if !mode.is_any(&modes) {
            errors.push(mode.not_supported(&modes));
        }
        errors
    },
    validate_update: Some(|new, old| {
        let (root, before) = (At::root(new), At::root(old));
        let fields = ["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"];
        fields
            .iter()
            .filter_map(|it| root.get(it).declared_immutable(&before.get(it)))
            .collect()
    }),
    ..Strategy::CLUSTER
};

/// `CSIDriver`.
pub static CSI_DRIVER: Strategy = Strategy {
    unconditional_update: false,
    name: |name, _| claim_name(name),
    validate_update: Some(|new, old| {
        let (spec, before) = (At::root(new).get("spec"), At::root(old).get("spec"));
        let fields = ["attachRequired", "volumeLifecycleModes"];
        fields
            .iter()
            .filter_map(|it| spec.get(it).immutable(&before.get(it)))
            .collect()
    }),
    ..Strategy::CLUSTER
};

/// `CSINode`.
pub static CSI_NODE: Strategy = Strategy {
    names_on_update: true,
    unconditional_update: false,
    status: false,
    ..Strategy::CLUSTER
};

/// `VolumeAttachment`.
pub static VOLUME_ATTACHMENT: Strategy = Strategy {
    names_on_update: true,
    unconditional_update: false,
    status: true,
    initial_status: r#"{"attached":false}"#,
    status_keeps_meta: true,
    validate: |object| {
        let spec = At::root(object).get("spec");
        let mut errors = claim::csi_driver_name(&spec.get("attacher"));
        let node = spec.get("nodeName");
        errors.extend(node.all_invalid(names::dns_subdomain(node.text())));
        errors
    },
    validate_update: Some(|new, old| {
        let at = |object| At::root(object).get("spec");
        at(new).immutable(&at(old)).into_iter().collect()
    }),
    ..Strategy::CLUSTER
};

fn claim_name(name: &str) -> names::Messages {
    let long = (name.len() > 63).then(|| "must be no more than 63 characters".into());
    long.into_iter()
        .chain(names::dns_subdomain(&name.to_lowercase()))
        .collect()
}

fn volume(spec: &At<'_>) -> Errors {
    let modes = spec.get("accessModes");
    let mut errors = Errors::new();
    if modes.is_empty() {
        errors.push(modes.required(""));
    }
    errors.extend(claim::access_modes(&modes));
    let capacity = spec.get("capacity");
    if capacity.is_empty() {
        errors.push(capacity.required(""));
    }
    if !capacity.key("storage").is_set() || capacity.len() > 1 {
        errors.push(FieldError::not_supported(&capacity.path, capacity.value, &["storage"]));
    }
    for (_, at) in capacity.entries() {
        errors.extend(claim::basic(&at));
        errors.extend(claim::positive(&at));
    }
    let policy = spec.get("persistentVolumeReclaimPolicy");
    let policies = ["Delete", "Recycle", "Retain"];
    if !policy.is_empty() && !policy.is_any(&policies) {
        errors.push(policy.not_supported(&policies));
    }
    let affinity = spec.get("nodeAffinity");
    let required = affinity.get("required");
    if affinity.is_set() && !required.is_set() {
        errors.push(required.required("must specify required node constraints"));
    } else if affinity.is_set() {
        errors.extend(pod::scheduling::node_selector(&required));
    }
    let mut found = false;
    for name in SOURCES {
        let at = spec.get(name);
        if !at.is_set() {
            continue;
        }
        if found {
            errors.push(at.forbidden("may not specify more than 1 volume type"));
            continue;
        }
        found = true;
        errors.extend(source(name, &at));
        if name == "local" && !required.is_set() {
            errors.push(affinity.required("Local volume requires node affinity"));
        }
    }
    if !found {
        errors.push(spec.required("must specify a volume type"));
    }
    let class = spec.get("storageClassName");
    if !class.is_empty() {
        errors.extend(class.all_invalid(names::dns_subdomain(class.text())));
    }
    let mode = spec.get("volumeMode");
    if mode.is_set() && !mode.is_any(&["Block", "Filesystem"]) {
        errors.push(mode.not_supported(&["Block", "Filesystem"]));
    }
    errors
}

fn source(name: &str, at: &At<'_>) -> Errors {
    match name {
        "hostPath" => pod::host_path(at),
        "nfs" => pod::nfs(at),
        "local" if at.get("path").is_empty() => vec![at.get("path").required("")],
        "csi" => {
            let mut errors = claim::csi_driver_name(&at.get("driver"));
            if at.get("volumeHandle").is_empty() {
                errors.push(at.get("volumeHandle").required(""));
            }
            errors
        }
        _ => Errors::new(),
    }
}
