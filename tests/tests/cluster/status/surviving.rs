//! What a status keeps: the user's fields, and the conditions of others.

use std::sync::PoisonError;

use operatorkit::{
    kube::api::{Patch, PatchParams},
    serde_json::{json, to_value},
};

use super::{Gauge, GaugeStatus, more, start};
use crate::scene::condition;

/// Go operatorkit's test *status update*.
#[tokio::test(start_paused = true)]
async fn what_one_pass_says_every_later_pass_sees() {
    let (scene, seen, running) = start("status-user").await;
    more(&seen, 5).await;
    let first = GaugeStatus {
        reading: Some(5),
        peak: Some(5),
    };
    let statuses = seen.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let after = statuses.iter().skip_while(|status| **status != Some(first.clone()));
    assert!(
        after.clone().count() >= 4 && after.clone().all(|status| *status == Some(first.clone())),
        "{statuses:?}"
    );

    // One field changes, the other one stays, over a status that changes otherwise too.
    scene.level(101).await;
    let _failed: Gauge = scene.condition("x", "Ready", "False", "Overflow").await;
    scene.level(7).await;
    let ready: Gauge = scene.ready("x").await;
    let user = ready.status.and_then(|status| status.user);
    assert_eq!(
        user,
        Some(GaugeStatus {
            reading: Some(5),
            peak: Some(101)
        })
    );
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn the_conditions_of_others_survive() {
    let (scene, seen, running) = start("status-foreign").await;
    let foreign = json!({
        "type": "Calibrated", "status": "True", "reason": "Checked", "message": "", "lastTransitionTime": "2026-01-02T03:04:05Z",
    });
    let patch = json!({
        "apiVersion": "status.test/v1", "kind": "Gauge", "status": { "conditions": [foreign] },
    });
    let params = PatchParams::apply("calibrator");
    scene
        .api::<Gauge>()
        .patch_status("x", &params, &Patch::Apply(patch))
        .await
        .expect("another one writes a condition");
    more(&seen, 3).await;
    scene.level(101).await;
    let _failed: Gauge = scene.condition("x", "Ready", "False", "Overflow").await;
    scene.level(8).await;
    let ready = to_value(scene.ready::<Gauge>("x").await).expect("JSON");
    let kept = condition(&ready, "Calibrated");
    assert_eq!(
        (&kept["reason"], &kept["lastTransitionTime"]),
        (&foreign["reason"], &foreign["lastTransitionTime"])
    );
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_status_that_somebody_emptied_is_written_again() {
    let (scene, _seen, running) = start("status-emptied").await;
    let emptied = Patch::Merge(json!({ "status": null }));
    scene
        .api::<Gauge>()
        .patch_status("x", &PatchParams::default(), &emptied)
        .await
        .expect("it is emptied");
    let ready: Gauge = scene.ready("x").await;
    assert_eq!(
        ready
            .status
            .and_then(|status| status.user)
            .and_then(|user| user.reading),
        Some(5)
    );
    running.stop().await;
}
