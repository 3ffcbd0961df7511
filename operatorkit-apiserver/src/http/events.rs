//! The events of a watch as a body: a line of JSON for each.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use bytes::Bytes;
use futures::{Stream, stream};
use tokio::time::{Instant, sleep_until};

use super::{
    body::Dropped,
    form::Form,
    interfere::{Interferer, Then},
};
use crate::{
    core::Core,
    failure::Failure,
    fault::Interference,
    request::RequestInfo,
    tap::Entry,
    verbs::watch::{Event, Watching},
};

/// A watch, and the form of its events.
pub(super) struct Watched {
    pub(super) watching: Watching,
    pub(super) form: Form,
}

/// What disturbs the stream, and where its events are recorded.
pub(super) struct Spoiled {
    pub(super) core: Arc<Core>,
    pub(super) info: Arc<RequestInfo>,
    pub(super) number: u64,
    pub(super) interferences: Vec<Interference>,
}

struct State {
    watched: Watched,
    core: Arc<Core>,
    info: Arc<RequestInfo>,
    number: u64,
    interferer: Interferer,
    then: Then,
    /// What comes late, and when.
    late: VecDeque<(Instant, Step)>,
}

/// How a watch goes on.
enum Step {
    Events(Vec<Event>),
    End,
    Break,
}

/// The lines of a watch, several at once where they are there.
pub(super) fn stream(watched: Watched, spoiled: Spoiled) -> impl Stream<Item = Result<Bytes, Dropped>> + Send {
    let interferer = Interferer::new(spoiled.interferences);
    let state = State {
        watched,
        core: spoiled.core,
        info: spoiled.info,
        number: spoiled.number,
        then: interferer.at_start(),
        interferer,
        late: VecDeque::new(),
    };
    stream::unfold(Some(state), |state| async {
        let mut state = state?;
        let step = match state.interferer.late() {
            Some(wait) => state.late_step(wait).await,
            None => state.step().await,
        };
        match step {
            Step::Events(events) => Some((Ok(state.lines(&events)), Some(state))),
            Step::End => None,
            Step::Break => Some((Err(Dropped), None)),
        }
    })
}

impl State {
    /// The next step. Nothing is lost if it is not waited for to its end.
    async fn step(&mut self) -> Step {
        match self.then {
            Then::On => match self.events().await {
                Step::Events(_) if !self.watched.form.has_events() => Step::End,
                step => step,
            },
            Then::End => Step::End,
            Then::Break => Step::Break,
            Then::Silence => {
                self.core.shutdown.cancelled().await;
                Step::End
            }
            Then::Expire => {
                self.then = Then::End;
                Step::Events(vec![Event::Error(Failure::expired(
                    "too old resource version: injected",
                ))])
            }
        }
    }

    /// The next step, this much later than it is.
    async fn late_step(&mut self, wait: Duration) -> Step {
        let core = self.core.clone();
        loop {
            let ended = matches!(self.late.back(), Some((_, Step::End | Step::Break)));
            let due = self.late.front().map(|(due, _)| *due);
            tokio::select! {
                biased;
                () = core.shutdown.cancelled() => return Step::End,
                () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => {
                    return self.late.pop_front().map_or(Step::End, |(_, step)| step);
                }
                step = self.step(), if !ended => self.late.push_back((Instant::now() + wait, step)),
            }
        }
    }

    /// Events that are left after the interference.
    async fn events(&mut self) -> Step {
        loop {
            let events = tokio::select! {
                biased;
                () = self.core.shutdown.cancelled() => Vec::new(),
                events = self.watched.watching.next() => events,
            };
            if events.is_empty() {
                return Step::End;
            }
            let (left, then) = self.interferer.disturb(events);
            let goes_on = matches!(then, Then::On);
            self.then = then;
            if !left.is_empty() || !goes_on {
                return Step::Events(left);
            }
        }
    }

    fn lines(&mut self, events: &[Event]) -> Bytes {
        let mut lines = Vec::new();
        for event in events {
            let start = lines.len();
            self.watched.form.write_event(&mut lines, event);
            self.core
                .tap
                .record(self.number, self.core.clock.now(), || Entry::Event {
                    info: self.info.clone(),
                    event: Bytes::copy_from_slice(&lines[start..]),
                });
        }
        lines.into()
    }
}
