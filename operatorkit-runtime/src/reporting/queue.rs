//! The thread that reports go to, so that no pass waits for a reporter.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::Context as _;

use super::{ErrorReport, ErrorReporter};
use crate::error::{Error, Result};

/// How many reports wait at most.
const WAITING_MAX: usize = 1024;
/// How long reporters may take at the end of the app.
pub(super) const END: Duration = Duration::from_secs(2);
/// How often is looked whether a full queue takes the wish to flush.
const LOOK: Duration = Duration::from_millis(10);

/// The way to the reporters; nothing where there are none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reports(Option<Arc<Queue>>);

#[derive(Debug)]
struct Queue {
    app: String,
    sender: SyncSender<Message>,
    /// It was full, and that was said.
    full: AtomicBool,
}

enum Message {
    Report(Box<ErrorReport>),
    /// Until then, and whom to tell.
    Flush(Instant, SyncSender<()>),
}

impl Reports {
    /// # Errors
    /// If no thread can be started.
    pub(crate) fn new(app: &str, reporters: Vec<Box<dyn ErrorReporter>>) -> Result<Self> {
        if reporters.is_empty() {
            return Ok(Self::default());
        }
        let (sender, receiver) = sync_channel(WAITING_MAX);
        // It ends with the last sender.
        let _thread = thread::Builder::new()
            .name("operatorkit-reports".to_owned())
            .spawn(move || carry(&receiver, &reporters))
            .context("cannot start the thread of the error reporters")?;
        Ok(Self(Some(Arc::new(Queue {
            app: app.to_owned(),
            sender,
            full: AtomicBool::new(false),
        }))))
    }

    /// Whether nobody is told.
    pub(crate) fn is_off(&self) -> bool {
        self.0.is_none()
    }

    /// Sends a report, if there is room.
    pub(crate) fn send(&self, report: ErrorReport) {
        let Some(queue) = &self.0 else { return };
        let report = ErrorReport {
            app: queue.app.clone(),
            ..report
        };
        let full = queue.sender.try_send(Message::Report(Box::new(report))).is_err();
        if full && !queue.full.swap(true, Ordering::Relaxed) {
            tracing::warn!("the error reporters are too slow: reports are dropped");
        } else if !full {
            queue.full.store(false, Ordering::Relaxed);
        }
    }

    /// Sends what ended the app, if something did, and waits until reporters are through, for two seconds at most.
    pub(crate) async fn end(&self, err: Option<&Error>) {
        let Some(queue) = self.0.clone() else { return };
        if let Some(err) = err {
            self.send(ErrorReport::new(err));
        }
        let flushed = tokio::task::spawn_blocking(move || queue.flush(END)).await;
        if !matches!(flushed, Ok(true)) {
            tracing::warn!("the error reporters did not end within {END:?}: reports may be lost");
        }
    }
}

impl Queue {
    fn flush(&self, limit: Duration) -> bool {
        let until = Instant::now() + limit;
        let (done, told) = sync_channel(1);
        let mut message = Message::Flush(until, done);
        loop {
            match self.sender.try_send(message) {
                Ok(()) => break,
                Err(TrySendError::Full(again)) if Instant::now() < until => message = again,
                Err(_) => return false,
            }
            thread::sleep(LOOK);
        }
        told.recv_timeout(until.saturating_duration_since(Instant::now()))
            .is_ok()
    }
}

/// Carries reports to the reporters until nobody sends any more.
fn carry(receiver: &Receiver<Message>, reporters: &[Box<dyn ErrorReporter>]) {
    let each = |call: &dyn Fn(&dyn ErrorReporter)| {
        for reporter in reporters {
            if catch_unwind(AssertUnwindSafe(|| call(&**reporter))).is_err() {
                tracing::error!("an error reporter panicked");
            }
        }
    };
    for message in receiver {
        match message {
            Message::Report(report) => each(&|reporter| reporter.report(&report)),
            Message::Flush(until, done) => {
                each(&|reporter| reporter.flush(until.saturating_duration_since(Instant::now())));
                // Who asked may have given up.
                let _told = done.try_send(());
            }
        }
    }
}
