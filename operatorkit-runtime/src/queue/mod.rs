//! The work queue of an operator: which object's pass runs next.
//!
//! First come, first served, keyed by UID. An object is queued at most once and never runs twice at once; what comes
//! while it runs, queues it again at its end. Nothing here knows what a pass is.

mod backoff;
mod state;
#[cfg(test)]
mod tests;
mod work;

pub(crate) use backoff::{Backoff, RetryHint};
pub(crate) use work::Work;

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    sync::Notify,
    time::{Instant, sleep_until},
};

use crate::context::Trigger;
use state::State;

/// The UID of an object.
pub(crate) type Uid = Arc<str>;

/// The queue of one operator; any number of tasks may add to it and take from it.
///
/// One task takes its turn after the other, without a task or a timer per object: who waits in [`next`](Self::next) sleeps until
/// the earliest delay is over. What is neither queued, nor delayed, nor running, takes no memory.
#[derive(Default)]
pub(crate) struct Queue {
    state: Mutex<State>,
    changed: Notify,
}

impl Queue {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Queues an object behind the others, or, while it runs, once that has ended. If it is queued, the reason is added;
    /// if it is delayed, the delay and its reason are dropped.
    pub(crate) fn add(&self, uid: Uid, trigger: Trigger) {
        self.state().add(uid, trigger, Instant::now());
        self.changed.notify_one();
    }

    /// Queues an object after a delay. The earliest of several delays wins, and an object that is queued
    /// already, or that queues again once it has ended, is not delayed.
    pub(crate) fn add_after(&self, uid: Uid, delay: Duration, trigger: Trigger) {
        self.state().add_after(uid, delay, trigger, Instant::now());
        self.changed.notify_one();
    }

    /// Drops what is queued and delayed for an object that is gone. If it runs, it does not run again unless it is added again.
    pub(crate) fn forget(&self, uid: &str) {
        self.state().forget(uid);
    }

    /// The next object to run a pass for, as soon as there is one; `None` once the queue is closed.
    ///
    /// Dropping the future loses nothing.
    pub(crate) async fn next(self: &Arc<Self>) -> Option<Work> {
        loop {
            let mut changed = std::pin::pin!(self.changed.notified());
            // Registered before looking, so that an `add` in between wakes this task.
            changed.as_mut().enable();
            let due = {
                let mut state = self.state();
                if state.is_closed() {
                    return None;
                }
                let now = Instant::now();
                if let Some(start) = state.start(now) {
                    if !state.is_idle() {
                        // Another task that waits here may sleep towards a later time than what is left needs.
                        self.changed.notify_one();
                    }
                    return Some(Work::new(self.clone(), start));
                }
                state.next_due()
            };
            match due {
                Some(due) => tokio::select! { () = changed => {} () = sleep_until(due) => {} },
                None => changed.await,
            }
        }
    }

    /// How many objects are queued and due: neither the delayed nor the running ones.
    pub(crate) fn len(&self) -> usize {
        self.state().queued()
    }

    /// For how long the oldest of the present runs has run; zero if none does. It looks at all that is known.
    pub(crate) fn longest_run(&self) -> Duration {
        self.state()
            .oldest_run()
            .map(|since| since.elapsed())
            .unwrap_or_default()
    }

    /// How many objects run.
    pub(crate) fn running(&self) -> usize {
        self.state().running()
    }

    /// Ends the queue: [`next`](Self::next) gives `None` from now on, what is queued or delayed is dropped, and nothing is added any more.
    pub(crate) fn close(&self) {
        self.state().close();
        self.changed.notify_waiters();
    }

    fn done(&self, uid: &Uid, next: Option<(Duration, Trigger)>) {
        self.state().done(uid, next, Instant::now());
        self.changed.notify_one();
    }

    /// No lock is held across an await, and no code of others runs under it, so a poisoned lock is whole.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue")
            .field("queued", &self.len())
            .field("running", &self.running())
            .finish_non_exhaustive()
    }
}
