//! A server, and kubectl against it.

use std::{path::PathBuf, process::Stdio};

use operatorkit_testing::{Cluster, ControlPlane, EmbeddedServer, PATIENCE};
use tokio::{process::Command, time::timeout};

use super::{normal::normal, script::folder};

/// One of the two servers, in the namespace of a scenario.
#[derive(Debug)]
pub(super) struct Side {
    pub(super) name: &'static str,
    cluster: &'static Cluster,
    program: PathBuf,
    namespace: String,
}

/// How a command ended, with what it said.
#[derive(Debug, PartialEq)]
pub(super) struct Said {
    pub(super) code: Option<i32>,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

/// The embedded server and the real one; `None`, after a line that says so, where there is none.
#[track_caller]
pub(super) fn sides(namespace: &str) -> Option<[Side; 2]> {
    let real = ControlPlane::shared()?;
    let side = |name, cluster| Side {
        name,
        cluster,
        program: real.bin().join("kubectl"),
        namespace: namespace.to_owned(),
    };
    Some([side("embedded", EmbeddedServer::shared()), side("real", real)])
}

/// Without what client-go logs of a watch that ended within a second: whether one does depends on the machine.
fn without_logs(stderr: &str) -> String {
    let logged = |line: &&str| line.contains("reflector.go") && line.contains("very short watch");
    stderr.split_inclusive('\n').filter(|line| !logged(line)).collect()
}

impl Side {
    /// Runs kubectl to its end.
    pub(super) async fn run(&self, words: &[String]) -> Said {
        let ended = timeout(4 * PATIENCE, self.command(words).output()).await;
        let output = ended.unwrap_or_else(|_| panic!("{}: {words:?} does not end", self.name));
        let output = output.expect("kubectl runs");
        Said {
            code: output.status.code(),
            stdout: normal(words, &String::from_utf8_lossy(&output.stdout)),
            stderr: normal(words, &without_logs(&String::from_utf8_lossy(&output.stderr))),
        }
    }

    /// kubectl as an administrator, beside the manifests, with a cache of its own for this server.
    pub(super) fn command(&self, words: &[String]) -> Command {
        let mut command = Command::from(self.cluster.command(&self.program, "admin"));
        command
            .arg("--cache-dir")
            .arg(self.cluster.folder().join("kubectl-cache"))
            .args(["--namespace", &self.namespace])
            .args(words)
            // It ends before it is worth it to collect garbage.
            .env("GOGC", "off")
            .current_dir(folder().join("manifests"))
            .stdin(Stdio::null())
            .kill_on_drop(true);
        command
    }
}
