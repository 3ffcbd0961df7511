//! What is done about one object.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{
    Item,
    graph::Graph,
    owners::{Owners, Unclear},
};
use crate::{
    control::{
        client::{Client, is_stale},
        teller::Teller,
        workloads::{Event, Reference},
    },
    core::Core,
    failure::Failure,
    object,
    registry::Served,
    store::{Stored, TableId},
    verbs::strategy,
};

pub(super) const FOREGROUND: &str = "foregroundDeletion";
pub(super) const ORPHAN: &str = "orphan";

/// It did not work, and must be tried again.
#[derive(Debug)]
pub(super) struct Again;

/// Decides about objects, and carries it out.
pub(super) struct Collector {
    client: Client,
    teller: Teller,
    pub(super) core: Arc<Core>,
}

/// One object, as it is now.
struct Looked {
    served: Arc<Served>,
    object: Value,
    version: u64,
}

impl Collector {
    pub(super) fn new(client: Client, core: Arc<Core>) -> Self {
        Self {
            client,
            teller: Teller::new(core.clone()),
            core,
        }
    }

    /// The table whose changes bring new kinds.
    pub(super) fn crds(&self) -> TableId {
        self.core.tables.crds.clone()
    }

    /// A stored object as a value; `null` if its kind is no longer served.
    pub(super) fn object(&self, table: &TableId, stored: &Stored) -> Value {
        self.served(table)
            .map_or(Value::Null, |served| strategy::show(&served, stored))
    }

    fn served(&self, table: &TableId) -> Option<Arc<Served>> {
        let catalog = self.core.registry.catalog();
        catalog.of_table(table).cloned()
    }

    fn look(&self, (table, key): &Item) -> Option<Looked> {
        let served = self.served(table)?;
        let stored = self.core.store.get(table, key)?;
        let object = strategy::show(&served, &stored);
        let version = stored.version;
        Some(Looked {
            served,
            object,
            version,
        })
    }

    /// Looks at an object, and does what must be done; `seen` is the version up to which the graph knows everything.
    pub(super) async fn attend(&self, graph: &Graph, item: &Item, seen: u64) -> Result<(), Again> {
        let Some(looked) = self.look(item) else {
            return Ok(());
        };
        // It has changed since, and its dependents may be unknown yet: an owner that is let go before they are found loses them.
        // The change itself may have been told already, so nothing else brings it back here.
        if looked.version > seen {
            return Err(Again);
        }
        let has = |finalizer: &str| object::finalizers(&looked.object).any(|it| it == finalizer);
        let deleting = object::is_deleting(&looked.object);
        let done = if deleting && has(ORPHAN) {
            self.orphan(graph, item, &looked).await
        } else if deleting && has(FOREGROUND) {
            self.finish(graph, item, &looked).await
        } else if deleting {
            Ok(())
        } else {
            self.collect(graph, item, &looked).await
        };
        match done {
            // Somebody else was faster; the change that they made brings the object back here.
            Err(failure) if is_stale(&failure) => Ok(()),
            Err(_) => Err(Again),
            Ok(()) => Ok(()),
        }
    }

    /// Deletes an object none of whose owners is there.
    async fn collect(&self, graph: &Graph, item: &Item, looked: &Looked) -> Result<(), Failure> {
        let Looked {
            served,
            object: dependent,
            ..
        } = looked;
        if object::owners(dependent).next().is_none() {
            return Ok(());
        }
        let Owners {
            solid,
            dangling,
            waiting,
        } = match self.owners(dependent) {
            Ok(owners) => owners,
            Err(Unclear::UnknownKind) => return Err(Failure::internal("an owner's kind is not known")),
            Err(Unclear::Namespaced(owner)) => return self.tell_namespaced(dependent, &owner).await,
        };
        if !solid.is_empty() {
            let gone: Vec<String> = dangling.into_iter().chain(waiting).collect();
            return self.forget_owners(item, looked, &gone).await;
        }
        let uid = object::uid(dependent);
        let has_dependents = graph.dependents_of(uid).next().is_some();
        let has = |finalizer: &str| object::finalizers(dependent).any(|it| it == finalizer);
        let policy = if !waiting.is_empty() && has_dependents || has(FOREGROUND) && !has(ORPHAN) {
            "Foreground"
        } else if has(ORPHAN) {
            "Orphan"
        } else {
            "Background"
        };
        self.client.delete(served, &item.1, uid, policy).await?;
        Ok(())
    }

