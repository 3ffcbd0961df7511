//! What the queue knows, and each of its steps as plain data in, data out: no clock and no lock of its own.

use std::{
    collections::{BTreeMap, HashMap, hash_map::Entry},
    time::Duration,
};

use tokio::time::Instant;

use super::Uid;
use crate::context::{Trigger, Triggers};

/// Everything that is queued, delayed or running.
#[derive(Debug, Default)]
pub(super) struct State {
    items: HashMap<Uid, Item>,
    /// The queue: tickets in the order in which they were drawn.
    ready: BTreeMap<u64, Uid>,
    /// The delays: by time, then by ticket. A sorted map, not a heap, so that a delay that is superseded is
    /// freed at once: every pass leaves one of minutes behind, and most are superseded.
    delays: BTreeMap<(Instant, u64), Uid>,
    tickets: u64,
    running: usize,
    closed: bool,
}

/// One object that is queued, delayed or running.
#[derive(Debug, Default)]
struct Item {
    running: bool,
    /// When the present run began, or the last one did.
    started: Option<Instant>,
    /// The running pass is the last, unless something is added.
    forgotten: bool,
    queued: Option<Queued>,
    delayed: Option<Delayed>,
}

/// Queued, or while the object runs: to be queued at the end.
#[derive(Clone, Copy, Debug)]
struct Queued {
    since: Instant,
    triggers: Triggers,
    /// The place in the queue; none while the object runs.
    ticket: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Delayed {
    place: (Instant, u64),
    trigger: Trigger,
}

/// What starts, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Start {
    pub(super) uid: Uid,
    pub(super) triggers: Triggers,
    pub(super) queued_for: Duration,
}

impl State {
    pub(super) fn add(&mut self, uid: Uid, trigger: Trigger, now: Instant) {
        if self.closed {
            return;
        }
        let item = self.items.entry(uid.clone()).or_default();
        item.forgotten = false;
        if let Some(delayed) = item.delayed.take() {
            self.delays.remove(&delayed.place);
        }
        if let Some(queued) = &mut item.queued {
            queued.triggers.add(trigger.into());
            return;
        }
        let ticket = (!item.running).then(|| draw(&mut self.tickets));
        item.queued = Some(Queued {
            since: now,
            triggers: trigger.into(),
            ticket,
        });
        if let Some(ticket) = ticket {
            self.ready.insert(ticket, uid);
        }
    }

    pub(super) fn add_after(&mut self, uid: Uid, delay: Duration, trigger: Trigger, now: Instant) {
        // A time that the clock cannot hold never comes.
        let Some(due) = now.checked_add(delay) else {
            return;
        };
        if delay.is_zero() {
            return self.add(uid, trigger, now);
        }
        if self.closed {
            return;
        }
        let item = self.items.entry(uid.clone()).or_default();
        item.forgotten = false;
        if item.queued.is_some() || item.delayed.is_some_and(|delayed| delayed.place.0 <= due) {
            return;
        }
        if let Some(later) = item.delayed.take() {
            self.delays.remove(&later.place);
        }
        let place = (due, draw(&mut self.tickets));
        item.delayed = Some(Delayed { place, trigger });
        self.delays.insert(place, uid);
    }

    pub(super) fn forget(&mut self, uid: &str) {
        let Some(item) = self.items.get_mut(uid) else {
            return;
        };
        if let Some(ticket) = item.queued.take().and_then(|queued| queued.ticket) {
            self.ready.remove(&ticket);
        }
        if let Some(delayed) = item.delayed.take() {
            self.delays.remove(&delayed.place);
        }
        if item.running {
            item.forgotten = true;
        } else {
            self.items.remove(uid);
        }
    }

    /// Takes the first of the queue, after queueing the delayed ones that are due.
    pub(super) fn start(&mut self, now: Instant) -> Option<Start> {
        self.queue_due(now);
        let (_, uid) = self.ready.pop_first()?;
        let item = self.items.get_mut(&uid)?;
        let queued = item.queued.take()?;
        item.running = true;
        item.started = Some(now);
        self.running += 1;
        Some(Start {
            uid,
            triggers: queued.triggers,
            queued_for: now.saturating_duration_since(queued.since),
        })
    }

    /// Ends a run, and queues or delays the object if there is a reason.
    pub(super) fn done(&mut self, uid: &Uid, next: Option<(Duration, Trigger)>, now: Instant) {
        let Some(item) = self.items.get_mut(uid).filter(|item| item.running) else {
            return;
        };
        item.running = false;
        self.running -= 1;
        let next = next.filter(|_| !item.forgotten);
        if let Some(queued) = &mut item.queued {
            let ticket = draw(&mut self.tickets);
            queued.ticket = Some(ticket);
            self.ready.insert(ticket, uid.clone());
        } else if let Some((delay, trigger)) = next {
            self.add_after(uid.clone(), delay, trigger, now);
        }
        self.free_if_unused(uid);
    }

    pub(super) fn close(&mut self) {
        self.closed = true;
        self.ready.clear();
        self.delays.clear();
        self.items.retain(|_, item| {
            item.queued = None;
            item.delayed = None;
            item.running
        });
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whether nothing is queued or delayed.
    pub(super) fn is_idle(&self) -> bool {
        self.ready.is_empty() && self.delays.is_empty()
    }

    pub(super) fn queued(&self) -> usize {
        self.ready.len()
    }

    /// When the oldest of the present runs began. It looks at all that is known.
    pub(super) fn oldest_run(&self) -> Option<Instant> {
        let running = self.items.values().filter(|item| item.running);
        running.filter_map(|item| item.started).min()
    }

    pub(super) fn running(&self) -> usize {
        self.running
    }

    /// When the earliest delay is over.
    pub(super) fn next_due(&self) -> Option<Instant> {
        self.delays.keys().next().map(|(due, _)| *due)
    }

    fn queue_due(&mut self, now: Instant) {
        while let Some(first) = self.delays.first_entry().filter(|first| first.key().0 <= now) {
            let ((due, _), uid) = first.remove_entry();
            if let Some(delayed) = self.items.get_mut(&uid).and_then(|item| item.delayed.take()) {
                // It has been waiting since its time came, not since somebody looked.
                self.add(uid, delayed.trigger, due);
            }
        }
    }

    fn free_if_unused(&mut self, uid: &Uid) {
        if let Entry::Occupied(item) = self.items.entry(uid.clone()) {
            let Item {
                running,
                queued,
                delayed,
                ..
            } = item.get();
            if !running && queued.is_none() && delayed.is_none() {
                item.remove();
            }
        }
    }

    /// How many objects are known at all.
    #[cfg(test)]
    pub(super) fn known(&self) -> usize {
        self.items.len().max(self.delays.len())
    }
}

fn draw(tickets: &mut u64) -> u64 {
    *tickets += 1;
    *tickets
}
