//! One line at info for each turn of an object's life, and none for repeats.

use std::time::Duration;

use super::*;
use crate::logs::Logs;

fn lines(logs: &Logs, said: &str) -> usize {
    let text = logs.text();
    let of_object = text
        .lines()
        .filter(|line| line.contains("INFO") && line.contains("object=\"x\"") && line.contains(said));
    of_object.count()
}

#[tokio::test(start_paused = true)]
async fn the_life_of_an_object_is_four_lines() {
    let logs = Logs::capture();
    let stage = Stage::new("lines").await;
    stage.create("x", "").await;
    let _ready: Measured = stage.scene.ready("x").await;
    logs.wait_for(&["INFO", "object=\"x\"", ": ready"], PATIENCE).await;
    // Some resyncs, of which nothing is said.
    let passes = stage.value(&ours("reconcile_total"), &[]).unwrap_or_default();
    tokio::time::sleep(Duration::from_mins(12)).await;
    assert!(stage.value(&ours("reconcile_total"), &[]) >= Some(passes + 2.0));

    let _waits: Measured = stage.scene.patch("x", json!({ "spec": { "trouble": "wait" } })).await;
    let line = logs
        .wait_for(
            &["INFO", "object=\"x\"", "not ready any more: after: for something"],
            PATIENCE,
        )
        .await;
    for part in [
        "controller=measureds.metrics.test",
        "loop=",
        "version=",
        "event=\"update\"",
    ] {
        assert!(line.contains(part), "no {part} in {line}");
    }
    let _well: Measured = stage.scene.patch("x", json!({ "spec": { "trouble": "" } })).await;
    let _ready: Measured = stage.scene.ready("x").await;
    stage.scene.delete::<Measured>("x").await;
    eventually_gone(&stage.scene.api::<Measured>(), "x", PATIENCE).await;
    logs.wait_for(&["INFO", "object=\"x\"", ": deleted"], PATIENCE).await;
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(lines(&logs, ": taken on"), 1, "{}", logs.text());
    assert_eq!(lines(&logs, ": ready"), 2);
    assert_eq!(lines(&logs, ": not ready any more"), 1);
    assert_eq!(lines(&logs, ": deleted"), 1);
}

#[tokio::test(start_paused = true)]
async fn a_restart_says_nothing_of_what_was_ready_before() {
    let scene = Scene::alone("restarted").await;
    scene.install::<Measured>().await;
    let running = scene.start(app());
    let spec = || MeasuredSpec { trouble: String::new() };
    scene.create(&Measured::new("x", spec())).await;
    let _ready: Measured = scene.ready("x").await;
    running.stop().await;
    let logs = Logs::capture();
    let running = scene.start(app());
    scene.create(&Measured::new("y", spec())).await;
    logs.wait_for(&["INFO", "object=\"y\"", ": ready"], PATIENCE).await;
    // A resync later both have had a pass.
    tokio::time::sleep(Duration::from_mins(6)).await;
    assert!(logs.text().contains("object=\"x\""), "it had a pass");
    assert_eq!(lines(&logs, ""), 0, "{}", logs.text());
    running.stop().await;
}
