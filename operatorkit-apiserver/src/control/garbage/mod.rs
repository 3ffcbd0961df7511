//! The garbage collector: who owns what, and what goes when an owner goes (`kubernetes/pkg/controller/garbagecollector`).
//!
//! | module | what |
//! |---|---|
//! | [`graph`] | owners and dependents, as they were seen last |
//! | [`owners`] | which owners of an object are there, gone, or waiting for it |
//! | [`collect`] | what is done about one object |

mod collect;
mod graph;
mod owners;
#[cfg(test)]
mod tests;

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use self::{collect::Collector, graph::Graph};
use super::{client::Client, feed::Feed};
use crate::{
    core::Core,
    store::{Key, TableId},
};

/// Names an object.
pub(crate) type Item = (TableId, Key);

/// How long the collector waits after a request that failed.
const RETRY: Duration = Duration::from_millis(500);

/// Collects garbage until it is dropped.
pub(crate) async fn run(core: Arc<Core>, mut feed: Feed) {
    let collector = Collector::new(Client::new(core.clone(), "generic-garbage-collector"), core);
    let mut graph = Graph::default();
    let mut retry: BTreeSet<Item> = BTreeSet::new();
    loop {
        let mut due = BTreeSet::new();
        tokio::select! {
            changes = feed.next() => {
                for changed in &changes {
                    let object = collector.object(&changed.table, &changed.object);
                    due.extend(graph.update(changed, &object));
                }
                // An owner's kind may be served only now.
                if changes.iter().any(|changed| changed.table == collector.crds()) {
                    due.extend(std::mem::take(&mut retry));
                }
            }
            () = tokio::time::sleep(RETRY), if !retry.is_empty() => due.extend(std::mem::take(&mut retry)),
        }
        for item in due {
            if collector.attend(&graph, &item, feed.seen()).await.is_err() {
                retry.insert(item);
            }
        }
    }
}
