//! What resources answer in a test, and which calls they got.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use operatorkit::{
    anyhow::{anyhow, ensure},
    prelude::*,
};
use operatorkit_testing::{PATIENCE, wait_for};
use tokio::time::Instant;

/// What a call answers instead of `Ready`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Answer {
    Wait,
    WaitFor(Duration),
    Skip,
    Cancel,
    /// `Ready`, but the finalizer is to be kept.
    Keep,
    Fail(Failing),
    /// Fails the next time only.
    FailOnce,
    Panic,
}

/// The marks of an error.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Failing {
    pub(crate) reason: Option<&'static str>,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) permanent: bool,
}

impl Failing {
    fn error(self) -> operatorkit::Error {
        let mut error = anyhow!("the quota is used up");
        if let Some(reason) = self.reason {
            error = error.reason(reason);
        }
        if let Some(after) = self.retry_after {
            error = error.retry_after(after);
        }
        if self.permanent { error.permanent() } else { error }
    }
}

/// The answers, and the calls so far. A call is `<object> <create or delete> <resource>`.
#[derive(Debug, Default)]
pub(crate) struct Script(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    answers: HashMap<String, Answer>,
    calls: Vec<(String, Instant)>,
    notes: Vec<String>,
}

impl Script {
    pub(crate) fn new() -> Arc<Self> {
        Arc::default()
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on a call answers this.
    pub(crate) fn on(&self, call: &str, answer: Answer) {
        self.inner().answers.insert(call.into(), answer);
    }

    /// All calls answer `Ready` again.
    pub(crate) fn heal(&self) {
        self.inner().answers.clear();
    }

    /// Keeps what a resource has read.
    pub(crate) fn note(&self, note: String) {
        self.inner().notes.push(note);
    }

    pub(crate) fn notes(&self) -> Vec<String> {
        self.inner().notes.clone()
    }

    pub(crate) fn calls(&self) -> Vec<String> {
        self.inner().calls.iter().map(|(call, _)| call.clone()).collect()
    }

    pub(crate) fn count(&self, call: &str) -> usize {
        self.times(call).len()
    }

    /// When a call was made.
    pub(crate) fn times(&self, call: &str) -> Vec<Instant> {
        self.inner()
            .calls
            .iter()
            .filter(|(known, _)| known == call)
            .map(|(_, at)| *at)
            .collect()
    }

    /// Waits until a call was made so often.
    pub(crate) async fn called(&self, call: &str, times: usize) {
        wait_for(&format!("{call} is called {times} times"), PATIENCE, async || {
            ensure!(self.count(call) >= times, "{:?}", self.calls());
            Ok(())
        })
        .await;
    }

    /// A call: `keep` is how the finalizer is kept.
    pub(crate) fn call(&self, call: &str, keep: impl FnOnce(&str)) -> Result<Flow<()>> {
        let answer = {
            let mut inner = self.inner();
            inner.calls.push((call.into(), Instant::now()));
            let answer = inner.answers.get(call).copied();
            if matches!(answer, Some(Answer::FailOnce)) {
                inner.answers.remove(call);
            }
            answer
        };
        Ok(match answer {
            None => Flow::Ready(()),
            Some(Answer::Wait) => Flow::wait("the moon is not full"),
            Some(Answer::WaitFor(again)) => Flow::wait_for(again, "the moon is not full"),
            Some(Answer::Skip) => Flow::skip("not today"),
            Some(Answer::Cancel) => Flow::cancel("the stage is closed"),
            Some(Answer::Keep) => {
                keep("somebody still looks");
                Flow::Ready(())
            }
            Some(Answer::Fail(failing)) => return Err(failing.error()),
            Some(Answer::FailOnce) => return Err(Failing::default().error()),
            Some(Answer::Panic) => panic!("the floor broke"),
        })
    }
}
