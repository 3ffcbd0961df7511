//! The Events of controllers. A repeated one is one Event with a count, as in `client-go`'s recorder.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use serde_json::{Value, json};

use super::{client::Client, workloads::Event};
use crate::{core::Core, failure::Failure, object, store::Key};

/// More different Events than this are not remembered: the next repetition of a forgotten one is a new Event.
const REMEMBERED: usize = 4096;

/// Writes Events.
pub(crate) struct Teller {
    core: Arc<Core>,
    /// The name of an Event, and how often it was told.
    told: Mutex<HashMap<String, (String, u64)>>,
}

impl Teller {
    pub(crate) fn new(core: Arc<Core>) -> Self {
        Self {
            core,
            told: Mutex::default(),
        }
    }

    /// Tells an Event.
    pub(crate) async fn tell(&self, client: &Client, event: &Event) -> Result<(), Failure> {
        let catalog = self.core.registry.catalog();
        let Some(served) = catalog.find("", "v1", "events") else {
            return Ok(());
        };
        let of = &event.regarding;
        let namespace = if of.namespace.is_empty() {
            "default"
        } else {
            &of.namespace
        };
        let now = self.core.clock.seconds();
        let (name, count) = self.name(event);
        if count > 1 {
            let patch = json!({ "count": count, "lastTimestamp": now });
            let patched = client.patch(served, &Key::new(namespace, &name), "", &patch).await;
            if !matches!(&patched, Err(failure) if failure.code == 404) {
                return patched.map(|_| ());
            }
        }
        client
            .create(served, namespace, &body(event, namespace, &name, &now))
            .await
            .map(|_| ())
    }

    fn name(&self, event: &Event) -> (String, u64) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.len() >= REMEMBERED {
            told.clear();
        }
        let key = format!(
            "{}/{}/{}/{}",
            event.regarding.uid, event.kind, event.reason, event.message
        );
        let entry = told.entry(key).or_insert_with(|| {
            let end = self.core.identities.below(u64::MAX);
            (format!("{}.{end:016x}", event.regarding.name), 0)
        });
        entry.1 += 1;
        entry.clone()
    }
}

fn body(event: &Event, namespace: &str, name: &str, now: &str) -> Value {
    let of = &event.regarding;
    let mut involved = json!({ "apiVersion": of.api_version, "kind": of.kind, "name": of.name, "uid": of.uid });
    if !of.namespace.is_empty() {
        involved["namespace"] = of.namespace.as_str().into();
    }
    json!({
        "apiVersion": "v1", "kind": "Event", "metadata": { "name": name, "namespace": namespace },
        "involvedObject": involved, "type": event.kind, "reason": event.reason, "message": event.message, "count": 1,
        "firstTimestamp": now, "lastTimestamp": now, "source": { "component": event.component },
        "reportingComponent": event.component, "reportingInstance": "",
    })
}

/// The message of an Event about an object that was just created.
pub(crate) fn named(event: &Event, created: &Value) -> Event {
    Event {
        message: event.message.replace("{name}", object::name(created)),
        ..event.clone()
    }
}
