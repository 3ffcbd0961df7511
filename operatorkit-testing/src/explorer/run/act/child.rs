//! What other users do to a child.

use std::{sync::Arc, time::Duration};

use kube::{
    Api,
    api::{ApiResource, DeleteParams, DynamicObject, Patch, PatchParams, PostParams, Preconditions},
};
use serde_json::{Map, Value, json};

use super::{super::stage::Stage, later};
use crate::explorer::plan::Place;

/// How long somebody else's object is in the place of a child.
const REPLACED: Duration = Duration::from_mins(5);
/// How long a user's finalizer is on a child.
const HELD: Duration = Duration::from_mins(5);
/// The finalizer of a user.
const HOLD: &str = "example.com/hold";
/// The rule about what users have made.
const FOREIGN: &str = "what is foreign is left alone";

/// A child as it is now, and where; none, if something else is in its place.
fn there(stage: &Stage, place: &Place) -> Option<(Api<DynamicObject>, Value)> {
    let object = stage.with_judge(|judge| judge.child(place))?;
    Some((api_of(stage, place, &object), object))
}

fn api_of(stage: &Stage, place: &Place, object: &Value) -> Api<DynamicObject> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let api_version = text(&object["apiVersion"]);
    let (group, version) = api_version.split_once('/').unwrap_or(("", &api_version));
    let kind = ApiResource {
        group: group.into(),
        version: version.into(),
        api_version: api_version.clone(),
        kind: text(&object["kind"]),
        plural: place.resource.split('.').next().unwrap_or_default().into(),
    };
    if place.namespace.is_empty() {
        Api::all_with(stage.user.clone(), &kind)
    } else {
        Api::namespaced_with(stage.user.clone(), &place.namespace, &kind)
    }
}

pub(super) async fn delete(stage: &Stage, child: &Place) -> kube::Result<()> {
    let Some((api, _)) = there(stage, child) else {
        return Ok(());
    };
    api.delete(&child.name, &DeleteParams::background()).await.map(drop)
}

pub(super) async fn edit(stage: &Stage, child: &Place) -> kube::Result<()> {
    let Some((api, object)) = there(stage, child) else {
        return Ok(());
    };
    let data = object["data"].as_object().and_then(|data| data.keys().next());
    let patch = match (data, object["spec"]["replicas"].as_i64()) {
        // In base64, for a Secret.
        (Some(key), _) => json!({ "data": { key: "ZWRpdGVk" } }),
        (None, Some(replicas)) => json!({ "spec": { "replicas": replicas + 1 } }),
        // That it was edited shows in the hash.
        (None, None) => json!({ "metadata": { "annotations": { "operatorkit.dev/hash": "edited" } } }),
    };
    merge(&api, child, &patch).await
}

pub(super) async fn unlabel(stage: &Stage, child: &Place) -> kube::Result<()> {
    let Some((api, object)) = there(stage, child) else {
        return Ok(());
    };
    let labels = object["metadata"]["labels"].as_object().into_iter().flatten();
    let ours = labels.filter(|(key, _)| key.starts_with("operatorkit.dev/"));
    let gone: Map<String, Value> = ours.map(|(key, _)| (key.clone(), Value::Null)).collect();
    merge(&api, child, &json!({ "metadata": { "labels": gone } })).await
}

async fn merge(api: &Api<DynamicObject>, place: &Place, patch: &Value) -> kube::Result<()> {
    let params = PatchParams::default();
    api.patch(&place.name, &params, &Patch::Merge(patch)).await.map(drop)
}

/// What a user makes of a child: the same content and labels, without what proves whose it is.
fn foreign(object: &Value, name: &str) -> Option<DynamicObject> {
    let mut foreign = object.clone();
    let mut metadata = json!({ "name": name, "labels": object["metadata"]["labels"] });
    if let Some(namespace) = object["metadata"]["namespace"].as_str() {
        metadata["namespace"] = namespace.into();
    }
    foreign["metadata"] = metadata;
    foreign.as_object_mut()?.remove("status");
    // The address of a Service is its own.
    if let Some(spec) = foreign["spec"].as_object_mut() {
        spec.retain(|key, _| !key.starts_with("clusterIP"));
    }
    serde_json::from_value(foreign).ok()
}

