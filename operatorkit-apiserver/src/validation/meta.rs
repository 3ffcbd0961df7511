//! `metadata`, on create and update (`k8s.io/apimachinery/pkg/api/validation/objectmeta.go`).

use std::collections::BTreeSet;

use serde_json::Value;

use super::{
    at::{At, Errors, same},
    names::{self, NameRule},
    number, owners, selector,
};
use crate::failure::FieldError;

/// All annotations of an object together, keys and values.
const ANNOTATIONS_MAX: usize = 256 * 1024;
const STANDARD_FINALIZERS: [&str; 3] = ["kubernetes", "orphan", "foregroundDeletion"];

/// Annotations: keys and total size.
pub fn annotations(map: &At<'_>) -> Errors {
    let (mut errors, mut size) = (Errors::new(), 0);
    for (key, value) in map.entries() {
        size += key.len() + value.text().len();
        let name = Value::from(key);
        let key_at = At::new(&name, map.path.clone());
        errors.extend(key_at.all_invalid(names::qualified_name(&key.to_lowercase())));
    }
    if size > ANNOTATIONS_MAX {
        errors.push(FieldError::too_long(&map.path, ANNOTATIONS_MAX));
    }
    errors
}

/// `metadata` of an object that is created; its name is generated already. Custom resources and kinds alike.
///
/// On an update the real server says this too, with [`names::path_segment`] as the rule, before [`meta_update`].
pub fn meta(object: &Value, namespaced: bool, rule: NameRule) -> Errors {
    let meta = At::root(object).get("metadata");
    let mut errors = Errors::new();
    let (name, namespace) = (meta.get("name"), meta.get("namespace"));
    errors.extend(generate_name(object, rule));
    if name.is_empty() {
        errors.push(name.required("name or generateName is required"));
    } else {
        errors.extend(name.all_invalid(rule(name.text(), false)));
    }
    match (namespaced, namespace.is_empty()) {
        (true, true) => errors.push(namespace.required("")),
        (true, false) => errors.extend(namespace.all_invalid(names::dns_label(namespace.text()))),
        (false, true) => {}
        (false, false) => errors.push(namespace.forbidden("not allowed on this type")),
    }
    errors.extend(number::non_negative(&meta.get("generation")));
    errors.extend(selector::labels(&meta.get("labels")));
    errors.extend(annotations(&meta.get("annotations")));
    errors.extend(owners::owner_references(&meta.get("ownerReferences")));
    errors.extend(finalizers(&meta.get("finalizers")));
    errors.extend(owners::managed_fields(&meta.get("managedFields")));
    errors
}

/// `metadata.generateName`, by the rule for names.
pub fn generate_name(object: &Value, rule: NameRule) -> Errors {
    let prefix = At::root(object).get("metadata").get("generateName");
    if prefix.is_empty() {
        return Errors::new();
    }
    prefix.all_invalid(rule(prefix.text(), true)).into_iter().collect()
}

fn finalizers(list: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    for item in list.items() {
        errors.extend(
            item.placed(list.path.clone())
                .all_invalid(names::qualified_name(item.text())),
        );
    }
    let has = |name: &str| list.items().any(|it| it.is(name));
    if has("orphan") && has("foregroundDeletion") {
        errors.push(list.invalid("finalizer orphan and foregroundDeletion cannot be both set"));
    }
    errors
}

/// What the built-in kinds add: a finalizer without a domain must be a known one.
pub fn kube_finalizers(object: &Value) -> Errors {
    let list = At::root(object).get("metadata").get("finalizers");
    list.items().filter_map(|it| kube_finalizer(&it)).collect()
}

/// One finalizer: with a domain, or a known one.
pub fn kube_finalizer(at: &At<'_>) -> Option<FieldError> {
    let wrong = !at.text().contains('/') && !at.is_any(&STANDARD_FINALIZERS);
    wrong.then(|| at.invalid("name is neither a standard finalizer name nor is it fully qualified"))
}

/// `metadata` of an object that is updated, against the old one.
pub fn meta_update(new: &Value, old: &Value) -> Errors {
    let (new, old) = (At::root(new).get("metadata"), At::root(old).get("metadata"));
    let mut errors = Errors::new();
    if old.get("deletionTimestamp").is_set() {
        errors.extend(no_new_finalizers(&new.get("finalizers"), &old.get("finalizers")));
    }
    let version = new.get("resourceVersion");
    if version.is_empty() {
        errors.extend(version.all_invalid(["must be specified for an update"]));
    }
    let generation = new.get("generation");
    errors.extend(number::non_negative(&generation));
    if generation.number() < old.get("generation").number() {
        errors.push(generation.invalid("must not be decremented"));
    }
    for name in [
        "name",
        "namespace",
        "uid",
        "creationTimestamp",
        "deletionTimestamp",
        "deletionGracePeriodSeconds",
    ] {
        errors.extend(new.get(name).immutable(&old.get(name)));
    }
    errors.extend(selector::labels(&new.get("labels")));
    errors.extend(annotations(&new.get("annotations")));
    errors.extend(owners::owner_references(&new.get("ownerReferences")));
    errors.extend(owners::managed_fields(&new.get("managedFields")));
    errors
}

fn no_new_finalizers(new: &At<'_>, old: &At<'_>) -> Option<FieldError> {
    let names = |list: &At<'_>| list.items().map(|it| it.text().to_owned()).collect::<BTreeSet<_>>();
    let extra: Vec<_> = names(new).difference(&names(old)).map(|it| format!("{it:?}")).collect();
    let says = "no new finalizers can be added if the object is being deleted, found new finalizers";
    (!extra.is_empty()).then(|| new.forbidden(format!("{says} []string{{{}}}", extra.join(", "))))
}

/// What the real server takes from the old object before it validates an update (`rest.BeforeUpdate`): `uid` if none is given,
/// `creationTimestamp`, `deletionTimestamp`, `deletionGracePeriodSeconds` if none is given. `generation` is the strategy's.
pub fn keep_system_fields(new: &mut Value, old: &Value) {
    let (Some(new), Some(old)) = (meta_mut(new), old.get("metadata").and_then(Value::as_object)) else {
        return;
    };
    for (name, always) in [
        ("uid", false),
        ("creationTimestamp", true),
        ("deletionTimestamp", true),
        ("deletionGracePeriodSeconds", false),
    ] {
        let given = new.get(name).is_some_and(|it| !it.is_null() && it != "");
        if let Some(value) = old.get(name).filter(|it| !it.is_null())
            && (always || !given)
        {
            new.insert(name.into(), value.clone());
        }
    }
}

fn meta_mut(object: &mut Value) -> Option<&mut serde_json::Map<String, Value>> {
    object.get_mut("metadata")?.as_object_mut()
}

/// Whether two objects differ in what raises `metadata.generation`: a field beside `metadata` and `status`.
pub fn differs_beside_status(new: &Value, old: &Value) -> bool {
    let (Some(new), Some(old)) = (new.as_object(), old.as_object()) else {
        return false;
    };
    let names: BTreeSet<_> = new.keys().chain(old.keys()).collect();
    names
        .into_iter()
        .filter(|it| !matches!(it.as_str(), "metadata" | "status" | "kind" | "apiVersion"))
        .any(|it| !same(new.get(it).unwrap_or(&Value::Null), old.get(it).unwrap_or(&Value::Null)))
}
