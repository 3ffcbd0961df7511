//! *status update*: a status that one pass writes is what the next ones see.

use std::sync::Arc;

use operatorkit::{
    kube::{
        Api,
        api::{Patch, PatchParams},
    },
    prelude::*,
    serde_json::{Value, json, to_value},
};
use operatorkit_testing::Cluster;

use super::resyncs;
use crate::{
    flow::script::Script,
    scene::{Scene, condition},
    servers::on_both,
};

/// The user's part of the status.
#[data]
#[derive(Default)]
pub(crate) struct NotedStatus {
    written: Option<String>,
}

#[operator(
    group = "status.parity.test", version = "v1", kind = "Noted", namespaced, status = NotedStatus, resources(Only),
)]
pub(crate) struct NotedSpec {}

/// Writes a condition of its own with the first pass, and a field of the status, and notes what it finds of both.
#[resource]
pub(crate) struct Only(Arc<Script>);

impl Step for Only {
    type Operator = Noted;
    type Output = ();
    async fn ensure_created(&self, noted: &Noted, cx: &Cx<Self>) -> Result<Flow<()>> {
        let seen = condition(&to_value(noted)?, "Noted");
        let field = noted.status.as_ref().and_then(|status| status.user.clone());
        let field = field.and_then(|user| user.written);
        self.0.note(format!("{seen} {field:?}"));
        if seen.is_null() {
            let patch = json!({
                "apiVersion": "status.parity.test/v1", "kind": "Noted", "status": { "conditions": [wanted()] },
            });
            let api: Api<Noted> = Api::namespaced(cx.client(), cx.namespace().unwrap_or_default());
            let params = PatchParams::apply("noted").force();
            api.patch_status(cx.name(), &params, &Patch::Apply(patch)).await?;
            cx.status(|status| status.written = Some("once".into()));
        }
        self.0.call(&format!("{} create only", cx.name()), |_| {})
    }
}

fn wanted() -> Value {
    json!({
        "type": "Noted", "status": "True", "reason": "Written", "message": "by the first pass",
        "lastTransitionTime": "2026-01-02T03:04:05Z",
    })
}

on_both!(what_the_first_pass_writes_every_later_one_sees);

async fn what_the_first_pass_writes_every_later_one_sees(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "parity-status").await;
    scene.install::<Noted>().await;
    let script = Script::new();
    let only = Only(script.clone());
    let running = scene.start_resyncing(App::new("noted").operator(|_env| async { Ok(NotedResources { only }) }));
    scene.create(&Noted::new("x", NotedSpec {})).await;
    let _ready: Noted = scene.ready("x").await;
    resyncs(&script, "x create only", 3).await;
    running.stop().await;
    let notes = script.notes();
    let (first, later) = notes.split_first().expect("there were passes");
    assert_eq!(first, "null None");
    let sees = format!("{} Some(\"once\")", wanted());
    assert!(later.len() >= 3 && later.iter().all(|note| *note == sees), "{notes:#?}");
}
