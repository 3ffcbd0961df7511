//! What is measured of one watch.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use tokio::time::Instant;

use super::Meter;

/// A watch over a kind, as its own task knows it. Dropping it ends its series, unless the task dies of a panic.
#[derive(Debug)]
pub(crate) struct WatchMeter {
    of: Arc<Meter>,
    watch: Arc<Watch>,
}

/// What is known of a watch.
#[derive(Debug)]
pub(super) struct Watch {
    pub(super) group: String,
    pub(super) kind: String,
    /// Empty for all namespaces.
    pub(super) namespace: String,
    state: Mutex<State>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) connected: bool,
    /// Since 1970; zero: nothing has come yet.
    pub(super) last_event: Duration,
    heard: Instant,
    /// Its task panicked: nobody will open it again.
    pub(super) dead: bool,
}

impl State {
    pub(super) fn age(&self) -> Duration {
        self.heard.elapsed()
    }

    /// What can be said of two watches with the same labels: as much as of the worse one.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            connected: self.connected && other.connected,
            last_event: self.last_event.min(other.last_event),
            heard: self.heard.min(other.heard),
            dead: self.dead || other.dead,
        }
    }
}

impl WatchMeter {
    pub(super) fn new(of: Arc<Meter>, group: &str, kind: &str, namespace: Option<&str>) -> Self {
        let watch = Arc::new(Watch {
            group: group.to_owned(),
            kind: kind.to_owned(),
            namespace: namespace.unwrap_or_default().to_owned(),
            state: Mutex::new(State {
                connected: false,
                last_event: Duration::ZERO,
                heard: Instant::now(),
                dead: false,
            }),
        });
        of.watches().push(watch.clone());
        Self { of, watch }
    }

    /// A list was read to its end.
    pub(crate) fn listed(&self) {
        self.watch.lock().heard = Instant::now();
    }

    pub(crate) fn opened(&self) {
        let mut state = self.watch.lock();
        state.connected = true;
        state.heard = Instant::now();
    }

    /// An event or a bookmark came.
    pub(crate) fn event(&self) {
        let mut state = self.watch.lock();
        state.last_event = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        state.heard = Instant::now();
    }

    pub(crate) fn closed(&self) {
        self.watch.lock().connected = false;
    }
}

impl Watch {
    pub(super) fn state(&self) -> State {
        *self.lock()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for WatchMeter {
    fn drop(&mut self) {
        if thread::panicking() {
            let mut state = self.watch.lock();
            state.connected = false;
            state.dead = true;
            return;
        }
        self.of.watches().retain(|watch| !Arc::ptr_eq(watch, &self.watch));
    }
}
