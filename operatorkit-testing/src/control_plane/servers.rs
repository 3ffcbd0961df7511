//! The three servers and their flags.

use std::{
    fs,
    net::TcpListener,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, bail};

use super::Options;
use crate::{cluster::Users, supervisor::Supervised};

/// Everything at the level Metadata, once per request; for a watch also when it starts.
const AUDIT_POLICY: &str =
    "apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules: [{level: Metadata}]\n";

/// The servers of one control plane, and where they keep things. Dropping it kills them.
#[derive(Debug)]
pub(super) struct Servers {
    bin: PathBuf,
    folder: PathBuf,
    /// The API server's port on 127.0.0.1.
    pub(super) port: u16,
    /// etcd's port for clients.
    pub(super) etcd: u16,
    // Dropped in order: what uses another first.
    running: Vec<(&'static str, Supervised)>,
}

impl Servers {
    /// Starts etcd and kube-apiserver.
    pub(super) fn start(bin: &Path, folder: &Path, options: &Options, users: &Users) -> Result<Self> {
        let [client, peer, port] = free_ports().context("find free ports")?;
        let mut this = Self {
            bin: bin.to_owned(),
            folder: folder.to_owned(),
            port,
            etcd: client,
            running: Vec::new(),
        };
        this.spawn("etcd", this.etcd(client, peer))?;
        this.spawn("kube-apiserver", this.api_server(client, options, users)?)?;
        Ok(this)
    }

    /// Starts kube-controller-manager.
    pub(super) fn start_controllers(&mut self, kubeconfig: &Path, options: &Options) -> Result<()> {
        self.spawn("kube-controller-manager", controllers(kubeconfig, options))
    }

    /// The API server's own certificate, which it makes when it starts. It signs itself, so it is also the CA.
    pub(super) fn certificate(&self) -> PathBuf {
        self.folder.join("certs/apiserver.crt")
    }

    /// An error with the end of its log if a server has ended by itself.
    pub(super) fn check(&mut self) -> Result<()> {
        for (name, server) in &mut self.running {
            if let Some(status) = server.exited()? {
                bail!("{name} ended ({status}):\n{}", tail(&self.folder, name));
            }
        }
        Ok(())
    }

    /// The end of a server's log.
    pub(super) fn tail(&self, name: &str) -> String {
        tail(&self.folder, name)
    }

    fn spawn(&mut self, name: &'static str, flags: Vec<String>) -> Result<()> {
        let mut command = Command::new(self.bin.join(name));
        command.args(flags).current_dir(&self.folder);
        let server = Supervised::spawn(&command, &log(&self.folder, name))?;
        self.running.insert(0, (name, server));
        Ok(())
    }

    fn etcd(&self, client: u16, peer: u16) -> Vec<String> {
        let (client, peer) = (format!("http://127.0.0.1:{client}"), format!("http://127.0.0.1:{peer}"));
        vec![
            format!("--data-dir={}", self.path("etcd")),
            // What it holds need not survive a power cut.
            "--unsafe-no-fsync".into(),
            "--log-level=warn".into(),
            format!("--listen-client-urls={client}"),
            format!("--advertise-client-urls={client}"),
            format!("--listen-peer-urls={peer}"),
            format!("--initial-advertise-peer-urls={peer}"),
            format!("--initial-cluster=default={peer}"),
        ]
    }

    fn api_server(&self, etcd: u16, options: &Options, users: &Users) -> Result<Vec<String>> {
        let tokens = self.write("tokens.csv", &users.token_file())?;
        // It makes the key of its certificate before it reads the key for service accounts: one key does for both.
        let key = self.path("certs/apiserver.key");
        let mut flags = vec![
            format!("--etcd-servers=http://127.0.0.1:{etcd}"),
            format!("--cert-dir={}", self.path("certs")),
            format!("--secure-port={}", self.port),
            "--bind-address=127.0.0.1".into(),
            // Named, so that a machine without a network has an API server too.
            "--advertise-address=127.0.0.1".into(),
            "--endpoint-reconciler-type=none".into(),
            format!("--token-auth-file={tokens}"),
            "--authorization-mode=RBAC".into(),
            "--service-account-issuer=https://127.0.0.1".into(),
            format!("--service-account-key-file={key}"),
            format!("--service-account-signing-key-file={key}"),
            "--service-cluster-ip-range=10.0.0.0/16".into(),
            // Nobody makes service accounts here, and Pods are to be admitted without.
            "--disable-admission-plugins=ServiceAccount".into(),
            "--max-requests-inflight=4000".into(),
            "--max-mutating-requests-inflight=2000".into(),
            "--profiling=false".into(),
        ];
        if options.audit {
            flags.push(format!(
                "--audit-policy-file={}",
                self.write("audit-policy.yaml", AUDIT_POLICY)?
            ));
            flags.push(format!("--audit-log-path={}", self.path("audit.log")));
            flags.push("--audit-log-format=json".into());
            // Megabytes: it never starts a new file.
            flags.push("--audit-log-maxsize=100000".into());
        }
        flags.extend(options.api_server_flags.iter().cloned());
        Ok(flags)
    }

    fn path(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    fn write(&self, name: &str, text: &str) -> Result<String> {
        fs::write(self.folder.join(name), text).with_context(|| format!("write {}", self.path(name)))?;
        Ok(self.path(name))
    }
}

fn controllers(kubeconfig: &Path, options: &Options) -> Vec<String> {
    let mut flags = vec![
        format!("--kubeconfig={}", kubeconfig.display()),
        format!("--controllers={}", options.controllers.join(",")),
        "--leader-elect=false".into(),
        "--secure-port=0".into(),
        // By default its client waits at 20 requests a second, and then a test would measure that.
        "--kube-api-qps=5000".into(),
        "--kube-api-burst=10000".into(),
    ];
    for what in ["deployment", "replicaset", "statefulset", "gc", "namespace", "job"] {
        flags.push(format!("--concurrent-{what}-syncs=20"));
    }
    flags
}

/// Free at this moment: whoever uses them must be ready to try again.
fn free_ports() -> Result<[u16; 3]> {
    // All three at once, so that they differ.
    let held = [
        TcpListener::bind("127.0.0.1:0")?,
        TcpListener::bind("127.0.0.1:0")?,
        TcpListener::bind("127.0.0.1:0")?,
    ];
    let mut ports = [0; 3];
    for (port, listener) in ports.iter_mut().zip(&held) {
        *port = listener.local_addr()?.port();
    }
    Ok(ports)
}

fn log(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.log"))
}

fn tail(folder: &Path, name: &str) -> String {
    let text = fs::read(log(folder, name)).unwrap_or_default();
    String::from_utf8_lossy(&text[text.len().saturating_sub(3000)..]).into_owned()
}
