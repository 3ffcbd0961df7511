//! Repeats: which Event an utterance continues, and how often it was said.

use std::{collections::HashMap, time::Duration};

use tokio::time::Instant;

use super::{About, Said};

/// A repeat within this time is only counted.
const QUIET: Duration = Duration::from_secs(15);
/// Not heard for this long, a series is over (events.k8s.io: six minutes).
const OVER: Duration = Duration::from_mins(6);
const SERIES: usize = 4096;

#[derive(Debug, Default)]
pub(super) struct AllSeries(HashMap<Said, Series>);

/// One Event and its repeats.
#[derive(Debug)]
struct Series {
    event: String,
    count: i32,
    /// What the Event says of that.
    told: i32,
    heard: Instant,
    written: Instant,
}

/// What to do about something that was said.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// It is new.
    Create,
    /// It was said this often: tell the Event of that name.
    Repeat(String, i32),
    /// It was told a moment ago.
    Nothing,
}

impl AllSeries {
    pub(super) fn next(&mut self, said: &Said) -> Next {
        let now = Instant::now();
        let Some(series) = self
            .0
            .get_mut(said)
            .filter(|series| now.duration_since(series.heard) < OVER)
        else {
            return Next::Create;
        };
        series.count = series.count.saturating_add(1);
        series.heard = now;
        if now.duration_since(series.written) < QUIET {
            return Next::Nothing;
        }
        series.written = now;
        series.told = series.count;
        Next::Repeat(series.event.clone(), series.count)
    }

    pub(super) fn created(&mut self, said: Said, event: String) {
        let now = Instant::now();
        if self.0.len() >= SERIES {
            self.0.retain(|_, series| now.duration_since(series.heard) < OVER);
            if self.0.len() >= SERIES {
                self.0.clear();
            }
        }
        self.0.insert(
            said,
            Series {
                event,
                count: 1,
                told: 1,
                heard: now,
                written: now,
            },
        );
    }

    /// The Events whose last repeats have only been counted, those that were told longest ago first.
    pub(super) fn owed(&mut self) -> Vec<(About, String, i32)> {
        let mut owed: Vec<_> = self
            .0
            .iter_mut()
            .filter(|(_, series)| series.told < series.count)
            .collect();
        owed.sort_unstable_by_key(|(_, series)| series.written);
        let owed = owed.into_iter().map(|(said, series)| {
            series.told = series.count;
            (said.about.clone(), series.event.clone(), series.count)
        });
        owed.collect()
    }

    pub(super) fn forget(&mut self, said: &Said) {
        self.0.remove(said);
    }
}
