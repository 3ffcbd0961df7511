//! From client-side to server-side apply: `kubectl` does not conflict with what its annotation says it applied
//! (`managedfields`, `lastappliedmanager.go` and `lastappliedupdater.go`).

use serde_json::{Value, json};

use super::{
    compare::compare,
    conform::conform,
    go,
    mentioned::mentioned,
    request::Request,
    set::FieldSet,
    updater::{Conflict, Typed},
};

/// The manager of `kubectl apply --server-side`.
pub(super) const MANAGER: &str = "kubectl";

/// Where client-side apply keeps what it applied.
const ANNOTATION: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// What all annotations together may take, in bytes.
const MAX_ANNOTATIONS: usize = 256 * 1024;

/// The conflicts that the annotation does not excuse.
pub(super) fn remaining(conflicts: Vec<Conflict>, live: &Value, request: &Request<'_>) -> Vec<Conflict> {
    let Some(allowed) = applied_and_unchanged(live, request) else {
        return conflicts;
    };
    conflicts.into_iter().filter(|it| !allowed.has(&it.path)).collect()
}

/// What client-side apply set, and is so still. `None` without an annotation that can be read.
fn applied_and_unchanged(live: &Value, request: &Request<'_>) -> Option<FieldSet> {
    let text = annotation(live)?;
    let applied: Value = serde_json::from_str(text).ok()?;
    if applied["apiVersion"].as_str() != Some(request.api_version) {
        return None;
    }
    let place = Typed::of(live, request).place;
    if !conform(place, live, false).is_empty() || !conform(place, &applied, false).is_empty() {
        return None;
    }
    let comparison = compare(place, &applied, live).ok()?;
    let set = mentioned(place, &applied);
    Some(
        set.difference(&comparison.modified)
            .difference(&comparison.added)
            .difference(&comparison.removed),
    )
}

fn annotation(object: &Value) -> Option<&str> {
    object["metadata"]["annotations"][ANNOTATION]
        .as_str()
        .filter(|it| !it.is_empty())
}

/// Brings the annotation up to what is applied, if the object has it. It goes where it gets too large.
pub(super) fn renew(object: &mut Value, applied: &Value) {
    if annotation(object).is_none() {
        return;
    }
    let mut applied = applied.clone();
    if let Some(annotations) = applied["metadata"]
        .get_mut("annotations")
        .and_then(Value::as_object_mut)
    {
        annotations.remove(ANNOTATION);
    }
    let text = go::json(&applied) + "\n";
    let Some(annotations) = object["metadata"]["annotations"].as_object_mut() else {
        return;
    };
    annotations.insert(ANNOTATION.into(), json!(text));
    let size: usize = annotations
        .iter()
        .map(|(key, value)| key.len() + value.as_str().map_or(0, str::len))
        .sum();
    if size > MAX_ANNOTATIONS {
        annotations.remove(ANNOTATION);
    }
}
