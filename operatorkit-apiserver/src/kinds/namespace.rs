//! `Namespace`, and its subresource `finalize`.

use serde_json::{Value, json};

use super::{edit, strategy::Strategy};
use crate::validation::{At, Errors, meta, names};

/// `Namespace`.
pub static NAMESPACE: Strategy = Strategy {
    name: names::label_name,
    status: true,
    initial_status: r#"{"phase":"Active"}"#,
    prepare: |object| {
        let finalizers = edit::get(object, &["spec", "finalizers"]).as_array().cloned();
        let mut finalizers = finalizers.unwrap_or_default();
        if !finalizers.iter().any(|it| it == "kubernetes") {
            finalizers.push(json!("kubernetes"));
        }
        edit::set(object, &["spec", "finalizers"], finalizers.into());
        label(object);
    },
    prepare_update: |new, old| {
        edit::keep(new, old, &["spec"]);
        label(new);
    },
    validate: |object| finalizers(object, false),
    validate_status: |new, _| {
        let root = At::root(new);
        let deleted = root.get("metadata").get("deletionTimestamp").is_set();
        let (phase, when) = if deleted {
            ("Terminating", "not empty")
        } else {
            ("Active", "empty")
        };
        let at = root.get("status").get("phase");
        // The real server writes the name of the Go field.
        let shown = at.placed(root.get("status").get("Phase").path);
        let detail = format!("may only be '{phase}' if `deletionTimestamp` is {when}");
        if at.is(phase) {
            Errors::new()
        } else {
            shown.all_invalid([detail])
        }
    },
    canonicalize: label,
    ..Strategy::CLUSTER
};

/// The label that selects a namespace by its name. The real server sets it as a default, and again at the end.
fn label(object: &mut Value) {
    let name = edit::get(object, &["metadata", "name"]).clone();
    edit::set(object, &["metadata", "labels", "kubernetes.io/metadata.name"], name);
}

/// Prepares and checks a PUT to `finalize`: `spec.finalizers` is what it is for.
pub fn before_finalize(new: &mut Value, old: &Value) -> Errors {
    NAMESPACE.before_subresource_update(
        new,
        old,
        |new, old| edit::keep(new, old, &["status"]),
        |new, _| finalizers(new, true),
    )
}

fn finalizers(object: &Value, by_index: bool) -> Errors {
    let list = At::root(object).get("spec").get("finalizers");
    let mut errors = Errors::new();
    for item in list.items() {
        let at = if by_index { item } else { item.placed(list.path.clone()) };
        errors.extend(at.all_invalid(names::qualified_name(at.text())));
        errors.extend(meta::kube_finalizer(&at));
    }
    errors
}
