//! What has happened in a run: the lines of its timeline, what the judge was shown, and when it was quiet last.

use std::time::Duration;

use bytes::Bytes;
use http::StatusCode;
use tokio::time::Instant;

use super::{Stage, State};
use crate::explorer::{
    judge::{Author, Judge},
    run::{
        request::{Asked, Verb, is_aside},
        stage::Line,
    },
};

impl Stage {
    pub(in crate::explorer::run) fn watches(&self, resource: &str) {
        self.state().judge.history.watches.insert(resource.to_owned());
    }

    /// Shows the judge what has changed.
    pub(in crate::explorer::run) fn look(&self, by_operator: bool) {
        let mut state = self.state();
        let author = if by_operator { Author::Operator } else { Author::Others };
        let now = self.began.elapsed();
        if self.server.resource_version() > state.seen {
            let changes = self.server.changes_since(state.seen);
            state.seen = self.server.resource_version();
            for change in &changes {
                if is_aside(&change.resource) {
                    continue;
                }
                state.active = Instant::now();
                if let Some(text) = state.judge.change(change, author, now) {
                    state.line(self.began, text);
                }
            }
        }
        let changed = state.judge.outside(self.outside.things(), now);
        if !changed.is_empty() {
            state.active = Instant::now();
        }
        for text in changed {
            state.line(self.began, text);
        }
    }

    /// The line of a request, until its answer comes.
    pub(in crate::explorer::run) fn says_request(&self, asked: &Asked) -> usize {
        let mut state = self.state();
        if asked.verb == Verb::Write {
            state.active = Instant::now();
        }
        if matches!(asked.verb, Verb::Aside | Verb::Watch) {
            return usize::MAX;
        }
        state.line(self.began, format!("operator   {}", asked.what));
        state.lines.len() - 1
    }

    pub(in crate::explorer::run) fn answered(&self, asked: &Asked, line: usize, status: Option<StatusCode>) {
        let mut state = self.state();
        let code = status.map_or_else(|| "no answer".to_owned(), |status| status.as_u16().to_string());
        if let Some(line) = state.lines.get_mut(line) {
            line.text.push_str(" -> ");
            line.text.push_str(&code);
        }
        if let Some(status) = status.filter(|_| asked.verb == Verb::Write) {
            state.judge.answered(&asked.what, status);
        }
    }

    /// A write that is refused by the plan.
    pub(in crate::explorer::run) fn refused(&self, what: &str, body: &Bytes) {
        self.state().judge.refused(what, body);
    }

    pub(in crate::explorer::run) fn say(&self, text: impl FnOnce() -> String) {
        self.state().line(self.began, text());
    }

    /// Somebody will act later.
    pub(in crate::explorer::run) fn pending(&self, add: bool) {
        let mut state = self.state();
        state.active = Instant::now();
        state.pending = if add { state.pending + 1 } else { state.pending - 1 };
    }

    /// How long nothing has happened; `None` while somebody has still something to do.
    pub(in crate::explorer::run) fn quiet_for(&self) -> Option<Duration> {
        let state = self.state();
        (state.pending == 0).then(|| state.active.elapsed())
    }

    /// Whether the judge has found something.
    pub(in crate::explorer::run) fn is_broken(&self) -> bool {
        !self.state().judge.violations.is_empty()
    }

    /// A rule does not hold.
    pub(in crate::explorer::run) fn found(&self, rule: &'static str, seen: String) {
        let at = self.elapsed();
        self.with_judge(|judge| judge.found(at, rule, seen));
    }

    pub(in crate::explorer::run) fn with_judge<T>(&self, does: impl FnOnce(&mut Judge) -> T) -> T {
        does(&mut self.state().judge)
    }

    /// How long the run has gone on.
    pub(in crate::explorer::run) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }
}

impl State {
    pub(super) fn line(&mut self, began: Instant, text: String) {
        self.lines.push(Line {
            at: began.elapsed(),
            text,
        });
    }
}
