//! `initial(..)`: fields that are sent when a child is made, and then left to whoever else owns them.
//!
//! An apply that no longer sends a field takes it away, if it was ours. So right after a child is made we give up what we own of such
//! fields, by a patch of `managedFields`; until then the child carries an annotation that says so, and the patch takes it off. A crash
//! in between is seen by the next pass. A child that was made before the resource said `initial` is seen by its hash, and treated alike
//! before anything is sent to it.

use std::sync::Arc;

use kube::core::ObjectMeta;
use serde_json::{Map, Value};

use super::{
    Pass,
    children::invalid,
    creation::{Wanted, Written, written},
    unanswered,
};
use crate::{
    cluster::GivenUp,
    error::Result,
    operator::Operator,
    record::{HASH_ANNOTATION, INITIAL_ANNOTATION, hashed},
    store::{ChildEntry, ChildKey},
};

/// The initial fields of a child, taken out of what is sent later.
pub(super) struct Initial {
    /// JSON pointers.
    fields: &'static [&'static str],
    /// Goes to the end of the hash, so that it tells what was given up.
    suffix: String,
    /// What a child is made of, in place of what every apply sends; without our hash.
    whole: Value,
}

impl Initial {
    /// Takes the fields out of the body. `None`: the resource has none.
    pub(super) fn take(fields: &'static [&'static str], key: &ChildKey, body: &mut Value) -> Result<Option<Self>> {
        if fields.is_empty() {
            return Ok(None);
        }
        let whole = body.clone();
        for field in fields {
            take_out(body, field).map_err(|List| {
                invalid(format!(
                    "`initial(\"{field}\")` leads into a list of {key}: it can name members of objects only"
                ))
            })?;
        }
        let suffix = format!("-{}", &hashed(fields)[..8]);
        Ok(Some(Self { fields, suffix, whole }))
    }

    pub(super) fn suffix(&self) -> &str {
        &self.suffix
    }

    /// Whether we may still own what is not sent any more.
    pub(super) fn is_owed(&self, entry: &ChildEntry) -> bool {
        let annotations = &entry.value()["metadata"]["annotations"];
        let hash = annotations[HASH_ANNOTATION].as_str().unwrap_or_default();
        annotations.get(INITIAL_ANNOTATION).is_some() || !hash.ends_with(&self.suffix)
    }

    /// Makes the child with all fields, and gives those up that are not ours to keep.
    pub(super) async fn create<O: Operator>(&self, pass: &Pass<O>, wanted: &Wanted<'_>) -> Result<Written> {
        let key = wanted.key;
        let mut body = self.whole.clone();
        body["metadata"]["annotations"][HASH_ANNOTATION] = wanted.hash.clone().into();
        body["metadata"]["annotations"][INITIAL_ANNOTATION] = "pending".into();
        let answer = pass
            .running
            .cluster
            .create_owning(&key.kind, key.namespace.as_deref(), &key.name, &body);
        let made = match unanswered::creation(pass, key, answer).await {
            Ok(made) => made,
            Err(failure) if failure.is_conflict() => return Ok(Written::Look),
            Err(failure) => return Err(failure.into()),
        };
        match self.sent(pass, wanted, &made.metadata).await? {
            GivenUp::Done(object) => written(pass, wanted, &object),
            _ => Ok(Written::Look),
        }
    }

    /// Gives up what we own of the fields of a child of ours that was read before. `Done` holds the child as it is afterwards.
    pub(super) async fn give_up<O: Operator>(
        &self,
        pass: &Pass<O>,
        wanted: &Wanted<'_>,
        entry: &Arc<ChildEntry>,
    ) -> Result<Written> {
        let children = &pass.running.children;
        let after = match self.read_and_send(pass, wanted, &entry.uid).await? {
            GivenUp::Nothing => Some(entry.clone()),
            // Not as an answer to what is wanted: that has not been sent.
            GivenUp::Done(object) => children.learned(&wanted.key.kind, &object, &pass.uid, wanted.resource),
            GivenUp::Changed | GivenUp::Atomic(_) => None,
        };
        Ok(after.map_or_else(
            || {
                children.forget(&entry.uid);
                Written::Look
            },
            Written::Done,
        ))
    }

    /// The same for what is about to be adopted: it may have been ours before. `false`: it has changed by that, or meanwhile.
    pub(super) async fn owns_nothing<O: Operator>(
        &self,
        pass: &Pass<O>,
        wanted: &Wanted<'_>,
        uid: &str,
    ) -> Result<bool> {
        Ok(matches!(self.read_and_send(pass, wanted, uid).await?, GivenUp::Nothing))
    }

    async fn read_and_send<O: Operator>(&self, pass: &Pass<O>, wanted: &Wanted<'_>, uid: &str) -> Result<GivenUp> {
        let key = wanted.key;
        let live = pass
            .running
            .cluster
            .get_managed(&key.kind, key.namespace.as_deref(), &key.name)
            .await?;
        match live.filter(|live| live.uid.as_deref() == Some(uid)) {
            Some(live) => self.sent(pass, wanted, &live).await,
            None => Ok(GivenUp::Changed),
        }
    }

    async fn sent<O: Operator>(&self, pass: &Pass<O>, wanted: &Wanted<'_>, meta: &ObjectMeta) -> Result<GivenUp> {
        let key = wanted.key;
        let given = pass
            .running
            .cluster
            .give_up(
                &key.kind,
                key.namespace.as_deref(),
                meta,
                self.fields,
                INITIAL_ANNOTATION,
            )
            .await?;
        match given {
            GivenUp::Atomic(field) => Err(invalid(format!(
                "`initial(\"{field}\")` is inside of a field of {key} that is replaced as a whole: name that one, or leave it out"
            ))),
            given => Ok(given),
        }
    }
}

