//! One running control plane: what a test holds in its hands.

mod options;
mod ready;
mod servers;
mod shared;

use std::{
    fs,
    ops::Deref,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result};
use tokio::runtime::{self, Runtime};

pub use self::options::Options;
use self::servers::Servers;
use crate::{
    audit::AuditLog,
    build,
    cluster::{Cluster, Door, Driver, Endpoint, Folder, Users},
    kubelet,
};

/// A kube-apiserver with its etcd, controllers and the [stand-in kubelet](crate::kubelet), on ports of 127.0.0.1. What it offers to tests
/// is that of every [`Cluster`].
///
/// Dropping it stops the servers and removes their folder. Both also happen when the process ends in any other way, `SIGKILL`
/// included.
#[derive(Debug)]
pub struct ControlPlane {
    // Dropped in this order: the servers before the folder.
    servers: Servers,
    cluster: Cluster,
    // `Some` until it is dropped. Its own, since the runtime of a `#[tokio::test]` ends with that test.
    runtime: Option<Runtime>,
    bin: PathBuf,
}

impl ControlPlane {
    /// Starts a control plane of one's own, and blocks until it is ready: about five seconds, and minutes when its programs are
    /// built first (it says so on standard error).
    ///
    /// # Errors
    /// If there are no programs for it, or a server does not come up; with the end of that server's log.
    pub fn start(options: &Options) -> Result<Self> {
        let bin = build::programs()?;
        let mut tries = 1;
        loop {
            match Self::try_start(&bin, options) {
                // Somebody else was faster to take one of the ports.
                Err(error) if tries < 3 && format!("{error:#}").contains("address already in use") => tries += 1,
                done => return done,
            }
        }
    }

    fn try_start(bin: &Path, options: &Options) -> Result<Self> {
        let folder = Folder::new("operatorkit-control-plane-")?;
        let users = Users::new();
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("control-plane")
            .enable_all()
            .build()
            .context("make the control plane's runtime")?;

        let mut servers = Servers::start(bin, folder.path(), options, &users)?;
        let (endpoint, driver) = ready::wait(&mut servers, "kube-apiserver", |servers| {
            let ca = servers.certificate();
            let ca = fs::read_to_string(&ca).with_context(|| format!("read {}", ca.display()))?;
            let endpoint = Endpoint::new(servers.port, ca);
            let driver = Driver::new(runtime.handle(), || endpoint.client("admin"))?;
            driver.block_on(ready::api_server)?;
            Ok((endpoint, driver))
        })?;
        if !options.controllers.is_empty() {
            servers.start_controllers(&endpoint.write_kubeconfig(folder.path(), "kcm")?, options)?;
            ready::wait(&mut servers, "kube-apiserver", |_| {
                driver.block_on(|admin| ready::probe(admin, options.clone()))
            })?;
            ready::wait(&mut servers, "kube-controller-manager", |_| {
                driver.block_on(|admin| ready::controllers(admin, options.clone()))
            })?;
        }
        if options.kubelet {
            let driver = Driver::new(runtime.handle(), || endpoint.client("kubelet"))?;
            driver.block_on(kubelet::start).context("start the stand-in kubelet")?;
        }
        let log = || AuditLog::in_file(folder.path().join("audit.log"), driver.clone());
        let audit = options.audit.then(log);
        Ok(Self {
            servers,
            cluster: Cluster::new(Door::Port(endpoint), users, audit, driver, folder),
            runtime: Some(runtime),
            bin: bin.to_owned(),
        })
    }

    /// The folder with the programs: etcd, kube-apiserver, kube-controller-manager, kubectl.
    pub fn bin(&self) -> &Path {
        &self.bin
    }

    /// The port of etcd on 127.0.0.1, without TLS: for what only the storage shows.
    pub fn etcd_port(&self) -> u16 {
        self.servers.etcd
    }

    /// The kubectl of this control plane, as `admin`.
    pub fn kubectl(&self) -> Command {
        self.command(self.bin.join("kubectl"), "admin")
    }
}

impl Deref for ControlPlane {
    type Target = Cluster;

    fn deref(&self) -> &Cluster {
        &self.cluster
    }
}

impl Drop for ControlPlane {
    fn drop(&mut self) {
        // Dropping a runtime within another one panics; this does not wait.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
