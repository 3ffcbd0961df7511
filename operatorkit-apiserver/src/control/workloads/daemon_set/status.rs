//! The status of a `DaemonSet`.

use serde_json::{Map, Value, json};

use super::{Controller, place};
use crate::control::workloads::action::Verb;
use crate::control::workloads::owner::name;
use crate::control::workloads::pod::is_ready;
use crate::read::integer;

impl Controller<'_> {
    pub(super) fn update_status(&mut self) {
        let (mut desired, mut current, mut wrong, mut ready, mut updated, mut available) = (0, 0, 0, 0, 0, 0);
        for node in self.nodes {
            let pods = self.pods_on(name(node));
            if !place::should_run(self.set, node).0 {
                wrong += i64::from(!pods.is_empty());
                continue;
            }
            desired += 1;
            let Some(oldest) = pods.first() else { continue };
            current += 1;
            ready += i64::from(is_ready(oldest));
            available += i64::from(self.is_available(oldest));
            updated += i64::from(self.is_updated(oldest));
        }
        let mut status = Map::new();
        for (name, number) in [
            ("currentNumberScheduled", current),
            ("numberMisscheduled", wrong),
            ("desiredNumberScheduled", desired),
            ("numberReady", ready),
        ] {
            status.insert(name.to_owned(), json!(number));
        }
        for (name, number) in [
            ("observedGeneration", integer(self.set, "/metadata/generation")),
            ("updatedNumberScheduled", updated),
            ("numberAvailable", available),
            ("numberUnavailable", desired - available),
        ] {
            if number != 0 {
                status.insert(name.to_owned(), json!(number));
            }
        }
        for kept in ["collisionCount", "conditions"] {
            if let Some(value) = self.set.get("status").and_then(|status| status.get(kept)) {
                status.insert(kept.to_owned(), value.clone());
            }
        }
        let status = Value::Object(status);
        if self.set.get("status") != Some(&status) {
            let mut set = self.set.clone();
            set["status"] = status;
            self.plan.push(Verb::UpdateStatus(set));
        }
    }
}
