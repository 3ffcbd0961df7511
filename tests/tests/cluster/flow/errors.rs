//! Errors and panics: who goes on, what is said, and when they are tried again.

use std::{sync::Arc, time::Duration};

use operatorkit::{
    anyhow::ensure,
    serde_json::{Value, json},
};
use operatorkit_testing::{PATIENCE, wait_for};

use super::{
    FINALIZER, Play, phases,
    script::{Answer, Failing, Script},
    start,
};
use crate::scene::{Scene, condition, line};

const QUOTA: Failing = Failing {
    reason: Some("QuotaExceeded"),
    retry_after: None,
    permanent: false,
};

async fn warnings(scene: &Scene, reason: &str) -> Vec<Value> {
    scene
        .events("x")
        .await
        .into_iter()
        .filter(|event| event["reason"] == reason)
        .collect()
}

#[tokio::test(start_paused = true)]
async fn all_failures_are_told_and_independent_branches_go_on() {
    let (scene, script, running) = start("flow-error").await;
    script.on("x create middle", Answer::Fail(QUOTA));
    script.on("x create later", Answer::Fail(Failing::default()));
    scene.play("x").await;
    let failed = scene.troubled("x", "QuotaExceeded").await;
    let message = &condition(&failed, "Ready")["message"];
    assert_eq!(message, "middle: the quota is used up; later: the quota is used up");
    assert_eq!(
        phases(&failed),
        ["Ready", "Failed", "Ready", "Pending", "Failed", "Ready"]
    );
    assert_eq!(line(&failed, "middle")["reason"], "QuotaExceeded");
    assert_eq!(line(&failed, "later")["reason"], "Failed");
    assert_eq!(script.count("x create finish"), 0);
    // Tried again with backoff, until it works.
    script.called("x create middle", 3).await;
    script.heal();
    let _ready: Play = scene.ready("x").await;
    running.stop().await;
}

/// Go operatorkit's test *event*.
#[tokio::test(start_paused = true)]
async fn a_repeated_failure_is_one_event_with_a_series() {
    let (scene, script, running) = start("flow-events").await;
    let failing = Failing {
        retry_after: Some(Duration::from_millis(500)),
        ..QUOTA
    };
    script.on("x create apart", Answer::Fail(failing));
    scene.play("x").await;
    wait_for("there is an Event with a series", PATIENCE, async || {
        let events = warnings(&scene, "QuotaExceeded").await;
        ensure!(
            events
                .first()
                .is_some_and(|event| event["series"]["count"].as_i64() >= Some(2)),
            "{events:?}"
        );
        Ok(())
    })
    .await;
    let events = warnings(&scene, "QuotaExceeded").await;
    let [event] = events.as_slice() else {
        panic!("exactly one: {events:#?}")
    };
    assert_eq!(
        (&event["type"], &event["note"]),
        (&json!("Warning"), &json!("apart: the quota is used up"))
    );
    assert_eq!(event["reportingController"], "plays.flow.test");
    let regarding = &event["regarding"];
    assert_eq!((&regarding["kind"], &regarding["name"]), (&json!("Play"), &json!("x")));
    assert_eq!(
        regarding["uid"],
        json!(scene.api::<Play>().get("x").await.expect("it exists").metadata.uid)
    );
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn the_time_that_an_error_names_is_kept() {
    let (scene, script, running) = start("flow-retry").await;
    let after = Duration::from_millis(200);
    script.on(
        "x create apart",
        Answer::Fail(Failing {
            retry_after: Some(after),
            ..QUOTA
        }),
    );
    scene.play("x").await;
    // By backoff the twelfth try would come after more than half an hour.
    script.called("x create apart", 12).await;
    let times = script.times("x create apart");
    let short = times.windows(2).filter(|pair| pair[1] - pair[0] < after).count();
    // The pass after the first one may come from the object's own change.
    assert!(short <= 1, "{times:?}");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_permanent_error_is_slow_and_a_new_spec_is_not() {
    let (scene, script, running) = start("flow-permanent").await;
    script.on(
        "x create apart",
        Answer::Fail(Failing {
            permanent: true,
            ..QUOTA
        }),
    );
    scene.play("x").await;
    let _failed = scene.troubled("x", "QuotaExceeded").await;
    // Meanwhile another object is tried as often as takes longer than the first delays of a backoff.
    let soon = Duration::from_millis(200);
    let often = Failing {
        retry_after: Some(soon),
        ..QUOTA
    };
    script.on("y create apart", Answer::Fail(often));
    scene.play("y").await;
    script.called("y create apart", 3).await;
    let tries = script.count("x create apart");
    script.called("y create apart", 15).await;
    assert_eq!(script.count("x create apart"), tries);
    script.heal();
    scene.next_act("x", 2).await;
    let _ready: Play = scene.ready("x").await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_new_spec_begins_the_backoff_anew() {
    let (scene, script, running) = start("flow-backoff").await;
    script.on("x create apart", Answer::Fail(QUOTA));
    scene.play("x").await;
    // The next delay would be 8 s, less a fifth at most.
    script.called("x create apart", 5).await;
    let failures = script.count("x create apart");
    scene.next_act("x", 2).await;
    script.called("x create apart", failures + 2).await;
    let times = script.times("x create apart");
    let delay = times[failures + 1] - times[failures];
    assert!(delay < Duration::from_secs(4), "half a second is meant: {delay:?}");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_panic_is_an_error_of_its_resource_and_stops_nothing_else() {
    let (scene, script, running) = start("flow-panic").await;
    script.on("x create middle", Answer::Panic);
    script.on("x create later", Answer::Panic);
    script.on("x create outside", Answer::Panic);
    scene.play("x").await;
    let failed = scene.troubled("x", "Panicked").await;
    assert_eq!(
        phases(&failed),
        ["Ready", "Failed", "Failed", "Pending", "Failed", "Ready"]
    );
    assert_eq!(line(&failed, "later")["message"], "panicked: the floor broke");
    scene.play("y").await;
    let _ready: Play = scene.ready("y").await;

    script.on("x delete apart", Answer::Panic);
    scene.delete::<Play>("x").await;
    let held = scene.held("x", "Panicked").await;
    assert_eq!(line(&held, "apart")["reason"], "Panicked");
    script.heal();
    scene.over("x").await;
    running.stop().await;
}

/// Go operatorkit's tests *error* and *finalizer*.
#[tokio::test(start_paused = true)]
async fn an_object_that_fails_holds_up_no_other_and_can_still_be_deleted() {
    let (scene, script, running) = start("flow-objects").await;
    script.on("a create begin", Answer::Fail(QUOTA));
    scene.play("a").await;
    scene.play("b").await;
    let _ready: Play = scene.ready("b").await;
    let _failed = scene.troubled("a", "QuotaExceeded").await;
    assert_eq!(script.count("a create later"), 0);
    assert!(script.count("b create later") >= 1);

    deleted_once_it_works(&scene, &script).await;
    running.stop().await;
}

async fn deleted_once_it_works(scene: &Scene, script: &Arc<Script>) {
    script.on("a delete begin", Answer::Fail(QUOTA));
    let object = scene.api::<Play>().get("a").await.expect("it exists").metadata;
    assert_eq!(
        (object.finalizers, object.deletion_timestamp),
        (Some(vec![FINALIZER.to_owned()]), None)
    );
    scene.delete::<Play>("a").await;
    script.called("a delete begin", 3).await;
    let _held = scene.held("a", "QuotaExceeded").await;
    script.heal();
    scene.over("a").await;
}
