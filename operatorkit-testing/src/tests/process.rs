//! Programs under test.

use std::path::Path;

use anyhow::Result;

use crate::{ControlPlane, PATIENCE, Process, example_binary};

fn shell(cluster: &ControlPlane, script: &str) -> Result<Process> {
    let mut command = cluster.command("sh", "operator");
    command.args(["-c", script]).env("GREETING", "hello world");
    cluster.spawn(&command)
}

fn is_alive(process: &Process) -> bool {
    Path::new(&format!("/proc/{}", process.id())).exists()
}

#[tokio::test]
async fn a_program_gets_its_kubeconfig_and_its_output_is_kept() -> Result<()> {
    let Some(cluster) = ControlPlane::shared() else {
        return Ok(());
    };
    let mut process = shell(cluster, "echo $GREETING; echo $KUBECONFIG >&2; exit 3")?;
    assert_eq!(process.wait(PATIENCE).await.code(), Some(3));
    assert_eq!(
        process.log(),
        format!("hello world\n{}\n", cluster.kubeconfig("operator").display())
    );
    Ok(())
}

#[tokio::test]
async fn a_killed_program_has_no_time_for_anything() -> Result<()> {
    let Some(cluster) = ControlPlane::shared() else {
        return Ok(());
    };
    let mut process = shell(
        cluster,
        "trap 'echo bye; exit' TERM; echo started; while :; do sleep 0.01; done",
    )?;
    process.wait_for_log("started", PATIENCE).await;
    assert!(is_alive(&process));
    assert_eq!(process.exited()?, None);
    process.kill();
    assert!(!is_alive(&process));
    assert_eq!(process.exited()?.and_then(|status| status.code()), Some(128 + 9));
    assert_eq!(process.log(), "started\n");
    Ok(())
}

#[tokio::test]
async fn a_terminated_program_may_clean_up() -> Result<()> {
    let Some(cluster) = ControlPlane::shared() else {
        return Ok(());
    };
    let mut process = shell(
        cluster,
        "trap 'echo bye; exit' TERM; echo started; while :; do sleep 0.01; done",
    )?;
    process.wait_for_log("started", PATIENCE).await;
    process.terminate();
    assert!(process.wait(PATIENCE).await.success());
    assert_eq!(process.log(), "started\nbye\n");
    Ok(())
}

#[tokio::test]
async fn a_dropped_program_is_gone() -> Result<()> {
    let Some(cluster) = ControlPlane::shared() else {
        return Ok(());
    };
    let process = shell(cluster, "exec sleep 1000")?;
    let proc = format!("/proc/{}", process.id());
    assert!(Path::new(&proc).exists());
    drop(process);
    assert!(!Path::new(&proc).exists());
    Ok(())
}

#[tokio::test]
async fn a_program_that_cannot_run_says_so() -> Result<()> {
    let Some(cluster) = ControlPlane::shared() else {
        return Ok(());
    };
    let mut process = cluster.spawn(&cluster.command("/no/such/program", "operator"))?;
    assert_eq!(process.wait(PATIENCE).await.code(), Some(127));
    assert!(process.log().contains("/no/such/program"), "{}", process.log());
    Ok(())
}

#[test]
fn an_example_that_is_not_built_is_named() {
    let error = example_binary("no-such-example").unwrap_err().to_string();
    assert!(
        error.contains("examples/no-such-example is not built: run `cargo build"),
        "{error}"
    );
}
