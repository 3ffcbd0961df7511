//! Passes over one object, one at a time and when they are asked for: for benchmarks.

use std::{sync::Arc, time::Duration};

use anyhow::Context as _;
use tokio_util::sync::CancellationToken;

use super::run::start;
use crate::{
    app::{Env, RunSettings},
    context::Trigger,
    error::Result,
    executor::{Running, execute},
    operator::Operator,
    store::ObjectEntry,
};

/// An operator that runs passes over one object only when it is told to. Not for users: it changes without notice.
#[derive(Debug)]
pub struct SinglePasses<O: Operator> {
    running: Arc<Running<O>>,
    uid: Arc<str>,
    shutdown: CancellationToken,
}

impl<O: Operator> SinglePasses<O> {
    /// Starts the watches over the children, and waits until they are filled.
    ///
    /// # Errors
    /// If the graph cannot run, or the object has no UID.
    pub async fn new(resources: O::Resources, client: kube::Client, object: &O::Object) -> Result<Self> {
        let shutdown = CancellationToken::new();
        let env = Env::new(client, "single", &[]);
        let running = start::<O>(resources, &env, &RunSettings::default(), &shutdown, &shutdown)?;
        let object = serde_json::from_value(serde_json::to_value(object)?)?;
        let entry = ObjectEntry::new(object, &running.names, running.own).context("the object has no UID")?;
        let (entry, _) = running.objects.put(entry);
        for stored in &running.inventory.kinds {
            running
                .watches
                .ensure(&running.interned(stored.kind.clone()), stored.any_namespace);
        }
        running.watches.settled().await;
        Ok(Self {
            running,
            uid: entry.uid.clone(),
            shutdown,
        })
    }

    /// Runs a pass, and says when the next one is due.
    pub async fn run(&self) -> Option<Duration> {
        execute(&self.running, &self.uid, Trigger::Resync.into())
            .await
            .map(|(after, _)| after)
    }
}

impl<O: Operator> Drop for SinglePasses<O> {
    fn drop(&mut self) {
        self.shutdown.cancel();
    }
}
