//! How a watch fares: how long it rests before it tries again, and what is said about it.

use std::{sync::Arc, time::Duration};

use backon::{BackoffBuilder as _, ExponentialBackoff, ExponentialBuilder};
use tokio::time::{Instant, sleep};

use crate::cluster::{
    Failure, Kind,
    target::{Target, Verb},
};
use crate::metrics::{Meter, WatchMeter};

/// How far a try came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    List,
    Open,
    Stream,
}

/// A watch that was open this long was a good one.
const GOOD: Duration = Duration::from_secs(5);
/// How many answers in a row that bring nothing lead to a new list: the version itself may be what is wrong.
const TRIES: u32 = 5;

pub(super) struct Health {
    /// What is watched, for the log.
    what: String,
    backoff: ExponentialBackoff,
    /// Since when a watch has been open.
    since: Option<Instant>,
    /// Answers in a row that brought nothing.
    idle: u32,
    /// What is wrong, and how far that try came.
    trouble: Option<(Stage, Failure)>,
    meter: Option<WatchMeter>,
}

impl Health {
    pub(super) fn new(kind: &Kind, namespace: Option<&str>, meter: Option<&Arc<Meter>>) -> Self {
        let what = Target::all(Verb::Watch, kind, namespace).to_string();
        Self {
            what,
            backoff: backoff(),
            since: None,
            idle: 0,
            trouble: None,
            meter: meter.map(|meter| meter.watch(&kind.group, &kind.kind, namespace)),
        }
    }

    /// There is a new version to go on from. The backoff stays: a list alone proves nothing.
    pub(super) fn listed(&mut self) {
        self.idle = 0;
        self.meter.iter().for_each(WatchMeter::listed);
    }

    pub(super) fn opened(&mut self) {
        self.since = Some(Instant::now());
        self.meter.iter().for_each(WatchMeter::opened);
    }

    /// Something came.
    pub(super) fn progressed(&mut self) {
        self.meter.iter().for_each(WatchMeter::event);
        self.good();
    }

    fn good(&mut self) {
        self.backoff = backoff();
        self.idle = 0;
    }

    /// Whether the version that is followed can still be trusted.
    pub(super) fn may_go_on(&self) -> bool {
        self.idle < TRIES
    }

    /// Between two tries: longer and longer while nothing comes of them.
    pub(super) async fn rest(&mut self) {
        self.meter.iter().for_each(WatchMeter::closed);
        if self.since.take().is_some_and(|since| since.elapsed() >= GOOD) {
            self.good();
            return;
        }
        self.idle += 1;
        if let Some(pause) = self.backoff.next() {
            sleep(pause).await;
        }
    }

    /// Says what is wrong, once for each change of it.
    pub(super) fn failed(&mut self, stage: Stage, failure: &Failure) {
        // An API server that is away says nothing about the version.
        if failure.is_unreachable() {
            self.idle = 0;
        }
        let remedy = failure.remedy().map(|remedy| format!(": {remedy}")).unwrap_or_default();
        if self.trouble.as_ref().is_some_and(|(_, known)| known.is_like(failure)) {
            tracing::debug!("{failure}{remedy}; it still fails");
        } else {
            tracing::warn!("{failure}{remedy}; it is tried again until it works");
        }
        self.trouble = Some((stage, failure.clone()));
    }

    /// A stage was passed. Returns whether that ends a trouble.
    pub(super) fn works(&mut self, stage: Stage) -> bool {
        let over = self.trouble.take_if(|(failed, _)| *failed <= stage).is_some();
        if over {
            tracing::info!("{}: it works again", self.what);
        }
        over
    }
}

/// 0.2 to 0.4 s first, so that a kind that was just installed is seen soon, then up to 5 to 10 s.
fn backoff() -> ExponentialBackoff {
    let (first, last) = (Duration::from_millis(200), Duration::from_secs(5));
    ExponentialBuilder::new()
        .with_min_delay(first)
        .with_max_delay(last)
        .with_jitter()
        .without_max_times()
        .build()
}
