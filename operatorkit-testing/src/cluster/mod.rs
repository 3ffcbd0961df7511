//! What every server of this crate offers to a test.

mod access;
mod door;
mod driver;
mod namespace;
mod process;
mod users;

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

use anyhow::{Context as _, Result};
use operatorkit_apiserver::{ApiServer, fault::Faults};
use tempfile::TempDir;

pub use self::process::{Process, example_binary};
pub(crate) use self::{
    door::{Door, Inside},
    driver::Driver,
    users::{Endpoint, Users},
};
use crate::{audit::AuditLog, supervisor::Keeper};

/// A Kubernetes API server as a test sees it: users, namespaces, clients, programs, and what was asked.
///
/// There are two, which [`ControlPlane`](crate::ControlPlane) and [`EmbeddedServer`](crate::EmbeddedServer) deref to; a test that takes a
/// `&Cluster` runs on both.
///
/// Its users are `admin`, `driver` and `operator`, all with every right, told apart only in the [audit log](Self::audit); those
/// that [`new_admin`](Self::new_admin) and [`new_stranger`](Self::new_stranger) give; and `kcm` and `kubelet`, for its own parts.
#[derive(Debug)]
pub struct Cluster {
    door: Door,
    users: Users,
    audit: Option<AuditLog>,
    driver: Driver,
    counter: AtomicUsize,
    folder: Folder,
}

impl Cluster {
    pub(crate) fn new(door: Door, users: Users, audit: Option<AuditLog>, driver: Driver, folder: Folder) -> Self {
        Self {
            door,
            users,
            audit,
            driver,
            counter: AtomicUsize::new(0),
            folder,
        }
    }

    /// The folder for files of the server, its programs and its tests. It is removed with the server.
    ///
    /// # Panics
    /// If the system gives no folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The port of the API server on 127.0.0.1.
    ///
    /// # Panics
    /// If the embedded server, which starts to listen when this is asked for first, gets no port.
    #[track_caller]
    pub fn port(&self) -> u16 {
        access::expect(self.door.endpoint()).port()
    }

    /// The requests that the API server saw.
    ///
    /// # Panics
    /// If the control plane was started [without](crate::Options::without_audit) an audit log.
    #[track_caller]
    pub fn audit(&self) -> &AuditLog {
        self.audit
            .as_ref()
            .expect("this control plane was started without an audit log")
    }

    /// What goes wrong; `None` for a real server. A test that shares the server names its namespace or its user in each fault.
    pub fn faults(&self) -> Option<&Faults> {
        self.door.server().map(ApiServer::faults)
    }

    /// An admin on the server's own runtime.
    pub(crate) fn driver(&self) -> &Driver {
        &self.driver
    }

    /// A number that nobody else got.
    pub(crate) fn next(&self) -> usize {
        self.counter.fetch_add(1, Ordering::Relaxed)
    }

    /// A folder below [`folder`](Self::folder).
    pub(crate) fn subfolder(&self, name: &str) -> Result<PathBuf> {
        let path = self.folder().join(name);
        fs::create_dir_all(&path).with_context(|| format!("make {}", path.display()))?;
        Ok(path)
    }
}

/// A folder that does not outlive this process, however it ends.
#[derive(Debug)]
pub(crate) struct Folder {
    prefix: &'static str,
    made: OnceLock<(TempDir, Keeper)>,
}

impl Folder {
    pub(crate) fn new(prefix: &'static str) -> Result<Self> {
        Ok(Self {
            prefix,
            made: make(prefix)?.into(),
        })
    }

    /// One that is made when it is asked for first.
    pub(crate) fn later(prefix: &'static str) -> Self {
        Self {
            prefix,
            made: OnceLock::new(),
        }
    }

    /// # Panics
    /// If it cannot be made.
    pub(crate) fn path(&self) -> &Path {
        let (folder, _) = self.made.get_or_init(|| access::expect(make(self.prefix)));
        folder.path()
    }
}

fn make(prefix: &str) -> Result<(TempDir, Keeper)> {
    let folder = tempfile::Builder::new()
        .prefix(prefix)
        .tempdir()
        .context("make a folder")?;
    let keeper = Keeper::of(folder.path())?;
    Ok((folder, keeper))
}
