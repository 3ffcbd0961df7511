//! Holding one write of an operator at the API server: nothing before it is missing, and it is never carried out.

mod fault;
mod webhook;

use operatorkit_testing::{PATIENCE, Process};
use tokio::time::timeout;

use self::{fault::Hung, webhook::Webhook};
use crate::scene::Scene;

/// Holds the writes of the scene's user in its namespace.
pub(super) enum Gate {
    /// At the real server, by what they are about.
    Webhook(Webhook),
    /// At the embedded server, by their number.
    Fault(Hung),
}

impl Gate {
    /// `held` says for an object's name which write is held, by a CEL expression over an admission request.
    pub(super) async fn new(scene: &Scene, held: &[(String, String)]) -> Self {
        match scene.cluster.faults() {
            None => Self::Webhook(Webhook::new(scene, held).await),
            Some(faults) => Self::Fault(Hung::new(faults, scene)),
        }
    }

    /// From now on so many writes pass, and the next one is held.
    pub(super) fn close(&mut self, after: usize) {
        match self {
            // It knows the write when it comes.
            Self::Webhook(_) => {}
            Self::Fault(hung) => hung.hold(after),
        }
    }

    /// Waits until a write is held.
    pub(super) async fn reached(&mut self, process: &Process) {
        let held = async {
            match self {
                Self::Webhook(webhook) => webhook.reached().await,
                Self::Fault(hung) => hung.reached().await,
            }
        };
        let held = timeout(PATIENCE, held).await;
        assert!(held.is_ok(), "no write was held; the log:\n{}", process.log());
    }
}
