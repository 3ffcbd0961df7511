//! The server: how it is made, what it offers, and when it ends.

mod changes;
mod kept;
#[cfg(feature = "cli")]
mod program;

use std::{
    error::Error,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

pub use changes::ObjectChange;
use jiff::Timestamp;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::{
    access::{Authenticator, User, token::TokenKey},
    clock::Clock,
    control::{self, feed::Feed},
    core::{Access, Core},
    fault::Faults,
    http::ApiService,
    identity::Identities,
    kinds::service::allocate::Allocator,
    registry::{Catalog, Registry, built_in},
    seed,
    serve::state::State,
    store::{Store, history},
    tap::Tap,
    verbs::admission::Allocations,
};

/// What a server is like before it starts.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools)] // Each is a switch of its own.
pub struct Builder {
    start_time: Option<Timestamp>,
    seed: Option<u64>,
    history: history::Limits,
    tap: usize,
    brief_tap: bool,
    rbac: bool,
    controllers: bool,
    workloads: bool,
    authenticator: Authenticator,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            start_time: None,
            seed: None,
            history: history::Limits::default(),
            tap: 0,
            brief_tap: false,
            rbac: false,
            controllers: true,
            workloads: false,
            authenticator: Authenticator::new(),
        }
    }
}

impl Builder {
    /// The time that it is when the server starts; default: the system's. From then on tokio's clock counts.
    #[must_use]
    pub fn start_time(mut self, time: Timestamp) -> Self {
        self.start_time = Some(time);
        self
    }

    /// What UIDs and generated names are drawn from; default: something new each time.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// How many changes of each resource a watch can go back; default 10,000.
    #[must_use]
    pub fn history(mut self, changes: usize) -> Self {
        self.history.changes = changes.max(1);
        self
    }

    /// Records requests, answers and events, and keeps this many; default: none.
    #[must_use]
    pub fn tap(mut self, records: usize) -> Self {
        self.tap = records;
        self
    }

    /// Whether the [`tap`](Self::tap) keeps of answers only the code, and no events: enough to count requests, and small; default:
    /// it keeps all.
    #[must_use]
    pub fn brief_tap(mut self, brief: bool) -> Self {
        self.brief_tap = brief;
        self
    }

    /// Enforces RBAC, with the roles and bindings that a new cluster has; default: everybody may do everything.
    #[must_use]
    pub fn rbac(mut self, enforce: bool) -> Self {
        self.rbac = enforce;
        self
    }

    /// Whether the garbage collector runs and namespaces that are deleted are emptied; default: yes. Without them finalizers such as
    /// `orphan` stay, as they do without a controller manager.
    #[must_use]
    pub fn controllers(mut self, run: bool) -> Self {
        self.controllers = run;
        self
    }

    /// Runs the controllers of Deployments, ReplicaSets, StatefulSets, DaemonSets, Jobs and Services, and a stand-in kubelet on a
    /// node `operatorkit-node`, which makes Pods Running and Ready at once; default: nobody does. It turns on [`controllers`](Self::controllers).
    #[must_use]
    pub fn workloads(mut self, run: bool) -> Self {
        self.workloads = run;
        self.controllers |= run;
        self
    }

    /// Whose tokens are known; those of ServiceAccounts are in any case.
    #[must_use]
    pub fn authenticator(mut self, authenticator: Authenticator) -> Self {
        self.authenticator = authenticator;
        self
    }

    /// Starts the server on the tokio runtime of the caller.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime.
    pub fn start(self) -> ApiServer {
        let rbac = self.rbac;
        let filled: Result<_, std::convert::Infallible> = self.start_with(TokenKey::generate(), |core| {
            seed::seed(core, rbac);
            Ok(())
        });
        let Ok(server) = filled;
        server
    }

    /// Starts the server with what an earlier one has left.
    ///
    /// # Errors
    ///
    /// If that cannot be read.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime.
    pub fn resume(self, state: &State) -> Result<ApiServer, Box<dyn Error + Send + Sync>> {
        let key = kept::token_key(state)?.unwrap_or_else(TokenKey::generate);
        self.start_with(key, |core| kept::restore(core, state))
    }

