//! `ControllerRevisions`: the templates that a StatefulSet or DaemonSet has had
//! (`k8s.io/kubernetes/pkg/controller/history`).

use serde_json::{Map, Value, json};

use super::labels::matches;
use super::owner::{controller_reference, is_controlled_by, name};
use super::time::created;
use crate::read::{integer, text};
use crate::table::jsonpath::print::go_json;

/// The longest name before the hash.
const MAX_PREFIX: usize = 223;

/// The owner's revisions, the oldest first.
pub(super) fn of_owner<'a>(owner: &Value, revisions: &[&'a Value]) -> Vec<&'a Value> {
    let selector = owner.pointer("/spec/selector");
    let is_own = |revision: &&Value| is_controlled_by(revision, owner) && matches(selector, revision);
    let mut own: Vec<&Value> = revisions.iter().copied().filter(is_own).collect();
    own.sort_by(|a, b| {
        let by_number = integer(a, "/revision").cmp(&integer(b, "/revision"));
        by_number
            .then_with(|| created(a).cmp(&created(b)))
            .then_with(|| name(a).cmp(name(b)))
    });
    own
}

/// What a revision keeps of its owner: the template, as a patch that restores it.
pub(super) fn data(owner: &Value) -> Value {
    let mut template = owner.pointer("/spec/template").cloned().unwrap_or_else(|| json!({}));
    template["$patch"] = json!("replace");
    json!({ "spec": { "template": template } })
}

/// The data as the real controllers write it, for its hash.
pub(super) fn written(data: &Value) -> String {
    go_json(data)
}

/// The template that a revision restores.
pub(super) fn template(revision: &Value) -> Value {
    let mut template = revision.pointer("/data/spec/template").cloned().unwrap_or_default();
    if let Some(template) = template.as_object_mut() {
        template.remove("$patch");
    }
    template
}

/// A new revision of the owner. `label` is where its hash stands.
pub(super) fn new(owner: &Value, data: &Value, number: i64, label: &str, hash: &str) -> Value {
    let prefix: String = name(owner).chars().take(MAX_PREFIX).collect();
    let mut labels = owner
        .pointer("/spec/template/metadata/labels")
        .cloned()
        .unwrap_or_else(|| json!({}));
    labels[label] = json!(hash);
    let mut metadata = Map::new();
    metadata.insert("name".to_owned(), json!(format!("{prefix}-{hash}")));
    metadata.insert("namespace".to_owned(), json!(text(owner, "/metadata/namespace")));
    metadata.insert("labels".to_owned(), labels);
    metadata.insert("ownerReferences".to_owned(), json!([controller_reference(owner)]));
    if let Some(annotations) = owner.pointer("/metadata/annotations") {
        metadata.insert("annotations".to_owned(), annotations.clone());
    }
    json!({
        "apiVersion": "apps/v1",
        "kind": "ControllerRevision",
        "metadata": metadata,
        "data": data,
        "revision": number,
    })
}

/// The number after the last one.
pub(super) fn next_number(revisions: &[&Value]) -> i64 {
    revisions.last().map_or(0, |last| integer(last, "/revision")) + 1
}

/// The revisions that are more than the owner keeps, the oldest first, without those that are `live`.
pub(super) fn surplus<'a>(owner: &Value, revisions: &[&'a Value], live: impl Fn(&Value) -> bool) -> Vec<&'a Value> {
    let limit = usize::try_from(integer(owner, "/spec/revisionHistoryLimit")).unwrap_or_default();
    let history: Vec<&Value> = revisions.iter().copied().filter(|revision| !live(revision)).collect();
    let surplus = history.len().saturating_sub(limit);
    history.into_iter().take(surplus).collect()
}
