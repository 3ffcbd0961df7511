//! `PersistentVolumeClaim`, also as a template.

use serde_json::{Value, json};

use super::{edit, strategy::Strategy};
use crate::{
    failure::FieldError,
    validation::{At, Errors, Quantity, at::same, names, selector},
};

pub(super) const MODES: [&str; 4] = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/// `PersistentVolumeClaim`.
pub static PERSISTENT_VOLUME_CLAIM: Strategy = Strategy {
    names_on_update: true,
    status: true,
    initial_status: r#"{"phase":"Pending"}"#,
    defaults: |object| edit::set_default(object, &["spec", "volumeMode"], json!("Filesystem")),
    admit: |object| super::protect(object, "kubernetes.io/pvc-protection"),
    validate: |object| claim_spec(&At::root(object).get("spec")),
    validate_update: Some(update),
    validate_status: status,
    ..Strategy::NAMESPACED
};

/// Access modes that are known, and `ReadWriteOncePod` alone.
pub(super) fn access_modes(at: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    for mode in at.items().filter(|it| !it.is_any(&MODES)) {
        errors.push(mode.placed(at.path.clone()).not_supported(&MODES));
    }
    let alone = at.items().any(|it| it.is("ReadWriteOncePod"));
    if alone && at.items().any(|it| it.is_any(&MODES) && !it.is("ReadWriteOncePod")) {
        errors.push(at.forbidden("may not use ReadWriteOncePod with other access modes"));
    }
    errors
}

/// What is wrong with the spec of a claim.
pub(super) fn claim_spec(spec: &At<'_>) -> Errors {
    let modes = spec.get("accessModes");
    let mut errors = Errors::new();
    if modes.is_empty() {
        errors.push(modes.required("at least 1 access mode is required"));
    }
    errors.extend(selector::label_selector(&spec.get("selector")));
    errors.extend(access_modes(&modes));
    let storage = spec.get("resources").get("requests").key("storage");
    let storage = storage.placed(spec.get("resources").path.key("storage"));
    if storage.is_set() {
        errors.extend(positive(&storage));
    } else {
        errors.push(storage.required(""));
    }
    let class = spec.get("storageClassName");
    if !class.is_empty() {
        errors.extend(class.all_invalid(names::dns_subdomain(class.text())));
    }
    let mode = spec.get("volumeMode");
    if mode.is_set() && !mode.is_any(&["Block", "Filesystem"]) {
        errors.push(mode.not_supported(&["Block", "Filesystem"]));
    }
    for name in ["dataSource", "dataSourceRef"] {
        errors.extend(data_source(&spec.get(name)));
    }
    errors
}

/// A quantity that is not negative, in the words for volumes.
pub(super) fn basic(at: &At<'_>) -> Option<FieldError> {
    let whole = i64::try_from(Quantity::of(at.value).whole()).unwrap_or(i64::MAX);
    (whole < 0).then(|| at.with(&whole.into()).invalid("must be a valid resource quantity"))
}

/// A quantity above zero.
pub(super) fn positive(at: &At<'_>) -> Option<FieldError> {
    let quantity = Quantity::of(at.value);
    let text = Value::from(quantity.as_str());
    let wrong = quantity.is_negative() || quantity.is_zero();
    wrong.then(|| At::new(&text, at.path.clone()).invalid("must be greater than zero"))
}

fn data_source(at: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    if !at.is_set() {
        return errors;
    }
    for name in ["name", "kind"] {
        if at.get(name).is_empty() {
            errors.push(at.get(name).required(""));
        }
    }
    let (group, kind) = (at.get("apiGroup"), at.get("kind"));
    if group.is_empty() && !kind.is("PersistentVolumeClaim") {
        let says = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
        errors.extend(kind.placed(at.path.clone()).all_invalid([says]));
    }
    if !group.is_empty() {
        errors.extend(group.all_invalid(names::dns_subdomain(group.text())));
    }
    errors
}

fn update(new: &Value, old: &Value) -> Errors {
    let mut errors = claim_spec(&At::root(new).get("spec"));
    let (mut now, mut was) = (edit::get(new, &["spec"]).clone(), edit::get(old, &["spec"]).clone());
    if edit::text(old, &["spec", "volumeName"]).is_empty() {
        edit::keep(&mut was, &now, &["volumeName"]);
    }
    let class = ["storageClassName"];
    if edit::get(&was, &class).is_null() {
        edit::keep(&mut now, &was, &class);
    }
    let storage = ["resources", "requests", "storage"];
    let (size, before) = (
        Quantity::of(edit::get(&now, &storage)),
        Quantity::of(edit::get(&was, &storage)),
    );
    if edit::text(new, &["status", "phase"]) == "Bound" {
        edit::keep(&mut now, &was, &storage);
        edit::keep(&mut now, &was, &["volumeAttributesClassName"]);
    }
    let root = At::root(new);
    let spec = root.get("spec");
    if !same(&now, &was) {
        let says =
            "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
        errors.push(spec.forbidden(format!("{says}\n{}", super::difference(&was, &now))));
    }
    let capacity = Quantity::of(edit::get(old, &["status", "capacity", "storage"]));
    if size < before && size <= capacity {
        let at = spec.get("resources").get("requests").get("storage");
        errors.push(at.forbidden("field can not be less than status.capacity"));
    }
    let mode = spec.get("volumeMode").placed(root.get("volumeMode").path);
    errors.extend(mode.immutable(&At::root(old).get("spec").get("volumeMode")));
    errors
}

fn status(new: &Value, _: &Value) -> Errors {
    let mut errors = Errors::new();
    for (_, at) in At::root(new).get("status").get("capacity").entries() {
        errors.extend(basic(&at));
    }
    errors
}

/// The name of a CSI driver.
pub(super) fn csi_driver_name(at: &At<'_>) -> Errors {
    if at.is_empty() {
        return vec![at.required("")];
    }
    let mut errors = Errors::new();
    if at.text().len() > 63 {
        errors.push(FieldError::too_long(&at.path, 63));
    }
    let lower = at.text().to_lowercase();
    errors.extend(at.all_invalid(names::dns_subdomain(&lower)));
    errors
}
