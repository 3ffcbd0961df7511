//! A fault of the embedded server: it neither carries out nor answers a request.

use std::time::Duration;

use operatorkit_testing::apiserver::fault::{Effect, Fault, FaultId, Faults, Matching};
use tokio::time::sleep;

use crate::scene::Scene;

/// Holds one write, Events apart.
pub(in crate::crash) struct Hung {
    faults: &'static Faults,
    writes: Matching,
    held: Option<FaultId>,
}

impl Hung {
    pub(super) fn new(faults: &'static Faults, scene: &Scene) -> Self {
        let writes = Matching::writes().user(&scene.user).namespace(&scene.namespace);
        Self {
            faults,
            writes: writes.when(|request| request.attributes.resource != "events"),
            held: None,
        }
    }

    pub(super) fn hold(&mut self, after: usize) {
        let fault = Fault::new(self.writes.clone(), Effect::Hang);
        let fault = fault.after(after.try_into().expect("few")).once();
        let before = self.held.replace(self.faults.add(fault));
        before.map(|before| self.faults.remove(before));
    }

    pub(super) async fn reached(&mut self) {
        let held = self.held.expect("the gate is closed");
        while self.faults.met(held) == 0 {
            sleep(Duration::from_millis(5)).await;
        }
    }
}
