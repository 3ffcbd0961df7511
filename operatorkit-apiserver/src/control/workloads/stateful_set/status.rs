//! The status of a `StatefulSet`.

use serde_json::{Map, Value, json};

use super::identity::pod_revision;
use super::{Controller, is_running_and_ready};
use crate::control::workloads::action::Verb;
use crate::control::workloads::owner::{is_deleted, name};
use crate::control::workloads::pod::is_available;
use crate::read::integer;

impl Controller<'_> {
    /// Writes a status that is another.
    pub(super) fn update_status(&mut self) {
        let count = |is: &dyn Fn(&Value) -> bool| {
            i64::try_from(self.pods.iter().filter(|pod| is(pod)).count()).unwrap_or(i64::MAX)
        };
        let of = |revision: &Value| count(&|pod| !is_deleted(pod) && pod_revision(pod) == name(revision));
        let (all, ready) = (count(&|_| true), count(&|pod| is_running_and_ready(pod)));
        let available =
            count(&|pod| is_running_and_ready(pod) && is_available(pod, self.min_ready_seconds(), self.now));
        let (mut current, updated) = ((of(self.current) - self.deleted).max(0), of(self.updated));
        let mut current_revision = name(self.current);
        if [all, ready, updated] == [self.replicas(); 3] {
            (current, current_revision) = (updated, name(self.updated));
        }
        let mut status = Map::new();
        for (name, number) in [
            ("readyReplicas", ready),
            ("currentReplicas", current),
            ("updatedReplicas", updated),
        ] {
            if number != 0 {
                status.insert(name.to_owned(), json!(number));
            }
        }
        for (name, value) in [
            ("observedGeneration", json!(integer(self.set, "/metadata/generation"))),
            ("replicas", json!(all)),
            ("availableReplicas", json!(available)),
            ("currentRevision", json!(current_revision)),
            ("updateRevision", json!(name(self.updated))),
            ("collisionCount", json!(integer(self.set, "/status/collisionCount"))),
        ] {
            status.insert(name.to_owned(), value);
        }
        if let Some(conditions) = self.set.pointer("/status/conditions") {
            status.insert("conditions".to_owned(), conditions.clone());
        }
        let status = Value::Object(status);
        if self.set.get("status") != Some(&status) {
            let mut set = self.set.clone();
            set["status"] = status;
            self.plan.push(Verb::UpdateStatus(set));
        }
    }
}
