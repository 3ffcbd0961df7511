//! Kubernetes Events: written in the background, a few for each object, repeats as one with a count.

mod budget;
mod limits;
mod post;
mod series;

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use k8s_openapi::api::core::v1::ObjectReference;
use tokio::{sync::mpsc, time::sleep};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use self::post::Writer;
use super::Cluster;

pub(crate) use kube::runtime::events::EventType;

/// How many Events wait to be written, at most.
const QUEUE: usize = 1024;
/// How long the rest may take at the end.
const FLUSH: Duration = Duration::from_secs(2);

/// Writes Events to events.k8s.io; cheap to clone.
///
/// kube's `Recorder` is not used: it takes Events that differ in their note for repeats and drops the newer notes.
#[derive(Clone)]
pub(crate) struct Events {
    queue: mpsc::Sender<Said>,
    dropped: Arc<AtomicU64>,
    task: TaskTracker,
}

/// What was said about an object, within the limits of the API.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Said {
    about: About,
    warning: bool,
    reason: String,
    note: String,
    action: String,
}

/// The object that an Event is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct About {
    api_version: Option<String>,
    kind: Option<String>,
    namespace: Option<String>,
    name: Option<String>,
    uid: Option<String>,
}

impl Events {
    /// Starts the task that writes; `controller` is shown as the reporter.
    ///
    /// The token is to be cancelled after the last pass: what is queued then is still written, and so are the counts of repeats, for two
    /// seconds at most.
    pub(crate) fn new(cluster: Cluster, controller: &str, shutdown: CancellationToken) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE);
        let dropped = Arc::<AtomicU64>::default();
        let task = TaskTracker::new();
        task.spawn(write(
            Writer::new(cluster, controller),
            waiting,
            dropped.clone(),
            shutdown,
        ));
        task.close();
        Self { queue, dropped, task }
    }

    /// Publishes an Event about an object. Never waits, never fails.
    ///
    /// The API takes 128 bytes of reason and of action and 1024 of note; more is cut. `reason` becomes CamelCase.
    pub(crate) fn publish(
        &self,
        about: ObjectReference,
        type_: EventType,
        reason: &str,
        note: impl Into<String>,
        action: &str,
    ) {
        let ObjectReference {
            api_version,
            kind,
            namespace,
            name,
            uid,
            ..
        } = about;
        let said = Said {
            about: About {
                api_version,
                kind,
                namespace,
                name,
                uid,
            },
            warning: type_ == EventType::Warning,
            reason: limits::word(reason),
            note: limits::note(note.into()),
            action: limits::word(action),
        };
        if self.queue.try_send(said).is_err() {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Until everything is written after the shutdown.
    pub(crate) async fn flushed(&self) {
        self.task.wait().await;
    }
}

async fn write(
    mut writer: Writer,
    mut queue: mpsc::Receiver<Said>,
    dropped: Arc<AtomicU64>,
    shutdown: CancellationToken,
) {
    let all = async {
        while let Some(said) = next(&mut queue, &shutdown).await {
            let lost = dropped.swap(0, Ordering::Relaxed);
            if lost > 0 {
                tracing::warn!(lost, "Events were dropped: the API server takes them too slowly");
            }
            writer.write(said).await;
        }
        writer.settle().await;
    };
    let limit = async {
        shutdown.cancelled().await;
        sleep(FLUSH).await;
    };
    tokio::select! {
        () = all => {}
        () = limit => tracing::debug!("Events were left unwritten at the shutdown"),
    }
}

/// What is to be written next; after the shutdown, only what is queued already.
async fn next(queue: &mut mpsc::Receiver<Said>, shutdown: &CancellationToken) -> Option<Said> {
    if let Some(said) = shutdown.run_until_cancelled(queue.recv()).await {
        return said;
    }
    queue.close();
    queue.recv().await
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Events")
            .field("waiting", &(QUEUE - self.queue.capacity()))
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
