//! What the operator succeeds to is brought under its name: on an object in one patch, on a child before its next apply.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{FieldsV1, ManagedFieldsEntry};
use serde_json::{Value, json};

use super::{
    Pass,
    finalizer::{Patched, Stored, TRIES, patch, pointer},
    turns,
};
use crate::{
    cluster::{Cluster, Op},
    error::Result,
    operator::Operator,
    record::{Inventory, Names},
    store::{ChildKey, ObjectEntry},
};

/// Replaces, in one patch, finalizers under earlier names and those of others by ours, moves what is stored under our name, and with
/// it what our field managers own. There is no moment without a finalizer; an object that is being deleted stays as it is, since it takes no
/// new finalizer.
pub(super) async fn object<O: Operator>(pass: &Pass<O>, inventory: &Inventory) -> Result<Stored> {
    let running = &pass.running;
    for _ in 0..TRIES {
        let entry = pass.entry();
        if entry.terminating() {
            return Ok(Stored::NoLonger);
        }
        if !entry.is_to_be_succeeded(&running.names) {
            return Ok(Stored::Yes);
        }
        let live = running
            .cluster
            .get_managed(&running.kind, entry.namespace(), entry.name())
            .await?;
        let Some(live) = live.filter(|live| live.uid.as_deref() == Some(&*pass.uid)) else {
            return Ok(Stored::NoLonger);
        };
        let mut ops = Op::as_read(&entry.meta).to_vec();
        ops.extend(taken_over(&entry, &running.names, &inventory.to_text(), running.own));
        ops.extend(managers(live.managed_fields.as_deref(), &running.names));
        match patch(pass, None, ops).await? {
            Patched::Done => {
                turns::taken_over();
                return Ok(Stored::Yes);
            }
            Patched::Again => {}
            Patched::Gone => return Ok(Stored::NoLonger),
        }
    }
    Err(anyhow::anyhow!(
        "the object changes too fast for what an earlier version left on it to be taken over"
    ))
}

/// The finalizers as they are to be: ours where the first of those that it replaces was, others as they are.
fn finalizers<'a>(before: &'a [String], names: &'a Names) -> Vec<&'a str> {
    let mut after: Vec<&str> = Vec::with_capacity(before.len() + 1);
    for finalizer in before {
        let ours = names.is_finalizer(finalizer);
        let finalizer = if ours { &names.finalizer } else { finalizer };
        if !after.contains(&finalizer.as_str()) {
            after.push(finalizer);
        }
    }
    if !after.contains(&names.finalizer.as_str()) {
        after.push(&names.finalizer);
    }
    after
}

/// Finalizers and annotations, as they are under our name.
fn taken_over<O: Operator>(entry: &ObjectEntry<O>, names: &Names, inventory: &str, own: bool) -> Vec<Op> {
    let mut annotations = entry.meta.annotations.clone().unwrap_or_default();
    for former in &names.former {
        annotations.remove(&former.inventory);
        annotations.remove(&former.state);
    }
    annotations.insert(names.inventory.clone(), inventory.to_owned());
    if !own && !entry.slots.is_empty() {
        let text = serde_json::to_string(&*entry.slots).expect("slots always serialise");
        annotations.insert(names.state.clone(), text);
    }
    let before = entry.meta.finalizers.as_deref().unwrap_or_default();
    let mut ops = vec![Op::add("/metadata/finalizers", json!(finalizers(before, names)))];
    if entry.meta.annotations.is_none() {
        ops.push(Op::add("/metadata/annotations", json!({})));
    }
    // Key by key: an annotation that is not kept in memory must not go.
    let known = entry.meta.annotations.clone().unwrap_or_default();
    let path = |key: &str| format!("/metadata/annotations/{}", pointer(key));
    for (key, value) in &annotations {
        if known.get(key) != Some(value) {
            ops.push(Op::add(&path(key), json!(value)));
        }
    }
    for key in known.keys().filter(|key| !annotations.contains_key(*key)) {
        ops.push(Op::remove(&path(key)));
    }
    ops
}

