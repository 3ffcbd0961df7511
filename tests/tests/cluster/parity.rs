//! The integration tests of Go operatorkit, one file each, as relations instead of exact numbers of passes; and what its unit tests say of the
//! finalizer patch. A short resync stands for its ten seconds.

mod basic;
mod control_flow;
mod error;
mod event;
mod finalizer;
mod finalizer_patch;
mod foreign_fields;
mod no_resources;
mod parallel;
mod pause;
mod reconciliation;
mod status_update;

use std::{sync::Arc, time::Duration};

use operatorkit::{App, RunSettings};

use crate::{
    flow::script::Script,
    scene::{Running, Scene},
};

/// What stands for the ten seconds of Go operatorkit's tests.
const RESYNC: Duration = Duration::from_secs(1);

impl Scene {
    /// Runs an app that comes back to quiet objects each second.
    fn start_resyncing(&self, app: App) -> Running {
        self.start_with(app, self.resyncing())
    }

    /// The settings of such an operator.
    pub(crate) fn resyncing(&self) -> RunSettings {
        RunSettings {
            namespaces: vec![self.namespace.clone()],
            resync: RESYNC,
            ..RunSettings::default()
        }
    }
}

/// Waits until a call was made this many times more than until now: so many resyncs at least are over.
async fn resyncs(script: &Arc<Script>, call: &str, more: usize) {
    script.called(call, script.count(call) + more).await;
}

/// A step that does what a script says: its calls are `<object> create <resource>` and `<object> delete <resource>`.
macro_rules! scripted {
    ($resource:ident of $operator:ident, $name:literal) => {
        impl Step for $resource {
            type Operator = $operator;
            type Output = ();
            async fn ensure_created(
                &self,
                _object: &<$operator as operatorkit::Operator>::Object,
                cx: &Cx<Self>,
            ) -> Result<Flow<()>> {
                self.0.call(&format!("{} create {}", cx.name(), $name), |_| {})
            }
            async fn ensure_deleted(&self, cx: &DeleteCx<Self>) -> Result<Flow<()>> {
                self.0.call(&format!("{} delete {}", cx.name(), $name), |why| {
                    cx.keep_finalizer(why)
                })
            }
        }
    };
}
use scripted;
