//! An endless watch over the objects of a kind.
//!
//! Not kube's `watcher`: that opens a watch that ends at once again and again without ever yielding, so nobody can slow it
//! down; it asks for ever with a version that HTTP calls gone; and it logs each try of a forbidden watch at `warn`.

mod health;
mod list;
mod stream;

use std::sync::Arc;

use kube::core::DynamicObject;
use tokio_util::sync::CancellationToken;
use tracing::{Instrument as _, info_span};

use self::{
    health::{Health, Stage},
    stream::End,
};
use super::{Cluster, Failure, Kind};

/// Who is told what a watch shows. Called in order, from one task; must not block.
pub(crate) trait Sink: Send + Sync {
    /// A list begins, from nothing; what an unfinished one has shown does not count.
    fn begin(&self);

    /// An object of the list.
    fn seen(&self, object: DynamicObject);

    /// The list is complete: what it has not shown is not there.
    fn filled(&self);

    /// An object was made or changed after the list.
    fn applied(&self, object: DynamicObject);

    /// An object was deleted, or no longer is what is watched.
    fn deleted(&self, object: DynamicObject);

    /// A try has failed; the next one follows by itself.
    fn failing(&self, failure: &Failure);

    /// What failed works again.
    fn recovered(&self);
}

/// Which objects of a kind a watch shows, and how much of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shown {
    /// A label selector.
    pub(crate) labels: Option<String>,
    /// A field selector.
    pub(crate) fields: Option<String>,
    /// Only the metadata: what the server sends is smaller, and holds no values of a Secret.
    pub(crate) metadata_only: bool,
}

impl Shown {
    /// Whole objects with these labels.
    pub(crate) fn labelled(labels: String) -> Self {
        Self {
            labels: Some(labels),
            ..Self::default()
        }
    }

    /// The metadata of all objects.
    pub(crate) fn metadata() -> Self {
        Self {
            metadata_only: true,
            ..Self::default()
        }
    }
}

/// Watches objects of a kind, in a namespace or in all, until the shutdown.
///
/// Lists in pages, then follows the changes, and lists again only if the server no longer has the version to go on from.
/// A failure is tried again within 0.4 s, later within 10 s, and logged once for each change of its text.
pub(crate) async fn watch<S: Sink + ?Sized>(
    cluster: Cluster,
    kind: Arc<Kind>,
    namespace: Option<String>,
    shown: Shown,
    sink: Arc<S>,
    shutdown: CancellationToken,
) {
    let health = Health::new(&kind, namespace.as_deref(), cluster.meter());
    let controller = cluster.meter().map(|meter| meter.controller());
    let span = info_span!("watch", controller);
    let mut watch = Watch {
        cluster,
        kind,
        namespace,
        shown,
        sink,
        health,
    };
    shutdown.run_until_cancelled(watch.run()).instrument(span).await;
}

struct Watch<S: ?Sized> {
    cluster: Cluster,
    kind: Arc<Kind>,
    namespace: Option<String>,
    shown: Shown,
    sink: Arc<S>,
    health: Health,
}

impl<S: Sink + ?Sized> Watch<S> {
    async fn run(&mut self) {
        loop {
            match self.list().await {
                Ok(version) => self.follow(version).await,
                Err(failure) => self.failed(Stage::List, &failure).await,
            }
        }
    }

    /// Follows the changes from a version, until only a new list helps.
    async fn follow(&mut self, mut version: String) {
        while self.health.may_go_on() {
            match self.stream(&mut version).await {
                End::Over => self.health.rest().await,
                End::Expired => return self.health.rest().await,
                End::Failed(stage, failure) => {
                    self.failed(stage, &failure).await;
                    // A kind that comes back has other objects.
                    if failure.is_not_served() {
                        return;
                    }
                }
            }
        }
    }

    async fn failed(&mut self, stage: Stage, failure: &Failure) {
        self.sink.failing(failure);
        self.health.failed(stage, failure);
        self.health.rest().await;
    }

    fn works(&mut self, stage: Stage) {
        if self.health.works(stage) {
            self.sink.recovered();
        }
    }
}

#[cfg(test)]
mod tests;