    fn start_with<E>(self, key: TokenKey, fill: impl FnOnce(&Arc<Core>) -> Result<(), E>) -> Result<ApiServer, E> {
        let seed = self.seed.unwrap_or_else(|| fastrand::u64(..));
        let shutdown = CancellationToken::new();
        let core = Core {
            clock: Clock::starting_at(self.start_time.unwrap_or_else(Timestamp::now)),
            identities: Identities::seeded(seed),
            store: Arc::new(Store::new(self.history)),
            registry: Registry::new(Catalog::new(built_in::resources())),
            tables: crate::core::Tables::default(),
            faults: Faults::default(),
            tap: Tap::new(self.tap, self.brief_tap),
            access: Access::new(self.authenticator, key, self.rbac),
            allocations: Allocations::new(Allocator::default()),
            shutdown: shutdown.clone(),
        };
        let core = Arc::new(core);
        fill(&core)?;
        let mut server = ApiServer {
            core,
            progress: Vec::new(),
            _ends: Arc::new(shutdown.drop_guard()),
        };
        // It is a part of the real server, and not of its controller manager.
        server.run(control::custom::run);
        if self.controllers {
            server.run(control::garbage::run);
            server.run(control::namespaces::run);
            server.run(control::roles::run);
        }
        if self.workloads {
            seed::node(&server.core, control::runner::NODE);
            server.run(control::runner::run);
        }
        Ok(server)
    }
}

/// A Kubernetes API server in this process. Cheap to clone; it ends, with its watches and controllers, when the last clone is
/// dropped.
#[derive(Clone, Debug)]
pub struct ApiServer {
    pub(crate) core: Arc<Core>,
    progress: Vec<Arc<AtomicU64>>,
    _ends: Arc<DropGuard>,
}

impl ApiServer {
    /// A server as most need it: without RBAC, with the garbage collector.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime.
    pub fn start() -> Self {
        Self::builder().start()
    }

    /// Another server.
    pub fn builder() -> Builder {
        Builder::default()
    }

    fn run<F>(&mut self, controller: impl FnOnce(Arc<Core>, Feed) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let feed = Feed::new(self.core.store.clone());
        self.progress.push(feed.progress());
        let running = controller(self.core.clone(), feed);
        let shutdown = self.core.shutdown.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = shutdown.cancelled() => {}
                () = running => {}
            }
        });
    }

    /// The server as a `tower::Service`, for an administrator: what a `kube::Client` is made of.
    pub fn service(&self) -> ApiService {
        self.service_as(User::admin())
    }

    /// The server as a `tower::Service` for this user.
    pub fn service_as(&self, user: User) -> ApiService {
        ApiService::new(self.core.clone(), Some(user))
    }

    /// The server as a `tower::Service` for callers who say themselves who they are: by token, or as an extension of the request.
    pub fn open_service(&self) -> ApiService {
        ApiService::new(self.core.clone(), None)
    }

    /// What goes wrong.
    pub fn faults(&self) -> &Faults {
        &self.core.faults
    }

    /// What was asked and answered.
    pub fn tap(&self) -> &Tap {
        &self.core.tap
    }

    /// What time it is for the server.
    pub fn now(&self) -> Timestamp {
        self.core.clock.now()
    }

    /// The resourceVersion of the last change.
    pub fn resource_version(&self) -> u64 {
        self.core.store.version()
    }

    /// Forgets the history: watches and lists from before now are answered with 410.
    pub fn compact(&self) {
        self.compact_to(u64::MAX);
    }

    /// Forgets the history up to this version, or up to now if that is sooner: who has read up to there loses nothing.
    pub fn compact_to(&self, version: u64) {
        self.core.store.compact(version);
    }

    /// Waits until the controllers have done everything that follows from the changes so far. What they wait for themselves
    /// (finalizers of others, requests that fail) does not count.
    pub async fn settled(&self) {
        let mut wake = self.core.store.settled();
        loop {
            let version = self.core.store.version();
            if self
                .progress
                .iter()
                .all(|progress| progress.load(Ordering::SeqCst) >= version)
            {
                return;
            }
            // The bound is for a controller that was between the two looks.
            let _woken = tokio::time::timeout(Duration::from_millis(100), wake.changed()).await;
        }
    }
}
