//! `metadata.managedFields`: giving up fields that applies of ours own, without changing their values.
//!
//! An apply removes a field that its manager owns and no longer sends, unless somebody else owns it, too. The API server takes
//! `managedFields` in an update as it is written there (tried on 1.37): what is taken out of our entry is nobody's, stays as it is, and
//! whoever sets it next owns it.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ManagedFieldsEntry, ObjectMeta};
use kube::{
    api::GetParams,
    core::{DynamicObject, PartialObjectMeta},
};
use serde_json::{Map, Value, json};

use super::{
    Cluster, Failure, Kind, Op, pointer,
    requests::{built, found},
    target::{Target, Verb},
};

/// What came of giving fields up.
#[derive(Debug)]
pub(crate) enum GivenUp {
    /// None of them was ours: nothing was sent.
    Nothing,
    /// They are nobody's now; the object after it.
    Done(Box<DynamicObject>),
    /// The object is not as it was read.
    Changed,
    /// This field is inside of one that an apply replaces as a whole: it cannot be given up for itself.
    Atomic(String),
}

impl Cluster {
    /// The metadata of an object, with who owns which field.
    pub(crate) async fn get_managed(
        &self,
        kind: &Kind,
        namespace: Option<&str>,
        name: &str,
    ) -> Result<Option<ObjectMeta>, Failure> {
        let target = Target::of(Verb::Get, kind, namespace, name);
        let request = Self::at(&target, kind)?.get_metadata(name, &GetParams::default());
        let answer = self.send::<PartialObjectMeta>(target.clone(), built(&target, request)?);
        Ok(found(answer.await)?.map(|object| object.metadata))
    }

    /// Gives up fields (JSON pointers) that our applies own, and takes off an annotation in the same request; only if both are
    /// still as this metadata shows them. What others change meanwhile does not matter: controllers are busy with an object that was
    /// just made.
    pub(crate) async fn give_up(
        &self,
        kind: &Kind,
        namespace: Option<&str>,
        meta: &ObjectMeta,
        fields: &[&str],
        annotation: &str,
    ) -> Result<GivenUp, Failure> {
        let entries = meta.managed_fields.as_deref().unwrap_or_default();
        let given = match ops(entries, self.manager(), fields) {
            Ok(ops) => ops,
            Err(Atomic(field)) => return Ok(GivenUp::Atomic(field)),
        };
        let marked = meta
            .annotations
            .as_ref()
            .is_some_and(|all| all.contains_key(annotation));
        if given.is_empty() && !marked {
            return Ok(GivenUp::Nothing);
        }
        let mut ops = vec![Op::test("/metadata/uid", json!(meta.uid))];
        ops.extend(given);
        let path = format!("/metadata/annotations/{}", pointer(annotation));
        ops.extend(marked.then(|| Op::remove(&path)));
        let name = meta.name.as_deref().unwrap_or_default();
        match self.json_patch(kind, namespace, name, None, ops).await {
            Ok(object) => Ok(GivenUp::Done(Box::new(object))),
            Err(failure) if failure.is_lost_race() || failure.is_not_found() => Ok(GivenUp::Changed),
            Err(failure) => Err(failure),
        }
    }
}

/// A field is inside of one that is owned as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Atomic(String);

/// The operations that take fields out of what a manager's applies own; none if it owns none of them.
fn ops(entries: &[ManagedFieldsEntry], manager: &str, fields: &[&str]) -> Result<Vec<Op>, Atomic> {
    let mut ops = Vec::new();
    // From the end, so that an entry that goes does not move the others.
    for (index, entry) in entries.iter().enumerate().rev() {
        let ours = entry.manager.as_deref() == Some(manager)
            && entry.operation.as_deref() == Some("Apply")
            && entry.subresource.as_deref().unwrap_or_default().is_empty();
        let Some(owned) = entry.fields_v1.as_ref().filter(|_| ours) else {
            continue;
        };
        let mut left = owned.0.clone();
        let mut given = false;
        for field in fields {
            given |= take_out(&mut left, &segments(field), field)?;
        }
        if !given {
            continue;
        }
        let path = format!("/metadata/managedFields/{index}");
        let set = format!("{path}/fieldsV1");
        ops.push(Op::test(&format!("{path}/manager"), json!(manager)));
        ops.push(Op::test(&set, owned.0.clone()));
        ops.push(match left.as_object() {
            Some(left) if left.is_empty() => Op::remove(&path),
            _ => Op::add(&set, left),
        });
    }
    Ok(ops)
}

