//! A client on the server's own runtime, which any thread and any other runtime can use.

use std::{fmt, future::Future, sync::mpsc};

use anyhow::{Context as _, Result};
use kube::Client;
use tokio::runtime::Handle;

/// A user's client, and the runtime that it lives on. A client of a test's runtime would end with that test.
#[derive(Clone)]
pub(crate) struct Driver {
    client: Client,
    runtime: Handle,
}

impl Driver {
    /// `client` makes the client, on that runtime.
    pub(crate) fn new(runtime: &Handle, client: impl FnOnce() -> Result<Client>) -> Result<Self> {
        let _on = runtime.enter();
        Ok(Self {
            client: client()?,
            runtime: runtime.clone(),
        })
    }

    /// Does `work` on the server's runtime.
    pub(crate) async fn run<T, F>(&self, work: impl FnOnce(Client) -> F) -> Result<T>
    where
        T: Send + 'static,
        F: Future<Output = Result<T>> + Send + 'static,
    {
        self.runtime
            .spawn(work(self.client.clone()))
            .await
            .context("the server's runtime")?
    }

    /// The same, blocking this thread; allowed also where it runs another runtime.
    pub(crate) fn block_on<T, F>(&self, work: impl FnOnce(Client) -> F) -> Result<T>
    where
        T: Send + 'static,
        F: Future<Output = Result<T>> + Send + 'static,
    {
        let (send, receive) = mpsc::channel();
        let work = work(self.client.clone());
        self.runtime.spawn(async move { send.send(work.await) });
        receive.recv().context("the server's runtime is gone")?
    }
}

impl fmt::Debug for Driver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Driver").finish_non_exhaustive()
    }
}
