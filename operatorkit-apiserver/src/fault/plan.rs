//! The faults of a server, and which of them a request meets.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{effect::Effect, matching::Matching};
use crate::request::RequestInfo;

/// One fault: what goes wrong, for which requests, how often.
#[derive(Clone, Debug)]
pub struct Fault {
    matching: Matching,
    effect: Effect,
    skip: u64,
    times: Option<u64>,
}

impl Fault {
    /// A fault that every matching request meets.
    pub fn new(matching: Matching, effect: Effect) -> Self {
        Self {
            matching,
            effect,
            skip: 0,
            times: None,
        }
    }

    /// The first `skip` matching requests do not meet it.
    #[must_use]
    pub fn after(mut self, skip: u64) -> Self {
        self.skip = skip;
        self
    }

    /// Only this many requests meet it.
    #[must_use]
    pub fn times(mut self, times: u64) -> Self {
        self.times = Some(times);
        self
    }

    /// Only one request meets it.
    #[must_use]
    pub fn once(self) -> Self {
        self.times(1)
    }
}

/// Names a fault of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FaultId(u64);

/// The faults of a server. They can be changed at any time; a request meets those that are there when it comes.
#[derive(Debug, Default)]
pub struct Faults(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    next: u64,
    faults: Vec<(FaultId, Arc<Fault>, Count)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    seen: u64,
    met: u64,
}

impl Faults {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a fault. Where several match, all of them take effect, in the order in which they were added; the first that
    /// ends a request is the last.
    pub fn add(&self, fault: Fault) -> FaultId {
        let mut inner = self.lock();
        let id = FaultId(inner.next);
        inner.next += 1;
        inner.faults.push((id, Arc::new(fault), Count::default()));
        id
    }

    /// Takes a fault away; how many requests have met it.
    pub fn remove(&self, id: FaultId) -> u64 {
        let met = self.met(id);
        self.lock().faults.retain(|(it, ..)| *it != id);
        met
    }

    /// Takes all faults away.
    pub fn clear(&self) {
        self.lock().faults.clear();
    }

    /// How many requests have met a fault; 0 once it was taken away.
    pub fn met(&self, id: FaultId) -> u64 {
        let inner = self.lock();
        inner
            .faults
            .iter()
            .find(|(it, ..)| *it == id)
            .map_or(0, |(.., count)| count.met)
    }

    /// What a request meets.
    pub(crate) fn meet(&self, request: &RequestInfo) -> Vec<Effect> {
        let faults: Vec<_> = self
            .lock()
            .faults
            .iter()
            .map(|(id, fault, _)| (*id, fault.clone()))
            .collect();
        // Without the lock: a predicate may ask about the faults, or ask the server something.
        let matching = faults.into_iter().filter(|(_, fault)| fault.matching.matches(request));
        let matching: Vec<FaultId> = matching.map(|(id, _)| id).collect();
        let mut effects = Vec::new();
        let mut inner = self.lock();
        for (_, fault, count) in inner.faults.iter_mut().filter(|(id, ..)| matching.contains(id)) {
            count.seen += 1;
            if count.seen > fault.skip && fault.times.is_none_or(|times| count.met < times) {
                count.met += 1;
                effects.push(fault.effect.clone());
            }
        }
        effects
    }
}
