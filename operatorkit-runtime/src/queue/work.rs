//! One object that was taken from the queue, until its pass has ended.

use std::{fmt, sync::Arc, time::Duration};

use super::{Queue, Uid, state::Start};
use crate::context::{Trigger, Triggers};

/// When an object whose pass did not come to its end, through a panic of ours, runs again.
pub(super) const UNFINISHED: Duration = Duration::from_secs(30);

/// The right to run one object: nobody else gets it until [`done`](Self::done).
pub(crate) struct Work {
    queue: Arc<Queue>,
    start: Start,
    finished: bool,
}

impl Work {
    pub(super) fn new(queue: Arc<Queue>, start: Start) -> Self {
        Self {
            queue,
            start,
            finished: false,
        }
    }

    pub(crate) fn uid(&self) -> &Uid {
        &self.start.uid
    }

    /// All reasons that came together since the last pass.
    pub(crate) fn triggers(&self) -> Triggers {
        self.start.triggers
    }

    /// How long it was queued and due.
    pub(crate) fn queued_for(&self) -> Duration {
        self.start.queued_for
    }

    /// Ends the run. What came meanwhile queues the object again; if nothing did, it is delayed as `next` says.
    pub(crate) fn done(mut self, next: Option<(Duration, Trigger)>) {
        self.finished = true;
        self.queue.done(&self.start.uid, next);
    }
}

impl Drop for Work {
    /// Work that is dropped without an end, as by a panic, is not lost: it is done again after half a minute.
    fn drop(&mut self) {
        if !self.finished {
            self.queue.done(&self.start.uid, Some((UNFINISHED, Trigger::Retry)));
        }
    }
}

impl fmt::Debug for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Work").field(&self.start).finish()
    }
}
