//! Who controls an object.

use serde_json::{Value, json};

use crate::read::{has, items, text};

/// The reference by which an owner controls what it makes.
pub(super) fn controller_reference(owner: &Value) -> Value {
    json!({
        "apiVersion": text(owner, "/apiVersion"),
        "kind": text(owner, "/kind"),
        "name": text(owner, "/metadata/name"),
        "uid": text(owner, "/metadata/uid"),
        "controller": true,
        "blockOwnerDeletion": true,
    })
}

/// The UID of the object's controller, empty without one.
pub(super) fn controller_uid(object: &Value) -> &str {
    let references = items(object, "/metadata/ownerReferences");
    references
        .iter()
        .find(|reference| reference["controller"] == json!(true))
        .map_or("", |reference| text(reference, "/uid"))
}

/// Whether the owner controls the object.
pub(super) fn is_controlled_by(object: &Value, owner: &Value) -> bool {
    let uid = uid(owner);
    !uid.is_empty() && controller_uid(object) == uid
}

/// The UID of an object.
pub(super) fn uid(object: &Value) -> &str {
    text(object, "/metadata/uid")
}

/// The name of an object.
pub(super) fn name(object: &Value) -> &str {
    text(object, "/metadata/name")
}

/// Whether the object is being deleted.
pub(super) fn is_deleted(object: &Value) -> bool {
    has(object, "/metadata/deletionTimestamp")
}
