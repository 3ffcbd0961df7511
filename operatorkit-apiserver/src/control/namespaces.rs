//! The end of a namespace: what is in it is deleted, and then it is let go (`kubernetes/pkg/controller/namespace/deletion`).

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use serde_json::{Value, json};

use super::{client::Client, feed::Feed};
use crate::{core::Core, failure::Failure, object, registry::Served, store::Key, verbs::strategy};

/// How long the controller waits after a request that failed.
const RETRY: Duration = Duration::from_millis(500);

const OWN: &str = "kubernetes";

/// Empties and ends namespaces until it is dropped.
pub(crate) async fn run(core: Arc<Core>, mut feed: Feed) {
    let controller = Controller {
        client: Client::new(core.clone(), "namespace-controller"),
        core,
    };
    let mut going: BTreeSet<Arc<str>> = BTreeSet::new();
    let mut retry: BTreeSet<Arc<str>> = BTreeSet::new();
    loop {
        let mut due = BTreeSet::new();
        tokio::select! {
            changes = feed.next() => for changed in changes {
                let key = changed.object.key();
                if changed.table != controller.core.tables.namespaces {
                    due.extend(going.get(&key.namespace).cloned());
                } else if changed.deleted {
                    going.remove(&key.name);
                } else if controller.is_going(&key.name) {
                    going.insert(key.name.clone());
                    due.insert(key.name.clone());
                }
            },
            () = tokio::time::sleep(RETRY), if !retry.is_empty() => due.extend(std::mem::take(&mut retry)),
        }
        for name in due {
            if controller.attend(&name).await.is_err() {
                retry.insert(name);
            }
        }
    }
}

struct Controller {
    client: Client,
    core: Arc<Core>,
}

/// What is left in a namespace.
#[derive(Default)]
struct Left {
    /// How many objects of each resource.
    resources: BTreeMap<String, usize>,
    /// How many objects wait for each finalizer.
    finalizers: BTreeMap<String, usize>,
}

impl Controller {
    fn namespace(&self, name: &str) -> Option<(Arc<Served>, Value)> {
        let catalog = self.core.registry.catalog();
        let served = catalog.preferred("", "namespaces")?.clone();
        let stored = self.core.store.get(&served.table, &Key::new("", name))?;
        let namespace = strategy::show(&served, &stored);
        Some((served, namespace))
    }

    fn is_going(&self, name: &str) -> bool {
        self.namespace(name)
            .is_some_and(|(_, namespace)| object::is_deleting(&namespace))
    }

    async fn attend(&self, name: &str) -> Result<(), Failure> {
        let Some((served, namespace)) = self
            .namespace(name)
            .filter(|(_, namespace)| object::is_deleting(namespace))
        else {
            return Ok(());
        };
        let mut failed = None;
        for resource in self.resources() {
            if self.in_namespace(&resource, name).next().is_none() {
                continue;
            }
            if let Err(failure) = self.client.delete_all(&resource, name).await {
                failed = Some(failure);
            }
        }
        let left = self.left(name);
        if let Some(failure) = failed {
            self.report(&served, &namespace, &left, Some(&failure)).await?;
            return Err(failure);
        }
        if !left.resources.is_empty() {
            return self.report(&served, &namespace, &left, None).await;
        }
        self.release(&served, name).await
    }

    /// What can be in a namespace, in the order of discovery.
    fn resources(&self) -> Vec<Arc<Served>> {
        let catalog = self.core.registry.catalog();
        let tables = catalog
            .tables()
            .filter(|served| served.namespaced && served.has_verb("deletecollection"));
        tables.cloned().collect()
    }

