//! A program under test, such as an operator: started with a kubeconfig, killed at will.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
    time::Duration,
};

use anyhow::{Context as _, Result};

use super::Cluster;
use crate::{supervisor::Supervised, wait_for};

impl Cluster {
    /// Runs `command` (see [`command`](Self::command)) beside the test: its program, arguments, environment and directory; both
    /// of its outputs go to the [log](Process::log). It is killed when the [`Process`] is dropped and when the test's process
    /// ends, however it ends.
    ///
    /// # Errors
    /// If there is no `sh`. A program that cannot be run shows as one that [ended](Process::exited) with 126 or 127.
    pub fn spawn(&self, command: &Command) -> Result<Process> {
        let log = self.subfolder("processes")?.join(format!("{}.log", self.next()));
        fs::write(&log, "").with_context(|| format!("write {}", log.display()))?;
        let program = command.get_program().display().to_string();
        Ok(Process {
            running: Supervised::spawn(command, &log)?,
            program,
            log,
        })
    }
}

/// A running program. Dropping it kills the program.
#[derive(Debug)]
pub struct Process {
    running: Supervised,
    program: String,
    log: PathBuf,
}

impl Process {
    /// The process id, for what `/proc` tells.
    pub fn id(&self) -> u32 {
        self.running.id()
    }

    /// Ends it with `SIGKILL`, and waits until it is gone.
    pub fn kill(&mut self) {
        self.running.kill();
    }

    /// Asks it to end with `SIGTERM`, and does not wait.
    pub fn terminate(&mut self) {
        self.signal("TERM");
    }

    /// Sends a signal, by its name without `SIG`: `STOP`, `CONT`, `INT`, … .
    pub fn signal(&mut self, name: &str) {
        self.running.signal(name);
    }

    /// How it ended, if it did; a signal shows as the exit code 128 plus its number.
    ///
    /// # Errors
    /// If the system does not say.
    pub fn exited(&mut self) -> Result<Option<ExitStatus>> {
        self.running.exited()
    }

    /// Waits until it has ended.
    ///
    /// # Panics
    /// After `limit`, with the end of the log.
    pub async fn wait(&mut self, limit: Duration) -> ExitStatus {
        let what = format!("{} ends", self.program);
        wait_for(&what, limit, async || {
            let exited = self.exited()?;
            exited.with_context(|| format!("it still runs; its log ends with:\n{}", tail(&self.log())))
        })
        .await
    }

    /// What it has written so far.
    pub fn log(&self) -> String {
        String::from_utf8_lossy(&fs::read(&self.log).unwrap_or_default()).into_owned()
    }

    /// Waits until its log contains `text`.
    ///
    /// # Panics
    /// After `limit`, with the end of the log.
    pub async fn wait_for_log(&self, text: &str, limit: Duration) {
        let what = format!("{} writes {text:?}", self.program);
        wait_for(&what, limit, async || {
            let log = self.log();
            anyhow::ensure!(log.contains(text), "its log ends with:\n{}", tail(&log));
            Ok(())
        })
        .await;
    }
}

/// The path of an example of this workspace, built by the same cargo command as the running test.
///
/// # Errors
/// If it is not built.
pub fn example_binary(name: &str) -> Result<PathBuf> {
    let test = env::current_exe().context("find the running test")?;
    // target/<profile>/deps/<test>: examples are in target/<profile>/examples.
    let profile = test
        .parent()
        .and_then(Path::parent)
        .context("the running test is not in a target folder")?;
    let path = profile
        .join("examples")
        .join(format!("{name}{}", env::consts::EXE_SUFFIX));
    anyhow::ensure!(
        path.is_file(),
        "{} is not built: run `cargo build --workspace --examples`",
        path.display()
    );
    Ok(path)
}

fn tail(log: &str) -> String {
    let lines: Vec<_> = log.lines().collect();
    lines[lines.len().saturating_sub(30)..].join("\n")
}
