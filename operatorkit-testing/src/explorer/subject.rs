//! The operator under test: how it is started, again and again, and what it makes outside of the cluster.

use std::{fmt, sync::Arc};

use anyhow::Result;
use futures::future::BoxFuture;
use kube::Client;
use operatorkit_runtime::app::{App, RunSettings};
use tokio_util::sync::CancellationToken;

use super::{
    outside::{Nothing, Outside},
    run::Crossings,
};

type Start = Arc<dyn Fn(Client, Crossings) -> BoxFuture<'static, Result<()>> + Send + Sync>;

/// The operator of one run: it is started, killed, and started again.
#[must_use = "a subject does nothing before an `Explorer` runs it"]
pub struct Subject {
    pub(super) versions: Vec<Start>,
    pub(super) outside: Arc<dyn Outside>,
}

impl Subject {
    /// An [`App`], made anew for each start, since an app runs once. Around the operations of its resources stands a layer that makes each of
    /// those that act outside of Kubernetes a point where it may be killed, or fail.
    pub fn app(make: impl Fn() -> App + Send + Sync + 'static) -> Self {
        Self::starting(of_app(make))
    }

    /// Any program that works on this client and runs until it is dropped. It need not be made with operatorkit; but the rules on
    /// order, finalizer and marks go by what operatorkit stores.
    pub fn program<F>(run: impl Fn(Client) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<()>> + Send + 'static,
    {
        Self::starting(Arc::new(move |client, _| Box::pin(run(client))))
    }

    /// The app of the next version, which a [step](super::Scenario::upgrade) starts, and the explorer at any point in place of the one
    /// before.
    pub fn upgraded(mut self, make: impl Fn() -> App + Send + Sync + 'static) -> Self {
        self.versions.push(of_app(make));
        self
    }

    /// What the operator makes outside of Kubernetes.
    pub fn outside(mut self, outside: Arc<dyn Outside>) -> Self {
        self.outside = outside;
        self
    }

    fn starting(start: Start) -> Self {
        Self {
            versions: vec![start],
            outside: Arc::new(Nothing),
        }
    }
}

fn of_app(make: impl Fn() -> App + Send + Sync + 'static) -> Start {
    Arc::new(move |client, crossings| {
        let app = make().layer(crossings);
        Box::pin(app.run_in(client, RunSettings::default(), CancellationToken::new()))
    })
}

impl fmt::Debug for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subject")
            .field("versions", &self.versions.len())
            .finish_non_exhaustive()
    }
}
