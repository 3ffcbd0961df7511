//! Each form of `Flow` forwards.

use std::time::Duration;

use operatorkit::{
    k8s_openapi::api::core::v1::ConfigMap,
    serde_json::{json, to_value},
};
use operatorkit_testing::{PATIENCE, eventually};

use super::{Play, phases, script::Answer, start};
use crate::scene::{condition, line};

#[tokio::test(start_paused = true)]
async fn outputs_of_all_three_traits_go_to_those_after_them() {
    let (scene, script, running) = start("flow-outputs").await;
    scene.play("x").await;
    let _ready: Play = scene.ready("x").await;
    scene.next_act("x", 2).await;
    let _ready: Play = scene.ready("x").await;
    let notes = script.notes();
    assert_eq!(
        notes.first().map(String::as_str),
        Some("act 1, x-middle with act 1, seat 7")
    );
    assert_eq!(
        notes.last().map(String::as_str),
        Some("act 2, x-middle with act 2, seat 7"),
        "as observed, never older"
    );
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_wait_holds_up_what_depends_on_it_and_comes_back_by_itself() {
    let (scene, script, running) = start("flow-wait").await;
    script.on("x create middle", Answer::WaitFor(Duration::from_millis(200)));
    scene.play("x").await;
    let waiting = scene.troubled("x", "Waiting").await;
    assert_eq!(condition(&waiting, "Ready")["message"], "middle: the moon is not full");
    assert_eq!(
        phases(&waiting),
        ["Ready", "Waiting", "Ready", "Pending", "Ready", "Ready"]
    );
    assert_eq!(line(&waiting, "middle")["message"], "the moon is not full");
    assert_eq!(line(&waiting, "finish")["waitingOn"], json!(["middle"]));
    // Nothing happens to the object or its children: only the time that it named brings these.
    script.called("x create middle", 4).await;
    assert_eq!(script.count("x create finish"), 0);
    let times = script.times("x create middle");
    let short = times
        .windows(2)
        .filter(|pair| pair[1] - pair[0] < Duration::from_millis(200));
    // The pass after the first one may come from the object's own change.
    assert!(short.count() <= 1, "{times:?}");
    script.heal();
    let ready: Play = scene.ready("x").await;
    assert_eq!(
        line(&to_value(ready).expect("JSON"), "finish")["waitingOn"],
        json!(null)
    );
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_wait_without_a_time_is_ended_by_an_event() {
    let (scene, script, running) = start("flow-event").await;
    script.on("x create begin", Answer::Wait);
    scene.play("x").await;
    let waiting = scene.troubled("x", "Waiting").await;
    assert_eq!(
        phases(&waiting),
        ["Waiting", "Pending", "Pending", "Pending", "Pending", "Ready"]
    );
    assert_eq!(line(&waiting, "outside")["waitingOn"], json!(["begin"]));
    script.heal();
    scene
        .patch::<Play>("x", json!({ "metadata": { "labels": { "moon": "full" } } }))
        .await;
    let _ready: Play = scene.ready("x").await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_skip_leaves_the_reader_out_too_and_nobody_else() {
    let (scene, script, running) = start("flow-skip").await;
    scene.play("x").await;
    let _ready: Play = scene.ready("x").await;

    script.on("x create begin", Answer::Skip);
    let before = script.count("x create later");
    scene.next_act("x", 2).await;
    let skipped: Play = eventually(&scene.api(), "x", "is skipped", PATIENCE, |object: &Play| {
        line(&to_value(object).expect("JSON"), "begin")["phase"] == "Skipped"
    })
    .await;
    let skipped = to_value(skipped).expect("JSON");
    assert_eq!(
        phases(&skipped),
        ["Skipped", "Skipped", "Ready", "Skipped", "Ready", "Ready"]
    );
    assert_eq!(line(&skipped, "begin")["message"], "not today");
    assert_eq!(
        line(&skipped, "middle")["message"],
        "`begin` gave no output in this pass"
    );
    assert!(script.count("x create later") > before, "who does not read goes on");
    let child = scene
        .api::<ConfigMap>()
        .get("x-middle")
        .await
        .expect("its children stay");
    assert_eq!(child.data.expect("data")["act"], "act 1");

    script.heal();
    scene.next_act("x", 3).await;
    let _ready: Play = scene.ready("x").await;
    let child = scene.api::<ConfigMap>().get("x-middle").await.expect("it is there");
    assert_eq!(child.data.expect("data")["act"], "act 3");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_cancel_stops_the_pass_and_the_next_one_goes_on() {
    let (scene, script, running) = start("flow-cancel").await;
    script.on("x create begin", Answer::Cancel);
    scene.play("x").await;
    let cancelled = scene.troubled("x", "Cancelled").await;
    assert_eq!(condition(&cancelled, "Ready")["message"], "begin: the stage is closed");
    assert_eq!(
        phases(&cancelled)[..5],
        ["Cancelled", "Pending", "Pending", "Pending", "Pending"]
    );
    assert_eq!(line(&cancelled, "later")["reason"], "Cancelled");
    script.called("x create begin", 2).await;
    let later = [
        "x create middle",
        "x create outside",
        "x create finish",
        "x create later",
    ];
    assert!(later.iter().all(|call| script.count(call) == 0), "{:?}", script.calls());
    script.heal();
    let _ready: Play = scene.ready("x").await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_cancel_in_the_middle_of_an_external_stops_its_later_operations() {
    let (scene, script, running) = start("flow-cancel-external").await;
    script.on("x create outside", Answer::Cancel);
    scene.play("x").await;
    let cancelled = scene.troubled("x", "Cancelled").await;
    assert_eq!(line(&cancelled, "outside")["phase"], "Cancelled");
    let slot = &cancelled["status"]["operatorkit"]["state"]["outside"];
    assert!(
        slot["uid"].is_string() && slot["state"].is_null(),
        "an intent, since `create` was called: {slot}"
    );
    assert_eq!(script.count("x create finish"), 0);
    script.heal();
    let _ready: Play = scene.ready("x").await;
    running.stop().await;
}
