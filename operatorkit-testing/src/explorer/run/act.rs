//! What other users do, at a moment that does not suit the operator.

mod child;

use std::{sync::Arc, time::Duration};

use kube::api::{DeleteParams, Patch, PatchParams, PropagationPolicy};
use operatorkit_apiserver::fault::{Effect, Fault, Matching};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::{
    conduct::api,
    stage::{Stage, USER},
};
use crate::explorer::plan::Act;

/// How long the objects are paused.
const PAUSED: Duration = Duration::from_mins(10);
/// The key that pauses.
pub(in crate::explorer) const PAUSE: &str = "operatorkit.dev/paused";

/// Does it; what comes later is done by itself.
pub(super) async fn act(stage: &Arc<Stage>, act: Act) {
    stage.look(false);
    let done = match &act {
        Act::DeleteChild(child) => child::delete(stage, child).await,
        Act::EditChild(child) => child::edit(stage, child).await,
        Act::UnlabelChild(child) => child::unlabel(stage, child).await,
        Act::ReplaceChild(child) => child::replace(stage, child).await,
        Act::CopyChild(child) => child::copy(stage, child).await,
        Act::HoldChild(child) => child::hold(stage, child).await,
        Act::Pause => pause(stage).await,
        Act::DeleteForeground => delete_objects(stage, Some(PropagationPolicy::Foreground)).await,
        Act::DeleteObjects => delete_objects(stage, None).await,
        Act::DeleteRaced => delete_raced(stage).await,
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

/// The user does something more, after so long.
fn later(stage: &Arc<Stage>, after: Duration, does: impl Future<Output = ()> + Send + 'static) {
    stage.pending(true);
    let stage = stage.clone();
    tokio::spawn(async move {
        sleep(after).await;
        stage.look(false);
        does.await;
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
    let paused = stage.clone();
    later(stage, PAUSED, async move {
        paused.say(|| "user       resumes the objects".into());
        for object in &paused.objects {
            let patch = Patch::Merge(annotate(Value::Null));
            let _absent = api(&paused.user, object)
                .patch(&object.name, &PatchParams::default(), &patch)
                .await;
        }
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

/// Each as it was when it was made.
async fn delete_raced(stage: &Stage) -> kube::Result<()> {
    for object in &stage.objects {
        if let Some(version) = stage.with_judge(|judge| judge.made_in(&object.place())) {
            let deletes = Matching::verbs(["delete"]).user(USER).resource(object.resource());
            stage
                .server
                .faults()
                .add(Fault::new(deletes, Effect::SeeOnly(version)).once());
        }
    }
    delete_objects(stage, None).await
}

fn ignore_absent(done: kube::Result<()>) -> kube::Result<()> {
    match done {
        Err(kube::Error::Api(status)) if status.code == 404 => Ok(()),
        done => done,
    }
}
