//! kubectl, as a program beside the test.

use std::process::Stdio;

use operatorkit_testing::{Cluster, ControlPlane};
use tokio::{io::AsyncWriteExt as _, process::Command};

/// The kubectl of the real control plane, against either server.
pub(crate) struct Kubectl {
    cluster: &'static Cluster,
    namespace: String,
}

impl Kubectl {
    /// `None`, after a line that says so, where there is none.
    #[track_caller]
    pub(crate) fn new(cluster: &'static Cluster, namespace: &str) -> Option<Self> {
        ControlPlane::shared().map(|_| Self {
            cluster,
            namespace: namespace.to_owned(),
        })
    }

    /// What it says, with this for its stdin.
    pub(crate) async fn say(&self, args: &[&str], stdin: &str) -> String {
        let program = ControlPlane::shared().expect("it is there").bin().join("kubectl");
        let mut command = Command::from(self.cluster.command(program, "admin"));
        command.args(["--namespace", &self.namespace]).args(args);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.kill_on_drop(true).spawn().expect("kubectl starts");
        let mut pipe = child.stdin.take().expect("a pipe");
        pipe.write_all(stdin.as_bytes()).await.expect("it reads");
        drop(pipe);
        let output = child.wait_with_output().await.expect("it ends");
        assert!(output.status.success(), "kubectl {args:?}: {output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}
