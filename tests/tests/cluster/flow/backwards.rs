//! Each form of `Flow` backwards: who goes on, and what becomes of the finalizer.

use std::time::Duration;

use operatorkit::serde_json::json;

use super::{
    FINALIZER, Play, app, phases, resync,
    script::{Answer, Failing, Script},
    start,
};
use crate::scene::{Scene, condition, line};

fn position(script: &Script, call: &str) -> usize {
    script
        .calls()
        .iter()
        .position(|known| known == call)
        .expect("it was called")
}

#[tokio::test(start_paused = true)]
async fn steps_are_undone_in_reverse_order() {
    let (scene, script, running) = start("flow-order").await;
    scene.play("x").await;
    let _ready: Play = scene.ready("x").await;
    scene.delete::<Play>("x").await;
    scene.over("x").await;
    let [finish, outside, begin] =
        ["x delete finish", "x delete outside", "x delete begin"].map(|call| position(&script, call));
    assert!(finish < outside && outside < begin, "{:?}", script.calls());
    for call in [
        "x delete finish",
        "x delete outside",
        "x delete begin",
        "x delete apart",
    ] {
        assert_eq!(script.count(call), 1, "{call}");
    }
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_wait_keeps_the_finalizer_and_what_comes_after_it() {
    let (scene, script, running) = start("flow-wait-back").await;
    scene.play("x").await;
    let _ready: Play = scene.ready("x").await;
    script.on("x delete finish", Answer::WaitFor(Duration::from_millis(200)));
    scene.delete::<Play>("x").await;
    let held = scene.held("x", "Waiting").await;
    assert_eq!(condition(&held, "Deleting")["message"], "finish: the moon is not full");
    assert_eq!(
        phases(&held),
        ["Pending", "Pending", "Pending", "Deleting", "Deleted", "Deleted"]
    );
    assert_eq!(line(&held, "middle")["waitingOn"], json!(["finish"]));
    assert_eq!(
        (script.count("x delete outside"), script.count("x delete begin")),
        (0, 0)
    );
    script.heal();
    scene.over("x").await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_skip_counts_as_gone() {
    let (scene, script, running) = start("flow-skip-back").await;
    scene.play("x").await;
    let _ready: Play = scene.ready("x").await;
    script.on("x delete finish", Answer::Skip);
    scene.delete::<Play>("x").await;
    scene.over("x").await;
    assert_eq!(script.count("x delete finish"), 1);
    assert_eq!(
        (script.count("x delete outside"), script.count("x delete begin")),
        (1, 1)
    );
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_cancel_keeps_the_finalizer_and_the_next_pass_finishes() {
    let (scene, script, running) = start("flow-cancel-back").await;
    scene.play("x").await;
    let _ready: Play = scene.ready("x").await;
    script.on("x delete outside", Answer::Cancel);
    scene.delete::<Play>("x").await;
    let held = scene.held("x", "Cancelled").await;
    assert_eq!(condition(&held, "Deleting")["message"], "outside: the stage is closed");
    assert_eq!(script.count("x delete begin"), 0);
    assert!(
        script.count("x delete outside") >= 2,
        "with backoff: {:?}",
        script.calls()
    );
    script.heal();
    scene.over("x").await;
    assert_eq!(script.count("x delete begin"), 1);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn keep_finalizer_holds_up_nobody_and_is_replayed() {
    let (scene, script, running) = start("flow-keep").await;
    scene.play("x").await;
    let _ready: Play = scene.ready("x").await;
    script.on("x delete finish", Answer::Keep);
    scene.delete::<Play>("x").await;
    let held = scene.held("x", "FinalizerKept").await;
    assert_eq!(condition(&held, "Deleting")["message"], "somebody still looks");
    assert!(
        script.count("x delete begin") >= 1,
        "the others went on: {:?}",
        script.calls()
    );
    script.called("x delete finish", 3).await;
    script.heal();
    scene.over("x").await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_error_keeps_the_finalizer_and_independent_branches_go_on() {
    let (scene, script, running) = start("flow-error-back").await;
    scene.play("x").await;
    let _ready: Play = scene.ready("x").await;
    let failing = Failing {
        reason: Some("QuotaExceeded"),
        ..Failing::default()
    };
    script.on("x delete finish", Answer::Fail(failing));
    scene.delete::<Play>("x").await;
    let held = scene.held("x", "QuotaExceeded").await;
    assert_eq!(
        phases(&held),
        ["Pending", "Pending", "Pending", "Failed", "Deleted", "Deleted"]
    );
    script.called("x delete finish", 3).await;
    assert_eq!(
        (script.count("x delete begin"), script.count("x delete outside")),
        (0, 0)
    );
    script.heal();
    scene.over("x").await;
    running.stop().await;
}

/// Go operatorkit's test *control flow*.
#[tokio::test(start_paused = true)]
async fn passes_come_by_resync_and_a_failing_deletion_is_tried_until_it_works() {
    let scene = Scene::alone("flow-resync").await;
    scene.install::<Play>().await;
    let script = Script::new();
    let running = scene.start_with(app(&script), resync(&scene, Duration::from_millis(200)));
    scene.play("x").await;
    script.called("x create apart", 5).await;
    assert_eq!(script.count("x delete apart"), 0);

    script.on("x create apart", Answer::Fail(Failing::default()));
    script.on("x delete apart", Answer::Fail(Failing::default()));
    scene.delete::<Play>("x").await;
    script.called("x delete apart", 3).await;
    let object = scene.api::<Play>().get("x").await.expect("it is held");
    assert_eq!(object.metadata.finalizers.as_deref(), Some(&[FINALIZER.to_owned()][..]));
    script.heal();
    scene.over("x").await;
    running.stop().await;
}