pub(super) async fn replace(stage: &Arc<Stage>, child: &Place) -> kube::Result<()> {
    // Where it is not there yet, the user makes what it will be like: it was there in the undisturbed run.
    let known = stage.with_judge(|judge| match judge.child(child) {
        None if judge.is_there(child) => None,
        None => judge.expected(child),
        known => known,
    });
    let Some(object) = known else {
        return Ok(());
    };
    let Some(foreign) = foreign(&object, &child.name) else {
        return Ok(());
    };
    let api = api_of(stage, child, &object);
    match api
        .delete(&child.name, &DeleteParams::background().grace_period(0))
        .await
    {
        Ok(_) | Err(kube::Error::Api(_)) => {}
        Err(error) => return Err(error),
    }
    let made = api.create(&PostParams::default(), &foreign).await?;
    leaves(stage, api, child.clone(), made);
    Ok(())
}

pub(super) async fn copy(stage: &Arc<Stage>, child: &Place) -> kube::Result<()> {
    let Some((api, object)) = there(stage, child) else {
        return Ok(());
    };
    let name = format!("{}-copy", child.name);
    let Some(mut copy) = foreign(&object, &name) else {
        return Ok(());
    };
    copy.metadata.annotations = serde_json::from_value(object["metadata"]["annotations"].clone()).ok();
    let made = api.create(&PostParams::default(), &copy).await?;
    leaves(stage, api, Place { name, ..child.clone() }, made);
    Ok(())
}

/// The user takes away again what they have made; it must be as they made it.
fn leaves(stage: &Arc<Stage>, api: Api<DynamicObject>, place: Place, made: DynamicObject) {
    let left = stage.clone();
    later(stage, REPLACED, async move {
        left.say(|| format!("user       removes {place}"));
        let params = DeleteParams {
            preconditions: Some(Preconditions {
                uid: made.metadata.uid,
                resource_version: None,
            }),
            ..DeleteParams::background().grace_period(0)
        };
        if let Err(error) = api.delete(&place.name, &params).await {
            left.found(FOREIGN, format!("{place} of a user is gone: {error}"));
        }
    });
}

/// A child that is going takes no new finalizer, and one that has it is held already.
pub(super) async fn hold(stage: &Arc<Stage>, child: &Place) -> kube::Result<()> {
    let Some((api, object)) = there(stage, child) else {
        return Ok(());
    };
    let mut finalizers = finalizers(&object);
    if object["metadata"]["deletionTimestamp"].is_string() || finalizers.iter().any(|it| it == HOLD) {
        return Ok(());
    }
    finalizers.push(HOLD.into());
    merge(&api, child, &with_finalizers(&finalizers)).await?;
    let (held, child) = (stage.clone(), child.clone());
    later(stage, HELD, async move {
        held.say(|| format!("user       takes their finalizer off {child}"));
        let live = api.get_opt(&child.name).await.ok().flatten();
        let live = live
            .and_then(|live| serde_json::to_value(live).ok())
            .unwrap_or_default();
        let (its, others): (Vec<_>, Vec<_>) = self::finalizers(&live).into_iter().partition(|it| it == HOLD);
        if its.is_empty() {
            held.found(FOREIGN, format!("the finalizer of a user is gone from {child}"));
        } else if let Err(error) = merge(&api, &child, &with_finalizers(&others)).await {
            held.say(|| format!("  … which is refused: {error}"));
        }
    });
    Ok(())
}

fn finalizers(object: &Value) -> Vec<Value> {
    object["metadata"]["finalizers"].as_array().cloned().unwrap_or_default()
}

fn with_finalizers(finalizers: &[Value]) -> Value {
    json!({ "metadata": { "finalizers": finalizers } })
}
