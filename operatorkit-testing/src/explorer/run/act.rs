//! What other users do, at a moment that does not suit the operator.

use std::{sync::Arc, time::Duration};

use kube::{
    Api,
    api::{ApiResource, DeleteParams, DynamicObject, Patch, PatchParams, PostParams, PropagationPolicy},
};
use serde_json::{Map, Value, json};
use tokio::time::sleep;

use super::{conduct::api, stage::Stage};
use crate::explorer::plan::{Act, Place};

/// How long somebody else's object is in the place of a child.
const REPLACED: Duration = Duration::from_mins(5);
/// How long the objects are paused.
const PAUSED: Duration = Duration::from_mins(10);
/// The key that pauses.
pub(in crate::explorer) const PAUSE: &str = "operatorkit.dev/paused";

/// Does it; what comes later is done by itself.
pub(super) async fn act(stage: &Arc<Stage>, act: Act) {
    stage.look(false);
    let done = match &act {
        Act::DeleteChild(child) => delete(stage, child).await,
        Act::EditChild(child) => edit(stage, child).await,
        Act::UnlabelChild(child) => unlabel(stage, child).await,
        Act::ReplaceChild(child) => replace(stage, child).await,
        Act::CopyChild(child) => copy(stage, child).await,
        Act::Pause => pause(stage).await,
        Act::DeleteForeground => delete_objects(stage, Some(PropagationPolicy::Foreground)).await,
        Act::DeleteObjects => delete_objects(stage, None).await,
        Act::Upgrade => {
            stage.upgrade();
            Ok(())
        }
    };
    if let Err(error) = done {
        // What is not there any more cannot be disturbed.
        stage.say(|| format!("  … which is refused: {error}"));
    }
    stage.look(false);
}

/// An object as it is now, and where.
fn there(stage: &Stage, place: &Place) -> Option<(Api<DynamicObject>, Value)> {
    let object = stage.with_judge(|judge| judge.object(place))?;
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

async fn delete(stage: &Stage, child: &Place) -> kube::Result<()> {
    let Some((api, _)) = there(stage, child) else {
        return Ok(());
    };
    api.delete(&child.name, &DeleteParams::background()).await.map(drop)
}

async fn edit(stage: &Stage, child: &Place) -> kube::Result<()> {
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

async fn unlabel(stage: &Stage, child: &Place) -> kube::Result<()> {
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

async fn replace(stage: &Arc<Stage>, child: &Place) -> kube::Result<()> {
    // Where it is not there yet, the user makes what it will be like: it was there in the undisturbed run.
    let known = there(stage, child).map(|(_, object)| object);
    let Some(object) = known.or_else(|| stage.with_judge(|judge| judge.expected(child))) else {
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
    later(stage, REPLACED, api, child.clone(), made);
    Ok(())
}

async fn copy(stage: &Arc<Stage>, child: &Place) -> kube::Result<()> {
    let Some((api, object)) = there(stage, child) else {
        return Ok(());
    };
    let name = format!("{}-copy", child.name);
    let Some(mut copy) = foreign(&object, &name) else {
        return Ok(());
    };
    copy.metadata.annotations = serde_json::from_value(object["metadata"]["annotations"].clone()).ok();
    let made = api.create(&PostParams::default(), &copy).await?;
    let place = Place { name, ..child.clone() };
    later(stage, REPLACED, api, place, made);
    Ok(())
}

/// The user takes away again what they have made; it must be as they made it.
fn later(stage: &Arc<Stage>, after: Duration, api: Api<DynamicObject>, place: Place, made: DynamicObject) {
    stage.pending(true);
    let stage = stage.clone();
    tokio::spawn(async move {
        sleep(after).await;
        stage.look(false);
        stage.say(|| format!("user       removes {place}"));
        let same = made.metadata.uid.clone().unwrap_or_default();
        let params = DeleteParams {
            preconditions: Some(kube::api::Preconditions {
                uid: Some(same),
                resource_version: None,
            }),
            ..DeleteParams::background().grace_period(0)
        };
        if let Err(error) = api.delete(&place.name, &params).await {
            stage.found(
                "what is foreign is left alone",
                format!("{place} of a user is gone: {error}"),
            );
        }
        stage.look(false);
        stage.pending(false);
    });
}

async fn pause(stage: &Arc<Stage>) -> kube::Result<()> {
    let annotate = |value: Value| json!({ "metadata": { "annotations": { PAUSE: value } } });
    for object in &stage.objects {
        let patch = Patch::Merge(annotate("true".into()));
        ignore_absent(
            api(&stage.user, object)
                .patch(&object.name, &PatchParams::default(), &patch)
                .await
                .map(drop),
        )?;
    }
    stage.pending(true);
    let stage = stage.clone();
    tokio::spawn(async move {
        sleep(PAUSED).await;
        stage.look(false);
        stage.say(|| "user       resumes the objects".into());
        for object in &stage.objects {
            let patch = Patch::Merge(annotate(Value::Null));
            let _absent = api(&stage.user, object)
                .patch(&object.name, &PatchParams::default(), &patch)
                .await;
        }
        stage.look(false);
        stage.pending(false);
    });
    Ok(())
}

async fn delete_objects(stage: &Stage, propagation: Option<PropagationPolicy>) -> kube::Result<()> {
    stage.deletes();
    for object in &stage.objects {
        let params = DeleteParams {
            propagation_policy: propagation.clone(),
            ..DeleteParams::default()
        };
        ignore_absent(api(&stage.user, object).delete(&object.name, &params).await.map(drop))?;
    }
    Ok(())
}

fn ignore_absent(done: kube::Result<()>) -> kube::Result<()> {
    match done {
        Err(kube::Error::Api(status)) if status.code == 404 => Ok(()),
        done => done,
    }
}