/// The members on the way to a field, in the form that `fieldsV1` has them.
fn segments(field: &str) -> Vec<String> {
    let segments = field.split('/').skip(1);
    segments
        .map(|segment| format!("f:{}", segment.replace("~1", "/").replace("~0", "~")))
        .collect()
}

/// Takes a field out of a set of owned ones, and what is empty after it. Returns whether it was in there.
fn take_out(owned: &mut Value, segments: &[String], field: &str) -> Result<bool, Atomic> {
    let [first, rest @ ..] = segments else {
        return Ok(false);
    };
    let Some(owned) = owned.as_object_mut() else {
        return Ok(false);
    };
    let Some(member) = owned.get_mut(first) else {
        return Ok(false);
    };
    if rest.is_empty() {
        owned.remove(first);
        return Ok(true);
    }
    // `{}` is a field that is owned with all that is in it.
    if member.as_object().is_none_or(Map::is_empty) {
        return Err(Atomic(field.to_owned()));
    }
    let taken = take_out(member, rest, field)?;
    if taken && member.as_object().is_some_and(Map::is_empty) {
        owned.remove(first);
    }
    Ok(taken)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entries(fields: &Value) -> Vec<ManagedFieldsEntry> {
        let other = json!({"manager": "hpa", "operation": "Update", "subresource": "scale", "fieldsV1": {"f:spec": {"f:replicas": {}}}});
        let status = json!({"manager": "us", "operation": "Apply", "subresource": "status", "fieldsV1": {"f:spec": {"f:replicas": {}}}});
        let ours = json!({"manager": "us", "operation": "Apply", "fieldsV1": fields});
        serde_json::from_value(json!([other, status, ours])).unwrap()
    }

    /// What is changed; each change is preceded by tests.
    fn changes(entries: &[ManagedFieldsEntry], manager: &str, fields: &[&str]) -> Result<Vec<Op>, Atomic> {
        let ops = ops(entries, manager, fields)?;
        assert!(ops.chunks(3).all(|ops| ops[0].is_test() && ops[1].is_test()), "{ops:?}");
        Ok(ops.into_iter().filter(|op| !op.is_test()).collect())
    }

    #[test]
    fn a_field_leaves_our_entry_and_no_other() {
        let owned =
            entries(&json!({"f:metadata": {"f:labels": {"f:a": {}}}, "f:spec": {"f:replicas": {}, "f:paused": {}}}));
        let left = json!({"f:metadata": {"f:labels": {"f:a": {}}}, "f:spec": {"f:paused": {}}});
        assert_eq!(
            changes(&owned, "us", &["/spec/replicas"]),
            Ok(vec![Op::add("/metadata/managedFields/2/fieldsV1", left)])
        );
        assert_eq!(ops(&owned, "us", &["/spec/other", "/data/a"]), Ok(Vec::new()));
        assert_eq!(ops(&owned, "somebody", &["/spec/replicas"]), Ok(Vec::new()));
    }

    #[test]
    fn what_is_empty_goes_since_an_empty_set_owns_the_whole() {
        let owned = entries(&json!({"f:data": {"f:a~b/c": {}}, "f:spec": {".": {}, "f:x": {}}}));
        let both = changes(&owned, "us", &["/data/a~0b~1c", "/spec/x"]);
        let left = json!({"f:spec": {".": {}}});
        assert_eq!(both, Ok(vec![Op::add("/metadata/managedFields/2/fieldsV1", left)]));
        let all = entries(&json!({"f:data": {"f:a": {}}}));
        assert_eq!(
            changes(&all, "us", &["/data/a"]),
            Ok(vec![Op::remove("/metadata/managedFields/2")])
        );
    }

    #[test]
    fn a_field_of_structure_goes_with_all_that_is_in_it() {
        let owned = entries(&json!({"f:spec": {"f:strategy": {"f:type": {}}, "f:paused": {}}}));
        let left = json!({"f:spec": {"f:paused": {}}});
        assert_eq!(
            changes(&owned, "us", &["/spec/strategy"]),
            Ok(vec![Op::add("/metadata/managedFields/2/fieldsV1", left)])
        );
    }

    #[test]
    fn a_part_of_what_is_replaced_as_a_whole_cannot_be_given_up() {
        let owned = entries(&json!({"f:spec": {"f:selector": {}}}));
        assert_eq!(
            changes(&owned, "us", &["/spec/selector/app"]),
            Err(Atomic("/spec/selector/app".into()))
        );
    }
}
