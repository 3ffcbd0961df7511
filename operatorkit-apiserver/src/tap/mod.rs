//! What was asked and answered, in order, for assertions.

mod record;

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

use bytes::Bytes;
use tokio::sync::watch;

pub use record::{Entry, Record};

/// Records every request, every answer and every event of a watch, in order. It keeps the last ones, as many as it is told to.
#[derive(Debug)]
pub struct Tap {
    inner: Mutex<Inner>,
    capacity: usize,
    brief: bool,
    wake: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct Inner {
    next: u64,
    requests: u64,
    records: VecDeque<Record>,
}

impl Tap {
    /// A tap that keeps this many records; 0 records nothing. A brief one keeps of what is sent only the code.
    pub(crate) fn new(capacity: usize, brief: bool) -> Self {
        Self {
            inner: Mutex::default(),
            capacity,
            brief,
            wake: watch::Sender::new(0),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether anything is recorded.
    pub fn is_on(&self) -> bool {
        self.capacity > 0
    }

    /// The number of the next record: what [`since`](Self::since) takes later.
    pub fn mark(&self) -> u64 {
        self.lock().next
    }

    /// The records from a mark on, as far as they are still kept.
    pub fn since(&self, mark: u64) -> Vec<Record> {
        let inner = self.lock();
        inner
            .records
            .iter()
            .filter(|record| record.number >= mark)
            .cloned()
            .collect()
    }

    /// All records that are kept.
    pub fn all(&self) -> Vec<Record> {
        self.since(0)
    }

    /// Waits until there is a record from a mark on that is the one; that record.
    pub async fn wait_for(&self, mark: u64, mut is_it: impl FnMut(&Record) -> bool) -> Record {
        let mut wake = self.wake.subscribe();
        let mut from = mark;
        loop {
            let records = self.since(from);
            from = records.last().map_or(from, |last| last.number + 1);
            if let Some(found) = records.into_iter().find(&mut is_it) {
                return found;
            }
            if wake.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// The number of a new request, which its answer and its events repeat.
    pub(crate) fn request(&self) -> u64 {
        let mut inner = self.lock();
        inner.requests += 1;
        inner.requests
    }

    /// Records something.
    pub(crate) fn record(&self, request: u64, at: jiff::Timestamp, entry: impl FnOnce() -> Entry) {
        if !self.is_on() {
            return;
        }
        let mut entry = entry();
        match &mut entry {
            Entry::Answer { body, .. } if self.brief => *body = Bytes::new(),
            Entry::Event { .. } if self.brief => return,
            _ => {}
        }
        let mut inner = self.lock();
        let number = inner.next;
        inner.next += 1;
        inner.records.push_back(Record {
            number,
            request,
            at,
            entry,
        });
        if inner.records.len() > self.capacity {
            inner.records.pop_front();
        }
        drop(inner);
        self.wake.send_replace(number);
    }
}
