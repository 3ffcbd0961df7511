//! Reading the log while the API server writes it.

use std::{
    fs::File,
    io::{Read as _, Seek as _, SeekFrom},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use anyhow::{Context as _, Result};
use http::Request;

use super::{Entry, Requests};
use crate::{
    driver::Driver,
    wait::{PATIENCE, wait_for},
};

/// The audit log of a [`ControlPlane`](crate::ControlPlane). Clones read the same log.
#[derive(Clone, Debug)]
pub struct AuditLog {
    path: PathBuf,
    driver: Driver,
    markers: Arc<AtomicU64>,
}

/// A point in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    offset: u64,
}

impl AuditLog {
    pub(crate) fn new(path: PathBuf, driver: Driver) -> Self {
        Self {
            path,
            driver,
            markers: Arc::default(),
        }
    }

    /// Now: every request that was answered before this call is before the mark, every one sent after it is behind it. One
    /// that is under way may be on either side.
    ///
    /// # Panics
    /// If the log cannot be read.
    pub async fn mark(&self) -> Mark {
        // The server writes an entry before the answer ends, so our own marker's entry is behind all that was answered before.
        let uri = self.send_marker().await;
        let start = Mark { offset: 0 };
        wait_for("the marker is in the audit log", PATIENCE, async || {
            let (bytes, entries) = self.read(start)?;
            entries
                .iter()
                .find(|entry| entry.uri == uri)
                .context("it is not there")?;
            Ok(Mark { offset: bytes })
        })
        .await
    }

    /// The requests after `mark`, up to now.
    ///
    /// # Panics
    /// If the log cannot be read.
    pub async fn since(&self, mark: Mark) -> Requests {
        let uri = self.send_marker().await;
        wait_for("the marker is in the audit log", PATIENCE, async || {
            let (_, entries) = self.read(mark)?;
            anyhow::ensure!(entries.iter().any(|entry| entry.uri == uri), "it is not there");
            Ok(Requests::new(
                entries.into_iter().filter(|entry| !is_marker(entry)).collect(),
            ))
        })
        .await
    }

    /// Waits for the first request after `mark` that `is` says yes to, and answers it.
    ///
    /// # Panics
    /// After `limit`, with `what` and the requests after `mark`.
    pub async fn wait_for(&self, mark: Mark, what: &str, limit: Duration, is: impl Fn(&Entry) -> bool) -> Entry {
        wait_for(what, limit, async || {
            let (_, entries) = self.read(mark)?;
            let requests = Requests::new(entries);
            let found = requests.iter().find(|entry| is(entry)).cloned();
            found.with_context(|| format!("none of the {} requests:\n{requests}", requests.len()))
        })
        .await
    }

    /// Sends a request that only serves to be found in the log, and answers its URI.
    async fn send_marker(&self) -> String {
        let uri = format!("{MARKER}{}", self.markers.fetch_add(1, Ordering::Relaxed));
        let asked = Request::get(&uri).body(Vec::new());
        let sent = self
            .driver
            .run(|admin| async move { Ok(admin.request_text(asked?).await?) })
            .await;
        if let Err(error) = sent {
            panic!("the API server does not answer the audit log's marker: {error:#}");
        }
        uri
    }

    /// The complete lines after `mark`, and where they end.
    fn read(&self, mark: Mark) -> Result<(u64, Vec<Entry>)> {
        let what = || format!("read {}", self.path.display());
        let mut file = File::open(&self.path).with_context(what)?;
        file.seek(SeekFrom::Start(mark.offset)).with_context(what)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).with_context(what)?;
        let complete = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        let entries = serde_json::Deserializer::from_slice(&text[..complete])
            .into_iter()
            .collect::<Result<_, _>>();
        Ok((mark.offset + u64::try_from(complete)?, entries.with_context(what)?))
    }
}

const MARKER: &str = "/readyz?operatorkit-marker=";

fn is_marker(entry: &Entry) -> bool {
    entry.uri.starts_with(MARKER)
}