    fn in_namespace<'a>(
        &self,
        served: &Served,
        name: &'a str,
    ) -> impl Iterator<Item = Arc<crate::store::Stored>> + use<'a> {
        let all = self.core.store.all(&served.table).into_iter();
        all.filter(move |stored| *stored.key().namespace == *name)
    }

    fn left(&self, name: &str) -> Left {
        let mut left = Left::default();
        for served in self.resources() {
            for stored in self.in_namespace(&served, name) {
                *left
                    .resources
                    .entry(format!("{}.{}", served.plural, served.group))
                    .or_default() += 1;
                for finalizer in object::finalizers(&strategy::show(&served, &stored)) {
                    *left.finalizers.entry(finalizer.to_owned()).or_default() += 1;
                }
            }
        }
        left
    }

    /// Says in the status why the namespace is still there.
    async fn report(
        &self,
        served: &Served,
        namespace: &Value,
        left: &Left,
        failed: Option<&Failure>,
    ) -> Result<(), Failure> {
        let now = self.core.clock.seconds();
        let mut conditions = namespace["status"]["conditions"].clone();
        for (type_, trouble) in conditions_of(left, failed) {
            let (status, reason, message) = match trouble {
                Some((reason, message)) => ("True", reason, message),
                None => {
                    let (reason, message) = well(type_);
                    ("False", reason, message.to_owned())
                }
            };
            let condition = json!({
                "type": type_, "status": status, "reason": reason, "message": message, "lastTransitionTime": now,
            });
            object::set_condition(&mut conditions, condition);
        }
        if conditions == namespace["status"]["conditions"] {
            return Ok(());
        }
        let mut new = namespace.clone();
        new["status"]["conditions"] = conditions;
        self.client
            .update(served, &Key::new("", object::name(namespace)), "/status", &new)
            .await?;
        Ok(())
    }

    /// Takes our finalizer off the spec.
    async fn release(&self, served: &Served, name: &str) -> Result<(), Failure> {
        let Some((_, mut namespace)) = self.namespace(name) else {
            return Ok(());
        };
        let Some(finalizers) = namespace["spec"]["finalizers"].as_array_mut() else {
            return Ok(());
        };
        let before = finalizers.len();
        finalizers.retain(|finalizer| finalizer != OWN);
        if finalizers.len() == before {
            return Ok(());
        }
        self.client
            .update(served, &Key::new("", name), "/finalize", &namespace)
            .await?;
        Ok(())
    }
}

type Trouble = Option<(&'static str, String)>;

fn conditions_of(left: &Left, failed: Option<&Failure>) -> [(&'static str, Trouble); 5] {
    let joined = |entries: Vec<String>| entries.join(", ");
    let remaining = left
        .resources
        .iter()
        .map(|(resource, count)| format!("{resource} has {count} resource instances"));
    let remaining = joined(remaining.collect());
    let held = left
        .finalizers
        .iter()
        .map(|(finalizer, count)| format!("{finalizer} in {count} resource instances"));
    let held = joined(held.collect());
    let remaining = (!remaining.is_empty()).then(|| {
        (
            "SomeResourcesRemain",
            format!("Some resources are remaining: {remaining}"),
        )
    });
    let held = (!held.is_empty()).then(|| {
        (
            "SomeFinalizersRemain",
            format!("Some content in the namespace has finalizers remaining: {held}"),
        )
    });
    let failed = failed.map(|failure| {
        (
            "ContentDeletionFailed",
            format!("Failed to delete all resource types, 1 remaining: {failure}"),
        )
    });
    [
        ("NamespaceDeletionDiscoveryFailure", None),
        ("NamespaceDeletionGroupVersionParsingFailure", None),
        ("NamespaceDeletionContentFailure", failed),
        ("NamespaceContentRemaining", remaining),
        ("NamespaceFinalizersRemaining", held),
    ]
}

fn well(type_: &str) -> (&'static str, &'static str) {
    match type_ {
        "NamespaceDeletionDiscoveryFailure" => ("ResourcesDiscovered", "All resources successfully discovered"),
        "NamespaceDeletionGroupVersionParsingFailure" => {
            ("ParsedGroupVersions", "All legacy kube types successfully parsed")
        }
        "NamespaceDeletionContentFailure" => (
            "ContentDeleted",
            "All content successfully deleted, may be waiting on finalization",
        ),
        "NamespaceContentRemaining" => ("ContentRemoved", "All content successfully removed"),
        _ => ("ContentHasNoFinalizers", "All content-preserving finalizers finished"),
    }
}
