//! Volumes and their claims, classes, drivers, and the migration of what is stored.

use serde_json::{Value, json};

use super::cell::Cell::{self, Age, Boolean, Entries, Name, Of, Text, TextOr};
use crate::read::{has, items, quantity, some_text, text};

/// The older place of a class's name.
const BETA_CLASS: &str = "/metadata/annotations/volume.beta.kubernetes.io~1storage-class";

pub(super) const VOLUME: &[Cell] = &[
    Name,
    Of(|volume| json!(quantity(volume.pointer("/spec/capacity/storage")))),
    Of(|volume| json!(access_modes(volume, "/spec/accessModes"))),
    Text("/spec/persistentVolumeReclaimPolicy"),
    Of(phase),
    Of(claim_of),
    Of(class),
    TextOr("/spec/volumeAttributesClassName", "<unset>"),
    Text("/status/reason"),
    Age,
    TextOr("/spec/volumeMode", "<unset>"),
];

pub(super) const CLAIM: &[Cell] = &[
    Name,
    Of(phase),
    Text("/spec/volumeName"),
    Of(claim_capacity),
    Of(claim_modes),
    Of(class),
    TextOr("/spec/volumeAttributesClassName", "<unset>"),
    Age,
    TextOr("/spec/volumeMode", "<unset>"),
];

pub(super) fn cells_of(kind: &str) -> Option<&'static [Cell]> {
    Some(match kind {
        "StorageClass" => &[
            Name,
            Text("/provisioner"),
            TextOr("/reclaimPolicy", "Delete"),
            TextOr("/volumeBindingMode", "Immediate"),
            Boolean("/allowVolumeExpansion", false),
            Age,
        ],
        "VolumeAttributesClass" => &[Name, Text("/driverName"), Age],
        "VolumeAttachment" => &[
            Name,
            Text("/spec/attacher"),
            Text("/spec/source/persistentVolumeName"),
            Text("/spec/nodeName"),
            Boolean("/status/attached", false),
            Age,
        ],
        "CSINode" => &[Name, Entries(&["/spec/drivers"]), Age],
        "CSIDriver" => &[
            Name,
            Boolean("/spec/attachRequired", true),
            Boolean("/spec/podInfoOnMount", false),
            Boolean("/spec/storageCapacity", false),
            Of(token_requests),
            Boolean("/spec/requiresRepublish", false),
            Of(lifecycle_modes),
            Age,
        ],
        "StorageVersionMigration" => &[Name, Of(migrated), Of(migration)],
        _ => return None,
    })
}

fn phase(object: &Value) -> Value {
    json!(if has(object, "/metadata/deletionTimestamp") {
        "Terminating"
    } else {
        text(object, "/status/phase")
    })
}

fn class(object: &Value) -> Value {
    json!(match object.pointer(BETA_CLASS).and_then(Value::as_str) {
        Some(class) => class,
        None => text(object, "/spec/storageClassName"),
    })
}

fn claim_of(volume: &Value) -> Value {
    if !has(volume, "/spec/claimRef") {
        return json!("");
    }
    json!(format!(
        "{}/{}",
        text(volume, "/spec/claimRef/namespace"),
        text(volume, "/spec/claimRef/name")
    ))
}

/// `RWO,ROX`: each mode once, in one order.
fn access_modes(object: &Value, pointer: &str) -> String {
    const MODES: [(&str, &str); 4] = [
        ("ReadWriteOnce", "RWO"),
        ("ReadOnlyMany", "ROX"),
        ("ReadWriteMany", "RWX"),
        ("ReadWriteOncePod", "RWOP"),
    ];
    let modes = items(object, pointer);
    let of = |(mode, short): (&str, _)| modes.iter().any(|of| of.as_str() == Some(mode)).then_some(short);
    MODES.into_iter().filter_map(of).collect::<Vec<_>>().join(",")
}

/// A claim without a volume has no capacity.
fn claim_capacity(claim: &Value) -> Value {
    json!(match some_text(claim, "/spec/volumeName") {
        Some(_) => quantity(claim.pointer("/status/capacity/storage")),
        None => String::new(),
    })
}

fn claim_modes(claim: &Value) -> Value {
    json!(match some_text(claim, "/spec/volumeName") {
        Some(_) => access_modes(claim, "/status/accessModes"),
        None => String::new(),
    })
}

fn token_requests(driver: &Value) -> Value {
    if !has(driver, "/spec/tokenRequests") {
        return json!("<unset>");
    }
    json!(super::cell::joined(driver, "/spec/tokenRequests", "/audience"))
}

fn lifecycle_modes(driver: &Value) -> Value {
    let modes = super::cell::joined(driver, "/spec/volumeLifecycleModes", "");
    json!(if modes.is_empty() { "<none>".to_owned() } else { modes })
}

/// `resource.group`.
fn migrated(migration: &Value) -> Value {
    let resource = text(migration, "/spec/resource/resource");
    json!(match some_text(migration, "/spec/resource/group") {
        Some(group) => format!("{resource}.{group}"),
        None => resource.to_owned(),
    })
}

fn migration(migration: &Value) -> Value {
    let is_told = |condition: &&Value| {
        text(condition, "/status") == "True" && matches!(text(condition, "/type"), "Running" | "Failed" | "Succeeded")
    };
    let last = items(migration, "/status/conditions").iter().rfind(is_told);
    json!(last.map_or("Unknown", |condition| text(condition, "/type")))
}

/// The name of the `StorageClass` that claims without a class get: the youngest that is marked, then the first by name.
pub(super) fn default_class<'a>(classes: &[&'a Value]) -> Option<&'a str> {
    let is_marked = |class: &&&Value| {
        ["storageclass.kubernetes.io", "storageclass.beta.kubernetes.io"]
            .into_iter()
            .any(|domain| text(class, &format!("/metadata/annotations/{domain}~1is-default-class")) == "true")
    };
    let name = |class: &'a Value| text(class, "/metadata/name");
    let created = |class: &'a Value| text(class, "/metadata/creationTimestamp");
    let marked = classes.iter().filter(is_marked);
    marked
        .max_by(|a, b| created(a).cmp(created(b)).then_with(|| name(b).cmp(name(a))))
        .map(|class| name(class))
}
