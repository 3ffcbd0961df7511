//! One watch request, from its opening to its end.

use std::{pin::pin, time::Duration};

use futures::{Stream, StreamExt as _};
use kube::{
    api::WatchParams,
    core::{DynamicObject, WatchEvent},
};
use tokio::time::timeout;

use super::{Sink, Stage, Watch};
use crate::cluster::{
    Cluster, Failure, lean,
    requests::built,
    target::{Target, Verb},
};

/// How long the server is asked to keep a watch open; kube's client sets no limit above five minutes either.
const OPEN: Duration = Duration::from_secs(290);
/// A connection that is still silent this long after its end was due is dead.
const SILENT: Duration = Duration::from_secs(OPEN.as_secs() + 5);

type Event = Result<WatchEvent<DynamicObject>, Failure>;

/// Why a watch request is over.
pub(super) enum End {
    /// It ended, as all do; it goes on from the last version.
    Over,
    /// The server no longer has the version: list anew.
    Expired,
    Failed(Stage, Failure),
}

impl<S: Sink + ?Sized> Watch<S> {
    /// Delivers changes from `version` on, and moves it along.
    pub(super) async fn stream(&mut self, version: &mut String) -> End {
        let target = Target::all(Verb::Watch, &self.kind, self.namespace.as_deref());
        let params = WatchParams {
            label_selector: self.shown.labels.clone(),
            field_selector: self.shown.fields.clone(),
            timeout: u32::try_from(OPEN.as_secs()).ok(),
            bookmarks: true,
            ..WatchParams::default()
        };
        let request = Cluster::at(&target, &self.kind).and_then(|requests| {
            let request = if self.shown.metadata_only {
                requests.watch_metadata(&params, version)
            } else {
                requests.watch(&params, version)
            };
            built(&target, request)
        });
        let opened = match request {
            Ok(request) => self.cluster.stream(target.clone(), request).await,
            Err(failure) => Err(failure),
        };
        match opened {
            Ok(events) => self.take_all(target, events, version).await,
            Err(failure) => ended(Stage::Open, failure),
        }
    }

    pub(super) async fn take_all(
        &mut self,
        target: Target,
        events: impl Stream<Item = Event>,
        version: &mut String,
    ) -> End {
        self.health.opened();
        self.works(Stage::Open);
        let mut events = pin!(events);
        while let Ok(Some(event)) = timeout(SILENT, events.next()).await {
            let event = match event {
                Ok(WatchEvent::Error(status)) => Err(Failure::answered(target.clone(), &status)),
                event => event,
            };
            match event {
                Ok(event) => self.deliver(event, version),
                Err(failure) => return ended(Stage::Stream, failure),
            }
        }
        End::Over
    }

    fn deliver(&mut self, event: WatchEvent<DynamicObject>, version: &mut String) {
        let at = match &event {
            WatchEvent::Bookmark(bookmark) => Some(bookmark.metadata.resource_version.clone()),
            WatchEvent::Added(object) | WatchEvent::Modified(object) | WatchEvent::Deleted(object) => {
                object.metadata.resource_version.clone()
            }
            WatchEvent::Error(_) => None,
        };
        if let Some(at) = at.filter(|at| !at.is_empty()) {
            *version = at;
        }
        self.health.progressed();
        self.works(Stage::Stream);
        match event {
            WatchEvent::Added(object) | WatchEvent::Modified(object) => {
                self.sink.applied(lean::object(&self.kind, object));
            }
            WatchEvent::Deleted(object) => self.sink.deleted(lean::object(&self.kind, object)),
            WatchEvent::Bookmark(_) | WatchEvent::Error(_) => {}
        }
    }
}

/// 410 comes as an answer or within the stream, and means the same.
fn ended(stage: Stage, failure: Failure) -> End {
    if failure.is_expired() {
        End::Expired
    } else {
        End::Failed(stage, failure)
    }
}
