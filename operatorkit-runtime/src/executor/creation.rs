//! Creating and changing a child: only what is provably ours is written.

use std::sync::Arc;

use anyhow::anyhow;
use kube::core::DynamicObject;
use serde_json::{Map, Value, json};

use super::{
    Forward, Pass, adoption,
    children::{identity, is_unsure, terminating, value_of},
    initial::Initial,
    ownership, recreation, succession, unanswered,
};
use crate::{
    cluster::Failure,
    compare,
    error::{ErrorExt as _, Result},
    flow::Flow,
    graph::Settings,
    operator::Operator,
    record::{
        HASH_ANNOTATION, MARK_ANNOTATION, Mark, OPERATOR_LABEL, OWNER_LABEL, Proof, RESOURCE_LABEL, is_unowned, prove,
    },
    store::{ChildEntry, ChildKey, Freshness, Version},
};

/// How often an answer that contradicts what was known leads to another look within one pass.
const LOOKS: usize = 4;

/// What is to be sent for a child.
pub(super) struct Wanted<'a> {
    pub(super) key: &'a ChildKey,
    pub(super) resource: &'static str,
    pub(super) settings: &'static Settings,
    /// It is left behind when it would be deleted, as of now; what is stored on it may say otherwise.
    pub(super) keep: bool,
    /// What every apply sends.
    body: Value,
    pub(super) hash: String,
    pub(super) initial: Option<Initial>,
}

impl<'a> Wanted<'a> {
    /// Adds to a desired object what makes it ours: labels, mark and hash; and what the resource's policies say of it.
    /// `keep`: it is left behind when it would be deleted.
    pub(super) fn new<O: Operator>(
        pass: &Pass<O>,
        (resource, settings): (&'static str, &'static Settings),
        key: &'a ChildKey,
        mut body: Value,
        keep: bool,
    ) -> Result<Self> {
        let names = &pass.running.names;
        let mark = Mark {
            operator: names.operator.clone(),
            resource: resource.to_owned(),
            owner: pass.owner.clone(),
            uid: pass.uid.to_string(),
            this: identity(key),
            keep,
        };
        body["apiVersion"] = key.kind.api_version().into();
        body["kind"] = key.kind.kind.clone().into();
        let meta = member(&mut body, "metadata");
        if let Some(namespace) = &key.namespace {
            meta.insert("namespace".into(), namespace.to_string().into());
        }
        let labels = member_of(meta, "labels");
        labels.insert(OPERATOR_LABEL.into(), names.operator.clone().into());
        labels.insert(RESOURCE_LABEL.into(), resource.into());
        labels.insert(OWNER_LABEL.into(), pass.uid.to_string().into());
        let annotations = member_of(meta, "annotations");
        annotations.insert(MARK_ANNOTATION.into(), mark.to_text().into());
        if settings.owner_reference {
            ownership::refer(pass, key, meta)?;
        }
        let initial = Initial::take(settings.initial, key, &mut body)?;
        let mut hash = compare::hash(&body);
        if let Some(initial) = &initial {
            hash += initial.suffix();
        }
        member_of(member(&mut body, "metadata"), "annotations").insert(HASH_ANNOTATION.into(), hash.clone().into());
        Ok(Self {
            key,
            resource,
            settings,
            keep,
            body,
            hash,
            initial,
        })
    }

    /// What changes exactly the object with this UID; with a version, only as long as it has that one.
    pub(super) fn change(&self, uid: &str, version: Option<&str>) -> Value {
        let mut body = self.body.clone();
        body["metadata"]["uid"] = uid.into();
        if let Some(version) = version {
            body["metadata"]["resourceVersion"] = version.into();
        }
        body
    }
}

fn member<'a>(value: &'a mut Value, name: &str) -> &'a mut Map<String, Value> {
    if !value[name].is_object() {
        value[name] = json!({});
    }
    value[name].as_object_mut().expect("it was just made an object")
}

fn member_of<'a>(map: &'a mut Map<String, Value>, name: &str) -> &'a mut Map<String, Value> {
    let value = map.entry(name).or_insert_with(|| json!({}));
    if !value.is_object() {
        *value = json!({});
    }
    value.as_object_mut().expect("it was just made an object")
}

/// What has to be done next about a child.
enum Step {
    Create,
    Change(Arc<ChildEntry>),
    /// A live read showed this: judge it.
    Judge(Box<DynamicObject>),
}

