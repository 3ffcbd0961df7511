//! The row of a resource.

use crate::status::{Phase, ResourceStatus};

/// How a resource is.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) name: &'static str,
    turns: [usize; 2],
    width: usize,
    state: String,
    why: String,
}

impl Row {
    /// `width` is that of the longest name.
    pub(super) fn new(name: &'static str, turns: [usize; 2], width: usize) -> Self {
        Self {
            name,
            turns,
            width,
            state: Phase::Pending.as_str().to_owned(),
            why: String::new(),
        }
    }

    /// When its turn comes.
    pub(super) fn turn(&self, backwards: bool) -> usize {
        self.turns[usize::from(backwards)]
    }

    /// Nothing is there yet.
    pub(super) fn reset(&mut self) {
        Phase::Pending.as_str().clone_into(&mut self.state);
        self.why.clear();
    }

    /// It is being worked on. What is as it should be is only looked at again.
    pub(super) fn begin(&mut self, backwards: bool) {
        if backwards && self.state != Phase::Deleted.as_str() {
            Phase::Deleting.as_str().clone_into(&mut self.state);
        } else if !backwards && self.state == Phase::Pending.as_str() {
            "Working".clone_into(&mut self.state);
        }
    }

    /// It is like this now; whether that is new.
    pub(super) fn set(&mut self, line: &ResourceStatus) -> bool {
        let why = match (line.reason.as_str(), line.message.as_str()) {
            ("", why) | (why, "") => why.to_owned(),
            (reason, message) => format!("{reason}: {message}"),
        };
        let new = (&self.state, &self.why) != (&line.phase, &why);
        line.phase.clone_into(&mut self.state);
        self.why = why;
        new
    }

    /// A line that stands for itself.
    pub(super) fn line(&self, backwards: bool) -> String {
        let way = if backwards { "down" } else { "up" };
        format!("{way:<4} {}", self.text(backwards))
    }

    /// A row of a table, in colours.
    pub(super) fn cells(&self, backwards: bool) -> String {
        let colour = match self.state.as_str() {
            "Ready" => "\x1b[32m",
            "Failed" | "Cancelled" => "\x1b[31m",
            "Working" | "Waiting" | "Deleting" => "\x1b[33m",
            _ => "\x1b[2m",
        };
        format!("  {colour}{}\x1b[0m", self.text(backwards))
    }

    fn text(&self, backwards: bool) -> String {
        let Self {
            name,
            width,
            state,
            why,
            ..
        } = self;
        let text = format!("{:>2}  {name:<width$}  {state:<8}  {why}", self.turn(backwards));
        // What a resource says may have lines of its own, and more.
        text.replace(char::is_control, " ").trim_end().to_owned()
    }
}
