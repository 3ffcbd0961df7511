//! What time it is: the wall clock at the start, and tokio's clock since, so that a test may pause it.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

/// The server's clock. With tokio's paused clock, its time stands still, too.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    started_at: Timestamp,
    started: Instant,
}

impl Clock {
    /// A clock that shows this time now.
    pub fn starting_at(started_at: Timestamp) -> Self {
        Self {
            started_at,
            started: Instant::now(),
        }
    }

    /// The time.
    pub fn now(&self) -> Timestamp {
        let passed = SignedDuration::try_from(self.started.elapsed()).unwrap_or(SignedDuration::MAX);
        self.started_at.saturating_add(passed).unwrap_or(Timestamp::MAX)
    }

    /// The time to the second, as Kubernetes writes it: `2026-12-02T10:00:00Z`.
    pub fn seconds(&self) -> String {
        seconds(self.now())
    }

    /// When this much time has passed.
    pub fn after(&self, wait: Duration) -> Instant {
        Instant::now() + wait
    }
}

/// A time to the second, as `metav1.Time` is written.
pub fn seconds(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