/// Brings a child to what is wanted. Each answer that contradicts what was known leads to a fresh look; none is an
/// error by itself.
pub(super) async fn bring<O: Operator>(
    forward: &Forward<O>,
    wanted: &Wanted<'_>,
    known: Option<Arc<ChildEntry>>,
) -> Result<Flow<Arc<ChildEntry>>> {
    let pass = &forward.pass;
    let mut step = known.map_or(Step::Create, |entry| begin(pass, wanted.key, entry));
    let mut looked = false;
    for _ in 0..LOOKS {
        step = match step {
            Step::Create => match create(pass, wanted).await? {
                Done(entry) => return Ok(Flow::Ready(entry)),
                Later(entry) => begin(pass, wanted.key, entry),
                Refused(failure) => return Err(failure.into()),
                Look => look(pass, wanted.key).await?,
            },
            Step::Change(entry) if !looked && is_unsure(pass, &entry) => look(pass, wanted.key).await?,
            Step::Change(entry) if entry.terminating => {
                return Ok(Flow::Wait(terminating(pass, &entry)));
            }
            Step::Change(entry) => match change(pass, wanted, &entry).await? {
                Done(entry) => return Ok(Flow::Ready(entry)),
                Later(entry) => begin(pass, wanted.key, entry),
                Refused(failure) => match Box::pin(recreation::remove(pass, wanted, entry, &failure)).await? {
                    Flow::Ready(()) => Step::Create,
                    Flow::Wait(wait) => return Ok(Flow::Wait(wait)),
                    Flow::Skip(why) => return Ok(Flow::Skip(why)),
                    Flow::Cancel(why) => return Ok(Flow::Cancel(why)),
                },
                Look => look(pass, wanted.key).await?,
            },
            Step::Judge(live) if wanted.settings.adopt && is_unowned(&live.metadata, &pass.uid) => {
                match adoption::adopt(pass, wanted, &live).await? {
                    Done(entry) => return Ok(Flow::Ready(entry)),
                    Later(entry) => begin(pass, wanted.key, entry),
                    Refused(failure) => return Err(adoption::refused(&failure)),
                    Look => look(pass, wanted.key).await?,
                }
            }
            Step::Judge(live) => {
                looked = true;
                Step::Change(judge(pass, wanted, &live).await?)
            }
        };
    }
    Ok(Flow::wait_for(
        std::time::Duration::from_secs(1),
        format!("{} changes too fast to be written", wanted.key),
    ))
}

/// What is done first about a child that is known. A questioned one is asked for by creating it: absent, it is made; present, the answer is
/// a conflict.
fn begin<O: Operator>(pass: &Pass<O>, key: &ChildKey, entry: Arc<ChildEntry>) -> Step {
    let ours = || matches!(proof(pass, key, &entry.meta()), Proof::Ours(_));
    if entry.freshness == Freshness::Known && ours() {
        Step::Change(entry)
    } else {
        Step::Create
    }
}

/// What came of a write.
pub(super) enum Written {
    /// The child, as it was answered.
    Done(Arc<ChildEntry>),
    /// It was written, and this was shown of it before the answer came: somebody may have changed it since.
    Later(Arc<ChildEntry>),
    /// It is refused for nothing but fields that cannot be changed.
    Refused(Failure),
    /// It is not what was known.
    Look,
}
use Written::{Done, Later, Look, Refused};

async fn create<O: Operator>(pass: &Pass<O>, wanted: &Wanted<'_>) -> Result<Written> {
    if let Some(initial) = &wanted.initial {
        return initial.create(pass, wanted).await;
    }
    let key = wanted.key;
    let answer = pass
        .running
        .cluster
        .create_apply(&key.kind, key.namespace.as_deref(), &key.name, &wanted.body);
    match unanswered::creation(pass, key, answer).await {
        Ok(object) => written(pass, wanted, &object),
        Err(failure) if failure.is_conflict() => Ok(Look),
        Err(failure) => Err(failure.into()),
    }
}

async fn change<O: Operator>(pass: &Pass<O>, wanted: &Wanted<'_>, entry: &Arc<ChildEntry>) -> Result<Written> {
    let mark = Mark::on(&entry.meta());
    if mark.is_some_and(|mark| mark.operator != pass.running.names.operator) {
        // First the claims, so that fields that are no longer desired go with the apply; until that the mark tells what is left to do.
        succession::child(&pass.running.cluster, &pass.running.names, wanted.key, &entry.uid).await?;
    }
    let given = match &wanted.initial {
        Some(initial) if initial.is_owed(entry) => match initial.give_up(pass, wanted, entry).await? {
            Done(entry) => Some(entry),
            other => return Ok(other),
        },
        _ => None,
    };
    let entry = given.as_ref().unwrap_or(entry);
    if carries(pass, wanted, entry) {
        return Ok(Done(entry.clone()));
    }
    let key = wanted.key;
    let body = wanted.change(&entry.uid, None);
    match pass
        .running
        .cluster
        .update_apply(&key.kind, key.namespace.as_deref(), &key.name, &body)
        .await
    {
        Ok(object) => written(pass, wanted, &object),
        Err(failure) if failure.is_conflict() || failure.is_not_found() || failure.is_other_uid() => {
            pass.running.children.forget(&entry.uid);
            Ok(Look)
        }
        Err(failure) if failure.is_immutable() => Ok(Refused(failure)),
        Err(failure) => Err(failure.into()),
    }
}