/// Brings what earlier names own of a child under ours. The apply that follows changes labels and mark; a crash in between is taken up by
/// the next pass, since the mark still has the earlier name.
pub(super) async fn child(cluster: &Cluster, names: &Names, key: &ChildKey, uid: &str) -> Result<()> {
    let (namespace, name) = (key.namespace.as_deref(), &*key.name);
    for _ in 0..TRIES {
        let live = cluster.get_managed(&key.kind, namespace, name).await?;
        // Gone, or another one: the apply that follows tells what that means.
        let meta = live.filter(|live| live.uid.as_deref() == Some(uid)).unwrap_or_default();
        let Some(managers) = managers(meta.managed_fields.as_deref(), names) else {
            return Ok(());
        };
        let mut ops = Op::as_read(&meta).to_vec();
        ops.push(managers);
        match cluster.json_patch(&key.kind, namespace, name, None, ops).await {
            Ok(_) => return Ok(()),
            Err(failure) if failure.is_lost_race() => {}
            Err(failure) if failure.is_not_found() => return Ok(()),
            Err(failure) => return Err(failure.into()),
        }
    }
    Err(anyhow::anyhow!(
        "{key} changes too fast to be taken over from an earlier name"
    ))
}

/// The `managedFields` with earlier names replaced by ours. `None`: there is none of an earlier name.
fn managers(list: Option<&[ManagedFieldsEntry]>, names: &Names) -> Option<Op> {
    let list = list?;
    let ours = |manager: &str| {
        names.former.iter().find_map(|former| {
            let rest = manager.strip_prefix(&former.finalizer)?;
            (rest.is_empty() || rest == "/status").then(|| format!("{}{rest}", names.finalizer))
        })
    };
    if !list
        .iter()
        .filter_map(|entry| entry.manager.as_deref())
        .any(|manager| ours(manager).is_some())
    {
        return None;
    }
    let mut after: Vec<ManagedFieldsEntry> = Vec::with_capacity(list.len());
    for entry in list {
        let mut entry = entry.clone();
        if let Some(name) = entry.manager.as_deref().and_then(ours) {
            entry.manager = Some(name);
        }
        // To the server it is one manager's apply in whichever version (structured-merge-diff, `BuildManagerIdentifier`).
        let same = |other: &&mut ManagedFieldsEntry| {
            other.manager == entry.manager
                && other.operation == entry.operation
                && (other.api_version == entry.api_version || entry.operation.as_deref() == Some("Apply"))
                && other.subresource == entry.subresource
        };
        match after.iter_mut().find(same) {
            Some(other) => {
                let fields = entry.fields_v1.map_or(Value::Null, |FieldsV1(fields)| fields);
                merge(
                    &mut other.fields_v1.get_or_insert_with(|| FieldsV1(json!({}))).0,
                    fields,
                );
            }
            None => after.push(entry),
        }
    }
    Some(Op::add("/metadata/managedFields", json!(after)))
}

/// The union of two sets of fields: maps of maps (meta/v1, `FieldsV1`).
fn merge(one: &mut Value, other: Value) {
    if let (Value::Object(one), Value::Object(other)) = (one, other) {
        for (key, fields) in other {
            merge(one.entry(key).or_insert_with(|| json!({})), fields);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::from_value;

    use super::*;

    fn managed(list: Value) -> Option<Value> {
        let names = Names::new("new").succeeding(&["old"], &[]);
        let list: Vec<ManagedFieldsEntry> = from_value(list).expect("managedFields");
        let Op::Add { value, .. } = managers(Some(&list), &names)? else {
            panic!("it is set");
        };
        Some(value)
    }

    fn entry(manager: &str, fields: &Value) -> Value {
        json!({ "manager": manager, "operation": "Apply", "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": fields })
    }

    #[test]
    fn earlier_names_are_replaced_and_others_stay() {
        let (data, status) = (json!({ "f:data": {} }), json!({ "f:status": {} }));
        let list = json!([
            entry("operatorkit.dev/old", &data),
            entry("operatorkit.dev/old/status", &status),
            entry("operatorkit.dev/older", &data),
        ]);
        let wanted = json!([
            entry("operatorkit.dev/new", &data),
            entry("operatorkit.dev/new/status", &status),
            entry("operatorkit.dev/older", &data),
        ]);
        assert_eq!(managed(list), Some(wanted));
        assert_eq!(managed(json!([entry("operatorkit.dev/new", &data)])), None);
    }

    #[test]
    fn what_both_names_own_is_owned_by_one() {
        let list = json!([
            entry("operatorkit.dev/new", &json!({ "f:data": { "f:a": {} } })),
            entry(
                "operatorkit.dev/old",
                &json!({ "f:data": { "f:b": {} }, "f:metadata": {} })
            ),
        ]);
        let wanted = json!([entry(
            "operatorkit.dev/new",
            &json!({ "f:data": { "f:a": {}, "f:b": {} }, "f:metadata": {} })
        )]);
        assert_eq!(managed(list), Some(wanted));
    }
}
