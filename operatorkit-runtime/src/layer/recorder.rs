//! What ran, in which order, and how it ended: for tests.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use futures::future::BoxFuture;

use super::{Layer, Next, Operation, Verb};
use crate::{error::Result, flow::Flow, judgement};

/// Records the operations that pass through it, in the order in which they begin. Clones share what is recorded.
///
/// For tests: it keeps everything. Given to `App::layer` it sees the operations of all operators, each as it ends after the layers of its
/// own stack; inside a [`Retry`](super::Retry) it sees each attempt.
///
/// ```
/// use operatorkit_runtime::{Flow, layer::{Layers, Operation, Recorder, Verb}};
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let recorder = Recorder::new();
/// let layers = Layers::new().with(recorder.clone());
/// let _answer = layers.call(&Operation::new("web", Verb::Desired), || async { Ok(Flow::<()>::skip("not today")) }).await;
/// assert_eq!(recorder.lines(), ["web desired: skip"]);
/// # });
/// ```
#[derive(Clone, Debug, Default)]
pub struct Recorder(Arc<Mutex<Inner>>);

#[derive(Debug, Default)]
struct Inner {
    records: Vec<Record>,
    /// How many there were that were forgotten.
    forgotten: usize,
}

/// An operation that began.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record {
    /// The operator's name.
    pub controller: String,
    /// The resource's name.
    pub resource: String,
    /// What was done.
    pub verb: Verb,
    /// Whether the object was being deleted.
    pub backwards: bool,
    /// The namespace of the object; `None` if it is cluster-scoped.
    pub namespace: Option<String>,
    /// The name of the object.
    pub name: String,
    /// How it ended; `None`: it runs, or was dropped before its end, by a timeout or a shutdown.
    pub outcome: Option<Outcome>,
}

/// How an operation ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// `Flow::Ready`.
    Ready,
    /// `Flow::Wait`, with its message.
    Wait(String),
    /// `Flow::Skip`, with its reason; reading an output that is not there skips, too.
    Skip(String),
    /// `Flow::Cancel`, with its reason.
    Cancel(String),
    /// An error, with its causes.
    Failed(String),
}

impl Recorder {
    /// Nothing is recorded yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// What began so far, in that order.
    pub fn records(&self) -> Vec<Record> {
        self.lock().records.clone()
    }

    /// The same in short, a line each: `web desired: ready`.
    pub fn lines(&self) -> Vec<String> {
        self.lock().records.iter().map(ToString::to_string).collect()
    }

    /// Forgets what was recorded.
    pub fn clear(&self) {
        let mut inner = self.lock();
        inner.forgotten += inner.records.len();
        inner.records.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the record's number.
    fn begin(&self, operation: &Operation<'_>) -> usize {
        let mut inner = self.lock();
        inner.records.push(Record {
            controller: operation.controller.to_owned(),
            resource: operation.resource.to_owned(),
            verb: operation.verb,
            backwards: operation.backwards,
            namespace: operation.namespace.map(str::to_owned),
            name: operation.name.to_owned(),
            outcome: None,
        });
        inner.forgotten + inner.records.len() - 1
    }

    fn end(&self, number: usize, outcome: Outcome) {
        let mut inner = self.lock();
        let place = number.checked_sub(inner.forgotten);
        if let Some(record) = place.and_then(|place| inner.records.get_mut(place)) {
            record.outcome = Some(outcome);
        }
    }
}

impl Layer for Recorder {
    fn call<'a>(&'a self, operation: &'a Operation<'a>, next: Next<'a>) -> BoxFuture<'a, Result<Flow<()>>> {
        Box::pin(async move {
            let number = self.begin(operation);
            let answer = next.run().await;
            self.end(number, Outcome::of(&answer));
            answer
        })
    }
}

impl Outcome {
    fn of(answer: &Result<Flow<()>>) -> Self {
        match answer {
            Ok(Flow::Ready(())) => Self::Ready,
            Ok(Flow::Wait(wait)) => Self::Wait(wait.message.clone()),
            Ok(Flow::Skip(why)) => Self::Skip(why.clone()),
            Ok(Flow::Cancel(why)) => Self::Cancel(why.clone()),
            Err(err) if judgement::unread(err).is_some() => Self::Skip(format!("{err:#}")),
            Err(err) => Self::Failed(format!("{err:#}")),
        }
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outcome = match &self.outcome {
            None => "not ended",
            Some(Outcome::Ready) => "ready",
            Some(Outcome::Wait(_)) => "wait",
            Some(Outcome::Skip(_)) => "skip",
            Some(Outcome::Cancel(_)) => "cancel",
            Some(Outcome::Failed(_)) => "failed",
        };
        write!(f, "{} {}: {outcome}", self.resource, self.verb)
    }
}