/// The skip rule (design, section 4.5): the hash is there, and what was sent is what is observed, or is what the server
/// made of it.
fn carries<O: Operator>(pass: &Pass<O>, wanted: &Wanted<'_>, entry: &ChildEntry) -> bool {
    let observed = entry.value();
    let hash = observed["metadata"]["annotations"][HASH_ANNOTATION].as_str();
    hash == Some(&wanted.hash)
        && (compare::matches(&wanted.body, &observed)
            || pass.running.answered(&pass.uid, &entry.uid)
                == Some((wanted.hash.clone(), compare::digest(&wanted.body, &observed))))
}

pub(super) fn written<O: Operator>(pass: &Pass<O>, wanted: &Wanted<'_>, object: &DynamicObject) -> Result<Written> {
    let observed = value_of(object);
    if let Some(uid) = &object.metadata.uid
        && !compare::matches(&wanted.body, &observed)
    {
        let digest = compare::digest(&wanted.body, &observed);
        pass.running
            .remember_answer(&pass.uid, uid, wanted.hash.clone(), digest);
    }
    let entry = pass
        .running
        .children
        .learned(&wanted.key.kind, object, &pass.uid, wanted.resource);
    let entry = entry.ok_or_else(|| anyhow!("the API server answered for {} without name or UID", wanted.key))?;
    let answered = Version::of(object.metadata.resource_version.as_deref());
    Ok(if entry.version == answered {
        Done(entry)
    } else {
        Later(entry)
    })
}

async fn look<O: Operator>(pass: &Pass<O>, key: &ChildKey) -> Result<Step, Failure> {
    let live = pass
        .running
        .cluster
        .get(&key.kind, key.namespace.as_deref(), &key.name)
        .await?;
    Ok(live.map_or(Step::Create, |live| Step::Judge(Box::new(live))))
}

/// Whose a live object is: ours, ours to take over, or somebody else's, which is left alone.
async fn judge<O: Operator>(pass: &Pass<O>, wanted: &Wanted<'_>, live: &DynamicObject) -> Result<Arc<ChildEntry>> {
    let key = wanted.key;
    match proof(pass, key, &live.metadata) {
        Proof::Ours(_) => {}
        Proof::DeadIncarnation(mark) => {
            pass.running.confirm_uid(pass).await?;
            let message = format!(
                "{key} was made for an earlier {} of this name (UID {}) and is taken over",
                pass.owner.kind, mark.uid
            );
            pass.scope.events.normal("TookOver", message);
        }
        Proof::Foreign(why) => {
            released(pass, key, live);
            return Err(
                anyhow!("{key} exists already and is not ours: {why}. Rename or remove one of the two")
                    .reason("NameCollision"),
            );
        }
    }
    let entry = pass
        .running
        .children
        .learned(&key.kind, live, &pass.uid, wanted.resource);
    entry.ok_or_else(|| anyhow!("the API server answered for {key} without name or UID"))
}

/// Says so if somebody took our mark and labels off a child of ours.
pub(super) fn released<O: Operator>(pass: &Pass<O>, key: &ChildKey, live: &DynamicObject) {
    let known = pass.running.children.find(&pass.uid, key);
    if let Some(known) = known.filter(|known| Some(&*known.uid) == live.metadata.uid.as_deref()) {
        pass.running.children.forget(&known.uid);
        // With labels and mark copied from a child it was never ours.
        if Mark::on(&live.metadata).is_none() {
            pass.scope.events.warning(
                "Released",
                format!("{key} no longer carries our mark: somebody released it, it is left alone"),
            );
        }
    }
}

pub(super) fn proof<O: Operator>(pass: &Pass<O>, key: &ChildKey, meta: &kube::core::ObjectMeta) -> Proof {
    prove(meta, &identity(key), &pass.running.names, &pass.owner, &pass.uid)
}