/// A pointer leads into a list.
#[derive(Debug, PartialEq, Eq)]
struct List;

/// Takes a field out of an object, and the objects on the way that are empty after it.
fn take_out(object: &mut Value, pointer: &str) -> Result<(), List> {
    let segments: Vec<_> = pointer
        .split('/')
        .skip(1)
        .map(|segment| segment.replace("~1", "/").replace("~0", "~"))
        .collect();
    take_at(object, &segments)
}

fn take_at(value: &mut Value, segments: &[String]) -> Result<(), List> {
    let object = match value {
        Value::Object(object) => object,
        Value::Array(_) => return Err(List),
        _ => return Ok(()),
    };
    match segments {
        [] => {}
        [last] => _ = object.remove(last),
        [first, rest @ ..] => {
            if let Some(member) = object.get_mut(first) {
                let full = !is_empty(member);
                take_at(member, rest)?;
                if full && is_empty(member) {
                    object.remove(first);
                }
            }
        }
    }
    Ok(())
}

fn is_empty(value: &Value) -> bool {
    value.as_object().is_some_and(Map::is_empty)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_field_goes_with_what_is_empty_after_it() {
        let mut body =
            json!({"spec": {"replicas": 3, "strategy": {"type": "Recreate"}, "other": {}}, "data": {"a/b~c": "x"}});
        for pointer in [
            "/spec/replicas",
            "/spec/strategy/type",
            "/data/a~1b~0c",
            "/spec/absent/x",
            "/spec/other/x",
        ] {
            take_out(&mut body, pointer).unwrap();
        }
        assert_eq!(body, json!({"spec": {"other": {}}}));
    }

    #[test]
    fn a_pointer_into_a_list_is_told() {
        let mut body = json!({"spec": {"containers": [{"image": "x"}]}});
        assert_eq!(take_out(&mut body, "/spec/containers/0/image"), Err(List));
        assert_eq!(take_out(&mut body, "/spec/containers/image"), Err(List));
        take_out(&mut body, "/spec/containers").unwrap();
        assert_eq!(body, json!({}));
    }
}
