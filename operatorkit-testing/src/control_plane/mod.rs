//! One running control plane: what a test holds in its hands.

mod access;
mod options;
mod ready;
mod servers;
mod shared;

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
};

use anyhow::{Context as _, Result};
use tempfile::TempDir;
use tokio::runtime::{self, Runtime};

pub use self::options::Options;
use self::servers::Servers;
use crate::{
    audit::AuditLog,
    build,
    driver::Driver,
    kubelet,
    supervisor::Keeper,
    users::{Endpoint, Users},
};

/// A kube-apiserver with its etcd, controllers and the [stand-in kubelet](crate::kubelet), on ports of 127.0.0.1.
///
/// Its users are `admin`, `driver` and `operator`, all with every right, told apart only in the [audit log](Self::audit); those
/// that [`new_admin`](Self::new_admin) and [`new_stranger`](Self::new_stranger) give; and `kcm` and `kubelet`, for its own parts.
///
/// Dropping it stops the servers and removes their folder. Both also happen when the process ends in any other way, `SIGKILL`
/// included.
#[derive(Debug)]
pub struct ControlPlane {
    // Dropped in this order: the servers before the folder.
    servers: Servers,
    endpoint: Endpoint,
    users: Users,
    audit: Option<AuditLog>,
    driver: Driver,
    // `Some` until it is dropped. Its own, since the runtime of a `#[tokio::test]` ends with that test.
    runtime: Option<Runtime>,
    bin: PathBuf,
    counter: AtomicUsize,
    folder: TempDir,
    _keeper: Keeper,
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
        let folder = tempfile::Builder::new()
            .prefix("operatorkit-control-plane-")
            .tempdir()
            .context("make a folder")?;
        let keeper = Keeper::of(folder.path())?;
        let users = Users::new();
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("control-plane")
            .enable_all()
            .build()
            .context("make the control plane's runtime")?;

        let mut servers = Servers::start(bin, folder.path(), options, &users)?;
        let (endpoint, driver) = ready::wait(&mut servers, "kube-apiserver", |servers| {
            let endpoint = Endpoint::new(servers.port, &servers.certificate())?;
            let driver = Driver::new(runtime.handle(), &endpoint, "admin")?;
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
            let driver = Driver::new(runtime.handle(), &endpoint, "kubelet")?;
            driver.block_on(kubelet::start).context("start the stand-in kubelet")?;
        }
        let log = || AuditLog::new(folder.path().join("audit.log"), driver.clone());
        let audit = options.audit.then(log);
        Ok(Self {
            servers,
            endpoint,
            users,
            audit,
            driver,
            runtime: Some(runtime),
            bin: bin.to_owned(),
            counter: AtomicUsize::new(0),
            folder,
            _keeper: keeper,
        })
    }

    /// The folder with the programs: etcd, kube-apiserver, kube-controller-manager, kubectl.
    pub fn bin(&self) -> &Path {
        &self.bin
    }

    /// The folder with the servers' logs (`kube-apiserver.log`, …). It is removed with the control plane.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The port of the API server on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.servers.port
    }

    /// The requests that the API server saw.
    ///
    /// # Panics
    /// If the control plane was started [without](Options::without_audit) an audit log.
    #[track_caller]
    pub fn audit(&self) -> &AuditLog {
        self.audit
            .as_ref()
            .expect("this control plane was started without an audit log")
    }

    /// An admin on the control plane's own runtime.
    pub(crate) fn driver(&self) -> &Driver {
        &self.driver
    }

    /// A number that nobody else got.
    pub(crate) fn next(&self) -> usize {
        self.counter.fetch_add(1, Ordering::Relaxed)
    }

    /// A folder below [`folder`](Self::folder).
    pub(crate) fn subfolder(&self, name: &str) -> Result<PathBuf> {
        let path = self.folder.path().join(name);
        fs::create_dir_all(&path).with_context(|| format!("make {}", path.display()))?;
        Ok(path)
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
