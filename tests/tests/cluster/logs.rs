//! What an operator in process logs, for one test: its runtime is the test's own thread.

use std::{
    io,
    sync::{Arc, Mutex},
    time::Duration,
};

use operatorkit::anyhow::ensure;
use operatorkit_testing::wait_for;
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::{EnvFilter, fmt::MakeWriter};

/// The lines so far. Dropping it ends the capture.
pub(crate) struct Logs {
    lines: Lines,
    _capture: DefaultGuard,
}

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Logs {
    /// Captures what this thread logs, at every level; but for the transport, whose bytes nobody shows.
    pub(crate) fn capture() -> Self {
        let lines = Lines::default();
        let filter = EnvFilter::new("trace,h2=off,hyper=off,hyper_util=off,rustls=off,tower=off");
        let subscriber = tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_writer(lines.clone())
            .with_ansi(false)
            .finish();
        let capture = tracing::subscriber::set_default(subscriber);
        Self {
            lines,
            _capture: capture,
        }
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.lines.0.lock().expect("no panic")).into_owned()
    }

    /// Waits until a line contains all of these.
    pub(crate) async fn wait_for(&self, parts: &[&str], limit: Duration) -> String {
        let what = format!("a log line with {parts:?}");
        wait_for(&what, limit, async || {
            let text = self.text();
            let line = text.lines().find(|line| parts.iter().all(|part| line.contains(part)));
            ensure!(line.is_some(), "{}", without_trace(&text));
            Ok(line.unwrap_or_default().to_owned())
        })
        .await
    }
}

fn without_trace(text: &str) -> String {
    let lines = text
        .lines()
        .filter(|line| !line.contains("TRACE") && !line.contains("DEBUG"));
    lines.collect::<Vec<_>>().join("\n")
}

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}
