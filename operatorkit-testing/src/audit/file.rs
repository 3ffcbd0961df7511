//! The log of the real API server: a file, read while it is written.

use std::{
    fs::File,
    io::{Read as _, Seek as _, SeekFrom},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use anyhow::{Context as _, Result};
use http::Request;

use super::{Entry, Requests, log::Mark};
use crate::{
    cluster::Driver,
    wait::{PATIENCE, wait_for},
};

/// A log that is written a moment after the answer: what was sent before is found by a marker behind it.
#[derive(Clone, Debug)]
pub(super) struct FileLog {
    path: PathBuf,
    driver: Driver,
    markers: Arc<AtomicU64>,
}

impl FileLog {
    pub(super) fn new(path: PathBuf, driver: Driver) -> Self {
        Self {
            path,
            driver,
            markers: Arc::default(),
        }
    }

    pub(super) async fn mark(&self) -> Mark {
        // The server writes an entry before the answer ends, so our own marker's entry is behind all that was answered before.
        let uri = self.send_marker().await;
        let start = Mark { at: 0 };
        wait_for("the marker is in the audit log", PATIENCE, async || {
            let (bytes, entries) = self.read(start)?;
            entries
                .iter()
                .find(|entry| entry.uri == uri)
                .context("it is not there")?;
            Ok(Mark { at: bytes })
        })
        .await
    }

    pub(super) async fn since(&self, mark: Mark) -> Requests {
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

    /// What is there already.
    pub(super) fn seen(&self, mark: Mark) -> Result<Requests> {
        let (_, entries) = self.read(mark)?;
        Ok(Requests::new(entries))
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
        file.seek(SeekFrom::Start(mark.at)).with_context(what)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).with_context(what)?;
        let complete = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        let entries = serde_json::Deserializer::from_slice(&text[..complete])
            .into_iter()
            .collect::<Result<_, _>>();
        Ok((mark.at + u64::try_from(complete)?, entries.with_context(what)?))
    }
}

const MARKER: &str = "/readyz?operatorkit-marker=";

fn is_marker(entry: &Entry) -> bool {
    entry.uri.starts_with(MARKER)
}
