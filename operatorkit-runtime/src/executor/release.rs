//! Leaving a child behind: our marks go, and our claim on its fields; the child stays.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ManagedFieldsEntry, ObjectMeta};
use serde_json::json;

use crate::{
    cluster::{Cluster, Failure, Kind, Op, pointer},
    record::{
        HASH_ANNOTATION, INITIAL_ANNOTATION, MARK_ANNOTATION, Mark, Names, OPERATOR_LABEL, OWNER_LABEL, RESOURCE_LABEL,
    },
    store::ChildKey,
};

/// How often a child that changes meanwhile is read anew.
const TRIES: usize = 4;

/// What a release came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Release {
    /// The child no longer carries anything of ours.
    Done,
    /// It is not there, is another one, or does not carry our mark.
    NotOurs,
    /// It changes too fast.
    Again,
}

/// Takes off a child what makes it ours, in one patch that tests that it is as it was read. It is never deleted.
///
/// Its fields are nobody's then; where no other manager is left the API server calls their owner `before-first-apply` (tried), so an
/// apply that changes one has to be forced.
pub(crate) async fn release(
    cluster: &Cluster,
    names: &Names,
    kind: &Kind,
    key: &ChildKey,
    uid: &str,
) -> Result<Release, Failure> {
    let (namespace, name) = (key.namespace.as_deref(), &*key.name);
    for _ in 0..TRIES {
        let live = cluster.get_managed(kind, namespace, name).await?;
        let live = live.filter(|live| live.uid.as_deref() == Some(uid));
        let marked = live.and_then(|live| Some((Mark::put_on(&live, kind, names)?, live)));
        let Some((mark, live)) = marked else {
            return Ok(Release::NotOurs);
        };
        let ops = ops(&live, &mark, names);
        match cluster.json_patch(kind, namespace, name, None, ops).await {
            Ok(_) => return Ok(Release::Done),
            Err(failure) if failure.is_not_found() => return Ok(Release::NotOurs),
            Err(failure) if failure.is_lost_race() => {}
            Err(failure) => return Err(failure),
        }
    }
    Ok(Release::Again)
}

/// The patch: labels, annotations, an owner reference to our object, and what our field managers own.
fn ops(meta: &ObjectMeta, mark: &Mark, names: &Names) -> Vec<Op> {
    let mut ops = Op::as_read(meta).to_vec();
    let labels = meta.labels.iter().flatten().map(|(key, _)| ("labels", key.as_str()));
    let annotations = meta.annotations.iter().flatten();
    let annotations = annotations.map(|(key, _)| ("annotations", key.as_str()));
    let ours = [
        OPERATOR_LABEL,
        RESOURCE_LABEL,
        OWNER_LABEL,
        MARK_ANNOTATION,
        HASH_ANNOTATION,
        INITIAL_ANNOTATION,
    ];
    for (map, key) in labels.chain(annotations).filter(|(_, key)| ours.contains(key)) {
        ops.push(Op::remove(&format!("/metadata/{map}/{}", pointer(key))));
    }
    let owners = meta.owner_references.iter().flatten();
    let others: Vec<_> = owners.clone().filter(|owner| owner.uid != mark.uid).collect();
    if others.len() < owners.count() {
        ops.push(Op::add("/metadata/ownerReferences", json!(others)));
    }
    ops.extend(without_managers(meta, names));
    ops
}

/// Takes our managers out of who owns which field. `None`: they own nothing.
pub(crate) fn without_managers(meta: &ObjectMeta, names: &Names) -> Option<Op> {
    let managers = meta.managed_fields.iter().flatten();
    let ours = |entry: &&ManagedFieldsEntry| entry.manager.as_deref().is_some_and(|it| names.is_manager(it));
    let others: Vec<_> = managers.clone().filter(|entry| !ours(entry)).collect();
    if others.len() == managers.count() {
        return None;
    }
    // An empty list would be ignored; one empty entry stands for none (Kubernetes, "Server-Side Apply", clearing managedFields).
    let others = if others.is_empty() { json!([{}]) } else { json!(others) };
    Some(Op::add("/metadata/managedFields", others))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, from_value, to_value};

    use super::*;

    fn meta(more: &Value) -> (ObjectMeta, Mark) {
        let mut meta = json!({ "uid": "c", "resourceVersion": "7", "name": "x", "annotations": { "theirs": "stays" } });
        let mark = json!({
            "operator": "op", "resource": "r", "uid": "o",
            "owner": { "kind": "App.demo", "name": "a" }, "self": { "kind": "ConfigMap", "name": "x" },
        });
        for (key, value) in more.as_object().expect("an object") {
            meta[key] = value.clone();
        }
        (from_value(meta).expect("metadata"), from_value(mark).expect("a mark"))
    }

    fn patch(more: &Value) -> Value {
        let (meta, mark) = meta(more);
        to_value(ops(&meta, &mark, &Names::new("op"))).expect("JSON")
    }

    #[test]
    fn only_what_is_ours_is_taken_off() {
        let patch = patch(&json!({
            "labels": { "app": "x", "operatorkit.dev/operator": "op" },
            "annotations": { "operatorkit.dev/initial": "pending", "operatorkit.dev/mark": "{}", "operatorkit.dev/paused": "true" },
        }));
        let wanted = json!([
            { "op": "test", "path": "/metadata/uid", "value": "c" },
            { "op": "test", "path": "/metadata/resourceVersion", "value": "7" },
            { "op": "remove", "path": "/metadata/labels/operatorkit.dev~1operator" },
            { "op": "remove", "path": "/metadata/annotations/operatorkit.dev~1initial" },
            { "op": "remove", "path": "/metadata/annotations/operatorkit.dev~1mark" },
        ]);
        assert_eq!(patch, wanted);
    }

    #[test]
    fn an_owner_reference_to_our_object_goes_so_that_it_is_not_collected() {
        let owner = |uid: &str| json!({ "apiVersion": "v1", "kind": "App", "name": uid, "uid": uid });
        let patch = patch(&json!({ "ownerReferences": [owner("o"), owner("other")] }));
        assert_eq!(
            patch[2],
            json!({ "op": "add", "path": "/metadata/ownerReferences", "value": [owner("other")] })
        );
    }

    #[test]
    fn the_last_manager_leaves_an_empty_entry() {
        let manager = |name: &str| json!({ "manager": name, "operation": "Apply" });
        let both = patch(&json!({ "managedFields": [manager("operatorkit.dev/op"), manager("kubectl")] }));
        assert_eq!(both[2]["value"], json!([manager("kubectl")]));
        let one = patch(&json!({ "managedFields": [manager("operatorkit.dev/op")] }));
        assert_eq!(one[2]["value"], json!([{}]));
    }
}
