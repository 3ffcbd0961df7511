//! Passes over one object, one at a time and when they are asked for: for tests and benchmarks.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use kube::Client;
use tokio_util::sync::CancellationToken;

use super::{run::start, sink::file};
use crate::{
    app::{Env, RunSettings},
    context::Trigger,
    error::Result,
    executor::{Running, execute},
    operator::Operator,
    progress::{Onlooker, Progress, Step},
    status::ResourceStatus,
};

/// An operator that runs a pass when it is told to, and otherwise does nothing: no backoff, no resync, no watch over its kind.
///
/// A test makes an object, runs a pass, looks at what there is, changes something, runs the next one. Each pass does all that one of a running
/// operator does: finalizer, children, status, Events, and what is stored.
///
/// ```ignore
/// let mut passes = SinglePasses::<WebApp>::new(WebAppResources { web: Web }, client, RunSettings::default())?;
/// let outcome = passes.run("default", "hello").await?;
/// assert_eq!(outcome.phase("web"), Some("Waiting"));
/// ```
pub struct SinglePasses<O: Operator> {
    running: Arc<Running<O>>,
    told: Arc<Mutex<Option<Outcome>>>,
    /// The object of the last pass, with its namespace and name.
    last: Option<(Option<String>, String, Arc<str>)>,
    shutdown: CancellationToken,
    reported: CancellationToken,
}

/// What a pass came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outcome {
    /// Which way the pass went.
    pub direction: Direction,
    /// How each resource is, as the status shows it, without the time: name, phase, reason, message, what it waits on. Empty if no resource
    /// was looked at.
    pub resources: Vec<ResourceStatus>,
    /// Nothing is left to do: forwards all resources are ready, backwards the finalizer is off.
    pub done: bool,
    /// What is left, as the condition `Ready` (forwards) or `Deleting` (backwards) says it; empty if nothing is.
    pub reason: String,
    /// The same for a person.
    pub message: String,
    /// When a running operator would run the next pass if no event came first; `None`: no more without one.
    pub next: Option<Duration>,
}

/// Which way a pass went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// Nowhere: the object is not there, is a child of this operator's, or is being deleted and does not have our finalizer.
    #[default]
    Nowhere,
    /// Towards what is desired.
    Forwards,
    /// The object is being deleted.
    Backwards,
    /// Nowhere, since the object is paused.
    Paused,
}

impl Outcome {
    /// How a resource is; `None` if the pass did not look at it.
    pub fn resource(&self, name: &str) -> Option<&ResourceStatus> {
        self.resources.iter().find(|resource| resource.name == name)
    }

    /// The phase of a resource: `Ready`, `Waiting`, `Failed`, `Skipped`, `Pending`, `Cancelled`, `Deleting` or `Deleted`.
    pub fn phase(&self, name: &str) -> Option<&str> {
        self.resource(name).map(|resource| resource.phase.as_str())
    }

    fn take(&mut self, progress: Progress) {
        let backwards = progress.backwards;
        match progress.step {
            Step::All { lines, paused } => {
                self.resources = lines;
                self.direction = match (paused, backwards) {
                    (true, _) => Direction::Paused,
                    (false, true) => Direction::Backwards,
                    (false, false) => Direction::Forwards,
                };
            }
            Step::Ended(None) => self.done = true,
            Step::Ended(Some(held)) => (self.reason, self.message) = (held.reason, held.message),
            Step::Begins(_) | Step::Is(_) => {}
        }
    }
}

impl<O: Operator> SinglePasses<O> {
    /// Of `settings` only the namespaces and the resync period matter.
    ///
    /// # Errors
    /// If the graph cannot run: a hand-written one may have a cycle.
    ///
    /// # Panics
    /// Outside of a tokio runtime.
    pub fn new(resources: O::Resources, client: Client, settings: &RunSettings) -> Result<Self> {
        let (shutdown, reported) = (CancellationToken::new(), CancellationToken::new());
        let told = Arc::<Mutex<Option<Outcome>>>::default();
        let hears = told.clone();
        let onlooker = Onlooker::new(move |progress| {
            let mut told = hears.lock().unwrap_or_else(PoisonError::into_inner);
            told.get_or_insert_default().take(progress);
        });
        let env = Env::new(client, "single-passes", &settings.namespaces).watched_by(onlooker);
        let running = start::<O>(resources, &env, settings, &shutdown, &reported)?;
        Ok(Self {
            running,
            told,
            last: None,
            shutdown,
            reported,
        })
    }

    /// Reads an object and looks at its children, and runs one pass over it, whichever way it is to go. The namespace is `None`
    /// for a cluster-scoped kind. The selector is not asked: the object is the one that is named.
    ///
    /// # Errors
    /// If the object or its children cannot be read. What fails in the pass is in its outcome.
    pub async fn run(&mut self, namespace: impl Into<Option<&str>>, name: &str) -> Result<Outcome> {
        let (running, namespace) = (&self.running, namespace.into());
        let live = running.cluster.get(&running.kind, namespace, name).await?;
        let before = self.last.take();
        if let Some((_, _, uid)) = before.filter(|(of, named, uid)| {
            let same = of.as_deref() == namespace && named == name;
            same && live.as_ref().and_then(|live| live.metadata.uid.as_deref()) != Some(&**uid)
        }) {
            // What was known of the one that is gone is freed as usual.
            running.objects.remove(&uid);
            execute(running, &uid, Trigger::ObjectChanged.into()).await;
        }
        let Some((entry, _)) = live.and_then(|live| file(running, live)) else {
            return Ok(Outcome::default());
        };
        running.catch_up(&entry).await?;
        self.last = Some((namespace.map(str::to_owned), name.to_owned(), entry.uid.clone()));
        Ok(self.again().await)
    }

    /// Runs one more pass over the object of the last one, as far as it is known by now, and reads nothing for that. So a pass that
    /// changes nothing sends no request. Before the first [`run`](Self::run) there is no such object: the outcome is that of a pass that went
    /// [`Nowhere`](Direction::Nowhere).
    pub async fn again(&mut self) -> Outcome {
        let Some((_, _, uid)) = &self.last else {
            return Outcome::default();
        };
        *self.told() = None;
        let next = execute(&self.running, uid, Trigger::Resync.into()).await;
        let told = self.told().take();
        Outcome {
            next: next.map(|(after, _)| after),
            ..told.unwrap_or_default()
        }
    }

    /// Ends it; Events that were published are still written, for two seconds at most.
    pub async fn stop(self) {
        self.shutdown.cancel();
        self.reported.cancel();
        self.running.events.flushed().await;
    }

    fn told(&self) -> std::sync::MutexGuard<'_, Option<Outcome>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<O: Operator> Drop for SinglePasses<O> {
    fn drop(&mut self) {
        self.shutdown.cancel();
        self.reported.cancel();
    }
}

impl<O: Operator> fmt::Debug for SinglePasses<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SinglePasses")
            .field("operator", &self.running.names.operator)
            .field("last", &self.last)
            .finish_non_exhaustive()
    }
}
