//! The audit log of either server.

use std::{path::PathBuf, time::Duration};

use anyhow::{Context as _, Result};
use operatorkit_apiserver::ApiServer;

use super::{Entry, Requests, file::FileLog, tap::TapLog};
use crate::{cluster::Driver, wait::wait_for};

/// The audit log of a [`Cluster`](crate::Cluster). Clones read the same log.
#[derive(Clone, Debug)]
pub struct AuditLog {
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    File(FileLog),
    Tap(TapLog),
}

/// A point in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    /// A number of bytes or of records.
    pub(super) at: u64,
}

impl AuditLog {
    pub(crate) fn in_file(path: PathBuf, driver: Driver) -> Self {
        Self {
            source: Source::File(FileLog::new(path, driver)),
        }
    }

    pub(crate) fn of_tap(server: ApiServer) -> Self {
        Self {
            source: Source::Tap(TapLog::new(server)),
        }
    }

    /// Now: every request that was answered before this call is before the mark, every one sent after it is behind it. One
    /// that is under way may be on either side.
    ///
    /// # Panics
    /// If the log cannot be read.
    pub async fn mark(&self) -> Mark {
        match &self.source {
            Source::File(log) => log.mark().await,
            Source::Tap(log) => log.mark(),
        }
    }

    /// The requests after `mark`, up to now.
    ///
    /// # Panics
    /// If the log cannot be read, or is not kept so long.
    pub async fn since(&self, mark: Mark) -> Requests {
        match &self.source {
            Source::File(log) => log.since(mark).await,
            Source::Tap(log) => log.since(mark),
        }
    }

    /// Waits for the first request after `mark` that `is` says yes to, and answers it.
    ///
    /// # Panics
    /// After `limit`, with `what` and the requests after `mark`.
    pub async fn wait_for(&self, mark: Mark, what: &str, limit: Duration, is: impl Fn(&Entry) -> bool) -> Entry {
        wait_for(what, limit, async || {
            let requests = self.seen(mark)?;
            let found = requests.iter().find(|entry| is(entry)).cloned();
            found.with_context(|| format!("none of the {} requests:\n{requests}", requests.len()))
        })
        .await
    }

    fn seen(&self, mark: Mark) -> Result<Requests> {
        match &self.source {
            Source::File(log) => log.seen(mark),
            Source::Tap(log) => Ok(log.since(mark)),
        }
    }
}