    /// Says that an object of the cluster names an owner in a namespace, and leaves it alone.
    async fn tell_namespaced(&self, dependent: &Value, owner: &Value) -> Result<(), Failure> {
        let text = |field: &str| owner[field].as_str().unwrap_or_default();
        let (version, kind, name, uid) = (text("apiVersion"), text("kind"), text("name"), text("uid"));
        let event = Event {
            regarding: Reference::to(dependent),
            kind: "Warning",
            reason: "OwnerRefInvalidNamespace",
            message: format!(
                "ownerRef [{version}/{kind}, namespace: , name: {name}, uid: {uid}] does not exist in namespace \"\""
            ),
            component: "garbage-collector-controller",
        };
        self.teller.tell(&self.client, &event).await
    }

    /// Takes owners out of an object's references.
    async fn forget_owners(&self, item: &Item, looked: &Looked, uids: &[String]) -> Result<(), Failure> {
        if uids.is_empty() {
            return Ok(());
        }
        let is_left = |owner: &&Value| !uids.iter().any(|uid| owner["uid"] == uid.as_str());
        let left: Vec<_> = object::owners(&looked.object).filter(is_left).cloned().collect();
        let left = if left.is_empty() { Value::Null } else { left.into() };
        let metadata = json!({
            "uid": object::uid(&looked.object),
            "resourceVersion": object::text(&looked.object, "resourceVersion"),
            "ownerReferences": left,
        });
        self.client
            .patch(&looked.served, &item.1, "", &json!({ "metadata": metadata }))
            .await?;
        Ok(())
    }

    /// Takes an object out of its dependents' references, and lets it go.
    async fn orphan(&self, graph: &Graph, item: &Item, looked: &Looked) -> Result<(), Failure> {
        let uid = object::uid(&looked.object).to_owned();
        for dependent in graph.dependents_of(&uid) {
            let Some(dependent_looked) = self.look(dependent) else {
                continue;
            };
            match self
                .forget_owners(dependent, &dependent_looked, std::slice::from_ref(&uid))
                .await
            {
                Err(failure) if failure.code == 404 => {}
                // The owner is not let go before every dependent is free.
                Err(failure) if failure.code == 409 => return Err(Failure::internal(failure)),
                done => done?,
            }
        }
        self.release(item, looked, ORPHAN).await
    }

    /// Lets an object go whose dependents are gone; deletes those that are not.
    async fn finish(&self, graph: &Graph, item: &Item, looked: &Looked) -> Result<(), Failure> {
        let uid = object::uid(&looked.object).to_owned();
        let mut blocked = false;
        for dependent in graph.dependents_of(&uid) {
            let Some(looked) = self.look(dependent) else { continue };
            let blocks = |owner: &Value| owner["uid"] == uid.as_str() && owner["blockOwnerDeletion"] == true;
            blocked |= object::owners(&looked.object).any(blocks);
        }
        if blocked {
            return Ok(());
        }
        self.release(item, looked, FOREGROUND).await
    }

    async fn release(&self, item: &Item, looked: &Looked, finalizer: &str) -> Result<(), Failure> {
        let left = object::finalizers(&looked.object).filter(|it| *it != finalizer);
        let left: Vec<_> = left.collect();
        let metadata = json!({
            "resourceVersion": object::text(&looked.object, "resourceVersion"),
            "finalizers": if left.is_empty() { Value::Null } else { json!(left) },
        });
        self.client
            .patch(&looked.served, &item.1, "", &json!({ "metadata": metadata }))
            .await?;
        Ok(())
    }
}
