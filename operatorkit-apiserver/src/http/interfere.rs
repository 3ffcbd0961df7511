//! Faults in the events of a watch.

use std::time::Duration;

use crate::{fault::Interference, verbs::watch::Event};

/// What happens to the stream after some events.
pub(super) enum Then {
    /// It goes on.
    On,
    /// It ends in order.
    End,
    /// The connection breaks.
    Break,
    /// Nothing comes any more.
    Silence,
    /// It says 410 and ends.
    Expire,
}

/// Counts the events of one watch, and disturbs them.
pub(super) struct Interferer {
    interferences: Vec<Interference>,
    /// How many events there were, bookmarks apart.
    seen: u64,
}

impl Interferer {
    pub(super) fn new(interferences: Vec<Interference>) -> Self {
        Self { interferences, seen: 0 }
    }

    /// How much later the events come.
    pub(super) fn late(&self) -> Option<Duration> {
        self.interferences.iter().find_map(|interference| match interference {
            Interference::Late(wait) => Some(*wait),
            _ => None,
        })
    }

    /// What happens before the first event.
    pub(super) fn at_start(&self) -> Then {
        self.then()
    }

    /// The events that are left, and what happens after them.
    pub(super) fn disturb(&mut self, events: Vec<Event>) -> (Vec<Event>, Then) {
        let events = if self.interferences.contains(&Interference::Coalesce) {
            coalesce(events)
        } else {
            events
        };
        let mut left = Vec::new();
        for event in events {
            if !matches!(event, Event::Added(_) | Event::Modified(_) | Event::Deleted(_)) {
                left.push(event);
                continue;
            }
            self.seen += 1;
            if !self.is_omitted() {
                left.push(event);
            }
            let then = self.then();
            if !matches!(then, Then::On) {
                return (left, then);
            }
        }
        (left, Then::On)
    }

    fn is_omitted(&self) -> bool {
        let mut omitted = self.interferences.iter();
        omitted.any(|interference| matches!(interference, Interference::Omit(events) if events.contains(&self.seen)))
    }

    fn then(&self) -> Then {
        for interference in &self.interferences {
            match interference {
                Interference::EndAfter(events) if self.seen >= *events => return Then::End,
                Interference::BreakAfter(events) if self.seen >= *events => return Then::Break,
                Interference::SilentAfter(events) if self.seen >= *events => return Then::Silence,
                Interference::ExpireAfter(events) if self.seen >= *events => return Then::Expire,
                _ => {}
            }
        }
        Then::On
    }
}

/// Of several events of one object the last stays, in its place.
fn coalesce(events: Vec<Event>) -> Vec<Event> {
    let mut last: Vec<Event> = Vec::new();
    for event in events.into_iter().rev() {
        let again = last.iter().any(|later| match (later.object(), event.object()) {
            (Some(later), Some(event)) => later.key() == event.key(),
            _ => false,
        });
        if !again {
            last.push(event);
        }
    }
    last.reverse();
    last
}
