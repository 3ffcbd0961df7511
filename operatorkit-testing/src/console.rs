//! Lines for the person at the terminal, past the capture of the test harness.

use std::{
    io::Write as _,
    time::{Duration, Instant},
};

/// How often a thing that goes on says so.
const EVERY: Duration = Duration::from_secs(15);

/// Writes one line to standard error. The harness captures what the `print` macros write, but not this.
pub(crate) fn say(line: &str) {
    // Nobody to read it is no reason to fail.
    let _ = std::io::stderr()
        .lock()
        .write_all(format!("operatorkit-testing: {line}\n").as_bytes());
}

/// Who hears a line.
pub(crate) type Say = fn(&str);

/// Says what is being done, and again every 15 seconds for how long so far.
#[derive(Debug)]
pub(crate) struct Progress {
    what: String,
    say: Say,
    start: Instant,
    said: Option<Instant>,
}

impl Progress {
    pub(crate) fn new(what: String, say: Say) -> Self {
        Self {
            what,
            say,
            start: Instant::now(),
            said: None,
        }
    }

    /// To be called often.
    pub(crate) fn tick(&mut self) {
        match self.said {
            None => (self.say)(&self.what),
            Some(said) if said.elapsed() >= EVERY => {
                let short = self.what.split([':', '(']).next().unwrap_or_default().trim_end();
                (self.say)(&format!("{short} ({} s so far)", self.start.elapsed().as_secs()));
            }
            Some(_) => return,
        }
        self.said = Some(Instant::now());
    }
}
