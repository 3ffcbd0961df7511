//! The embedded server: what a test holds in its hands where no real one is needed.

use std::{ops::Deref, sync::OnceLock};

use anyhow::{Context as _, Result};
use operatorkit_apiserver::{ApiServer, Builder};
use tokio::runtime::{self, Handle, Runtime};

use crate::{
    audit::AuditLog,
    cluster::{Cluster, Door, Driver, Folder, Inside, Users},
};

/// How many requests and answers the audit log keeps.
const RECORDS: usize = 1_000_000;

// Never dropped: it ends with this process.
static SHARED: OnceLock<EmbeddedServer> = OnceLock::new();

/// An [`ApiServer`] in this process, on a runtime of its own. What it offers to tests is that of every [`Cluster`]; besides, requests can be
/// made to [fail](Cluster::faults).
///
/// It needs nothing that is installed, and starts in milliseconds. Clients talk to it in process; a port is opened when a program or a
/// kubeconfig asks for one.
#[derive(Debug)]
pub struct EmbeddedServer {
    server: ApiServer,
    cluster: Cluster,
    // Its own, since the runtime of a `#[tokio::test]` ends with that test; `None` on the caller's.
    runtime: Option<Runtime>,
}

impl EmbeddedServer {
    /// The one embedded server of this process, as near to the [`ControlPlane`](crate::ControlPlane) as it gets: with RBAC and the
    /// workload controllers.
    ///
    /// # Panics
    /// If the system gives no thread.
    pub fn shared() -> &'static Self {
        SHARED.get_or_init(|| {
            let started = Self::start(ApiServer::builder().rbac(true).workloads(true));
            started.unwrap_or_else(|error| panic!("{error:#}"))
        })
    }

    /// A server of one's own, as the builder says; who is known and what is recorded is seen to here.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn start(builder: Builder) -> Result<Self> {
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("embedded-server")
            .enable_all()
            .build()
            .context("make the embedded server's runtime")?;
        let mut server = Self::start_on(runtime.handle(), builder)?;
        server.runtime = Some(runtime);
        Ok(server)
    }

    /// The same on the tokio runtime of the caller, and by its clock: in a test with `#[tokio::test(start_paused = true)]` neither the
    /// server nor an operator waits for a time to come. It ends with that runtime.
    ///
    /// # Errors
    /// None so far.
    ///
    /// # Panics
    /// Outside of a tokio runtime.
    pub fn start_here(builder: Builder) -> Result<Self> {
        Self::start_on(&Handle::current(), builder)
    }

    fn start_on(runtime: &Handle, builder: Builder) -> Result<Self> {
        let users = Users::new();
        let builder = builder.authenticator(users.authenticator());
        let server = {
            let _on = runtime.enter();
            builder.tap(RECORDS).brief_tap(true).start()
        };
        let inside = Inside::new(server.clone(), runtime.clone());
        let driver = Driver::new(runtime, || Ok(inside.client("admin")))?;
        let audit = AuditLog::of_tap(server.clone());
        let folder = Folder::later("operatorkit-embedded-");
        Ok(Self {
            cluster: Cluster::new(Door::Process(inside), users, Some(audit), driver, folder),
            server,
            runtime: None,
        })
    }

    /// The server itself.
    pub fn api_server(&self) -> &ApiServer {
        &self.server
    }
}

impl Deref for EmbeddedServer {
    type Target = Cluster;

    fn deref(&self) -> &Cluster {
        &self.cluster
    }
}

impl Drop for EmbeddedServer {
    fn drop(&mut self) {
        // Dropping a runtime within another one panics; this does not wait.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
