//! `ready_within`: a wait that takes too long is shown as failed, and goes on.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use operatorkit::{
    RunSettings,
    k8s_openapi::api::core::v1::ConfigMap,
    kube::api::{Patch, PatchParams},
    prelude::*,
    serde_json::{Value, json, to_value},
};

use super::get;
use crate::scene::{Running, Scene, condition, line};

/// One resource that waits by itself, and one whose child is not ready.
#[operator(
    group = "policies.test",
    version = "v1",
    kind = "Patient",
    namespaced,
    resources(Call, Answer, Free)
)]
pub(crate) struct PatientSpec {}

/// Whether what is waited for is there.
#[derive(Clone, Default)]
pub(crate) struct There(Arc<AtomicBool>);

impl There {
    fn is(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    fn set(&self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[resource(ready_within = "10m")]
pub(crate) struct Call(There);

impl Step for Call {
    type Operator = Patient;
    type Output = ();

    async fn ensure_created(&self, _object: &Patient, _cx: &Cx<Self>) -> Result<Flow<()>> {
        Ok(if self.0.is() {
            Flow::Ready(())
        } else {
            Flow::wait("nobody has called")
        })
    }
}

#[resource(ready_within = "1h 30m")]
pub(crate) struct Answer;

impl Manifest for Answer {
    type Operator = Patient;
    type Object = ConfigMap;

    async fn desired(&self, _object: &Patient, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(crate::scene::config_map(&cx.child_name("answer"), json!({}))?.into())
    }

    fn readiness(&self, child: &ConfigMap) -> Option<Readiness> {
        let answered = child.annotations().contains_key("answered");
        Some(if answered {
            Readiness::Ready
        } else {
            Readiness::Pending {
                reason: "Silent".into(),
                message: "nobody has answered".into(),
            }
        })
    }
}

/// It has no limit.
#[resource(after(Call))]
pub(crate) struct Free;

impl Step for Free {
    type Operator = Patient;
    type Output = ();

    async fn ensure_created(&self, _object: &Patient, _cx: &Cx<Self>) -> Result<Flow<()>> {
        Ok(().into())
    }
}

fn start(scene: &Scene, there: &There) -> Running {
    let there = there.clone();
    let app = App::new("patients").operator(move |_env| async move {
        Ok(PatientResources {
            call: Call(there),
            answer: Answer,
            free: Free,
        })
    });
    let settings = RunSettings {
        namespaces: vec![scene.namespace.clone()],
        // No resync helps: what is due comes by itself.
        resync: Duration::from_hours(24),
        ..RunSettings::default()
    };
    scene.start_with(app, settings)
}

async fn shown(scene: &Scene) -> Value {
    to_value(get::<Patient>(scene, "p").await).expect("JSON")
}

async fn warnings(scene: &Scene) -> usize {
    let events = scene.events("p").await;
    let late = events.iter().filter(|event| event["reason"] == "NotReadyInTime");
    late.map(|event| {
        assert_eq!(event["type"], "Warning", "{event}");
        event["series"]["count"]
            .as_u64()
            .map_or(1, |count| usize::try_from(count).expect("a few"))
    })
    .sum()
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_takes_too_long_is_shown_and_goes_on() {
    let scene = Scene::alone("late").await;
    scene.install::<Patient>().await;
    let there = There::default();
    let running = start(&scene, &there);
    scene.create(&Patient::new("p", PatientSpec {})).await;
    let _waits: Patient = scene.condition("p", "Ready", "False", "Waiting").await;
    let waits = shown(&scene).await;
    assert_eq!(line(&waits, "call")["phase"], "Waiting", "{waits}");
    let begin = scene.mark().await;

    // Neither before nor after, and nothing is sent in between.
    tokio::time::sleep(Duration::from_secs(590)).await;
    assert_eq!(shown(&scene).await, waits);
    let requests = scene.requests(begin).await;
    assert!(requests.is_empty(), "{requests}");
    tokio::time::sleep(Duration::from_secs(11)).await;
    let late = shown(&scene).await;
    let (ready, call) = (condition(&late, "Ready"), line(&late, "call"));
    assert_eq!(
        (&ready["status"], &ready["reason"]),
        (&json!("False"), &json!("NotReadyInTime"))
    );
    assert_eq!(
        (&call["phase"], &call["reason"]),
        (&json!("Failed"), &json!("NotReadyInTime"))
    );
    assert_eq!(call["message"], "not ready within 10m: nobody has called");
    assert_eq!(call["since"], line(&waits, "call")["since"], "since when it waits");
    assert_eq!(line(&late, "answer")["phase"], "Waiting", "its time is not over");
    assert_eq!(line(&late, "free")["phase"], "Pending");
    assert_eq!(warnings(&scene).await, 1);

    tokio::time::sleep(Duration::from_mins(81)).await;
    let later = shown(&scene).await;
    assert_eq!(line(&later, "answer")["reason"], "NotReadyInTime", "{later}");
    let message = &condition(&later, "Ready")["message"];
    assert!(
        message.as_str().unwrap().contains("call: not ready within 10m"),
        "{message}"
    );
    assert!(
        message.as_str().unwrap().contains("within 1h 30m: ConfigMap"),
        "{message}"
    );
    assert_eq!(warnings(&scene).await, 2);
    // Then silence: nothing is counted, nothing is retried.
    let begin = scene.mark().await;
    tokio::time::sleep(Duration::from_hours(10)).await;
    let requests = scene.requests(begin).await;
    assert!(requests.is_empty(), "{requests}");

    // It is over when it is over.
    there.set();
    let _answered: ConfigMap = scene
        .patch(
            "p-answer",
            json!({ "metadata": { "annotations": { "answered": "yes" } } }),
        )
        .await;
    let ready: Patient = scene.ready("p").await;
    assert_eq!(line(&to_value(&ready).unwrap(), "call")["phase"], "Ready");
    assert_eq!(warnings(&scene).await, 2);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_restart_does_not_begin_anew() {
    let scene = Scene::alone("late-restart").await;
    scene.install::<Patient>().await;
    let there = There::default();
    let running = start(&scene, &there);
    scene.create(&Patient::new("p", PatientSpec {})).await;
    let _waits: Patient = scene.condition("p", "Ready", "False", "Waiting").await;
    running.stop().await;

    let long_ago = put_back(&scene, 590).await;
    let running = start(&scene, &there);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(line(&shown(&scene).await, "call")["phase"], "Waiting");
    tokio::time::sleep(Duration::from_secs(10)).await;
    let late = shown(&scene).await;
    assert_eq!(line(&late, "call")["reason"], "NotReadyInTime", "{late}");
    assert_eq!(line(&late, "call")["since"], long_ago);
    assert_eq!(warnings(&scene).await, 1);
    running.stop().await;

    // Nor does another one tell it again.
    put_back(&scene, 3600).await;
    let late = shown(&scene).await;
    let begin = scene.mark().await;
    let running = start(&scene, &there);
    tokio::time::sleep(Duration::from_mins(1)).await;
    let writes = scene.requests(begin).await.writes();
    assert!(writes.is_empty(), "{writes}");
    assert_eq!(shown(&scene).await, late);
    running.stop().await;
}

/// Lets the wait for the call have begun so many seconds ago. The clock of the system cannot be put forward; what is stored can be put
/// back.
async fn put_back(scene: &Scene, seconds: i64) -> String {
    let long_ago = ago(seconds);
    let mut lines = shown(scene).await["status"]["resources"].clone();
    for line in lines.as_array_mut().expect("a list") {
        if line["name"] == "call" {
            line["since"] = json!(long_ago);
        }
    }
    let patch = Patch::Merge(json!({ "status": { "resources": lines } }));
    let patched = scene
        .api::<Patient>()
        .patch_status("p", &PatchParams::default(), &patch)
        .await;
    assert!(patched.is_ok(), "{patched:?}");
    long_ago
}

/// So many seconds ago, as a status tells it.
fn ago(seconds: i64) -> String {
    let then = operatorkit::k8s_openapi::jiff::Timestamp::now()
        - operatorkit::k8s_openapi::jiff::SignedDuration::from_secs(seconds);
    then.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
