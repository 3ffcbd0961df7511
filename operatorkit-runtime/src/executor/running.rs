//! A running operator: what its passes share.

use std::{
    any::TypeId,
    collections::{HashMap, HashSet},
    fmt,
    sync::{Arc, Mutex},
    time::Duration,
};

use anyhow::anyhow;
use k8s_openapi::api::core::v1::ObjectReference;
use kube::core::DynamicObject;
use tokio_util::sync::CancellationToken;

use super::{Pass, kinds::Kinds, memory::Memory};
use crate::{
    cluster::{Cluster, Events, Kind},
    context::{Maker, ObjectEvents, Outputs, Scope, Trigger, Triggers},
    error::Result,
    graph::{Erased, Nodes, Role, check::misplaced},
    layer::Layers,
    metrics::Meter,
    namespaces::Namespaces,
    operator::Operator,
    plan::{NodeSpec, Order, Shape},
    progress::{Onlooker, Progress, Step},
    queue::Queue,
    reads::{PassReads, Reads},
    record::{Inventory, Names, StoredKind, StoredNode},
    reporting::Reports,
    store::{ChildStore, ObjectEntry, ObjectStore},
    watches::Watches,
};

/// What all passes of an operator share.
pub(crate) struct Running<O: Operator> {
    pub(crate) names: Names,
    pub(crate) kind: Arc<Kind>,
    /// Whether the kind is ours, with a status to report in.
    pub(crate) own: bool,
    pub(crate) cluster: Cluster,
    pub(crate) events: Events,
    /// For what no resource of the code answers for.
    layers: Layers,
    /// Each node's own.
    node_layers: Vec<Layers>,
    /// Cancelled when the operator shuts down.
    pub(crate) stopping: CancellationToken,
    pub(crate) reports: Reports,
    pub(crate) nodes: Nodes<O>,
    /// What makes the value of each pass.
    value: Option<Arc<dyn Maker>>,
    index: Arc<HashMap<TypeId, usize>>,
    /// The kind of each node's children, where its type says it.
    static_kinds: Vec<Option<Arc<Kind>>>,
    /// The code's graph, over the nodes in their order.
    pub(crate) shape: Shape,
    /// What the code alone says of the inventory, and the same as it is stored.
    pub(crate) inventory: Inventory,
    pub(super) inventory_text: String,
    pub(crate) namespaces: Namespaces,
    pub(crate) objects: ObjectStore<O>,
    pub(crate) children: Arc<ChildStore>,
    pub(crate) watches: Watches,
    pub(crate) reads: Reads,
    pub(crate) queue: Arc<Queue>,
    pub(crate) resync: Duration,
    pub(crate) meter: Arc<Meter>,
    onlooker: Onlooker,
    pub(super) memory: Mutex<HashMap<Arc<str>, Memory>>,
    pub(super) kinds: Mutex<Kinds>,
    /// The kinds and namespaces that were listed by mark.
    pub(super) looked: tokio::sync::Mutex<HashSet<(String, Option<String>)>>,
}

/// What an operator works with; the rest of [`Running`] follows from it.
pub(crate) struct Parts {
    pub(crate) names: Names,
    pub(crate) namespaces: Namespaces,
    pub(crate) cluster: Cluster,
    pub(crate) events: Events,
    /// Those of the app, around the operator's and the resources' own.
    pub(crate) layers: Layers,
    pub(crate) stopping: CancellationToken,
    pub(crate) reports: Reports,
    pub(crate) children: Arc<ChildStore>,
    pub(crate) watches: Watches,
    pub(crate) reads: Reads,
    pub(crate) queue: Arc<Queue>,
    pub(crate) resync: Duration,
    pub(crate) meter: Arc<Meter>,
    pub(crate) onlooker: Onlooker,
}

impl<O: Operator> Running<O> {
    /// # Errors
    /// If the graph cannot run: a hand-written one may have no resources, or a cycle.
    pub(crate) fn new(resources: O::Resources, parts: Parts) -> Result<Self> {
        let (nodes, index, value) = O::graph(resources).into_parts();
        let shape = Shape::new(&nodes.iter().map(|node| NodeSpec::from(node.meta())).collect::<Vec<_>>())
            .map_err(|why| anyhow!(why))?;
        anyhow::ensure!(!nodes.is_empty(), "it has no resources");
        for node in &nodes {
            if let Some((key, at)) = misplaced(&node.meta().settings, node.role()) {
                let name = node.meta().name;
                anyhow::bail!("of its resource `{name}`, `{key}` would do nothing: remove it, it is for {at}");
            }
        }
        parts
            .meter
            .has(nodes.iter().map(|node| (node.meta().name, node.role())));
        let inventory = inventory(&nodes, &shape);
        let static_kinds = nodes.iter().map(|node| node.child_kind().map(Arc::new)).collect();
        let Parts {
            names,
            namespaces,
            cluster,
            events,
            layers: of_app,
            stopping,
            reports,
            children,
            watches,
            reads,
            queue,
            resync,
            meter,
            onlooker,
        } = parts;
        let of_operator = O::layers();
        let around = |inner: &Layers| of_app.clone().around(inner);
        let node_layers = nodes
            .iter()
            .map(|node| around(&node.layers().unwrap_or_else(|| of_operator.clone())))
            .collect();
        Ok(Self {
            names,
            kind: Arc::new(Kind::of::<O::Object>()),
            own: O::crd().is_some(),
            cluster,
            events,
            layers: around(&of_operator),
            node_layers,
            stopping,
            reports,
            nodes,
            value,
            index,
            static_kinds,
            shape,
            inventory_text: inventory.to_text(),
            inventory,
            namespaces,
            objects: ObjectStore::default(),
            children,
            watches,
            reads,
            queue,
            resync,
            meter,
            onlooker,
            memory: Mutex::default(),
            kinds: Mutex::default(),
            looked: tokio::sync::Mutex::default(),
        })
    }

    /// Tells whoever looks on how far a pass has come.
    pub(super) fn tell(&self, entry: &ObjectEntry<O>, backwards: bool, step: impl FnOnce() -> Step) {
        self.onlooker.tell(|| Progress {
            operator: self.names.operator.clone(),
            namespace: entry.namespace().map(str::to_owned),
            name: entry.name().to_owned(),
            backwards,
            step: step(),
        });
    }

    /// The node of a resource.
    pub(super) fn node(&self, name: &str) -> Option<&dyn Erased<O>> {
        let index = self.shape.create.index(name)?;
        Some(&*self.nodes[index])
    }

    /// The layers around the operations of a resource.
    pub(super) fn layers_of(&self, resource: &str) -> &Layers {
        let index = self.shape.create.index(resource);
        index.map_or(&self.layers, |index| &self.node_layers[index])
    }

    /// Whether a resource stands in the code only to be deleted.
    pub(super) fn is_retired(&self, name: &str) -> bool {
        self.node(name).is_some_and(|node| node.meta().settings.retired)
    }

    /// The kind of a node's children, where its type says it.
    pub(super) fn static_kind(&self, index: usize) -> Option<&Arc<Kind>> {
        self.static_kinds[index].as_ref()
    }

    /// Whether another resource may read this one's output.
    pub(super) fn is_read(&self, index: usize) -> bool {
        let name = self.nodes[index].meta().name;
        self.nodes.iter().any(|node| node.meta().after.contains(&name))
    }

    pub(super) fn scope(&self, entry: &ObjectEntry<O>, triggers: Triggers) -> Scope {
        Scope::new(
            self.cluster.client(),
            self.object_events(entry),
            entry.meta.clone(),
            entry.erased(),
            Outputs::new(self.index.clone()),
            triggers,
            entry.slots.clone(),
            PassReads::new(self.reads.clone(), entry.uid.clone()),
        )
        .with_value(self.value.clone())
    }

    pub(super) fn object_events(&self, entry: &ObjectEntry<O>) -> ObjectEvents {
        let object = ObjectReference {
            api_version: Some(self.kind.api_version()),
            kind: Some(self.kind.kind.clone()),
            namespace: entry.meta.namespace.clone(),
            name: entry.meta.name.clone(),
            uid: entry.meta.uid.clone(),
            ..ObjectReference::default()
        };
        ObjectEvents::new(self.events.clone(), object)
    }

    /// Takes in an object that an answer or a live read has shown.
    pub(super) fn take_in(&self, object: DynamicObject) -> Option<Arc<ObjectEntry<O>>> {
        let entry = ObjectEntry::new(object, &self.names, self.own)?;
        Some(self.objects.renew(entry))
    }

    /// Whether an object is being deleted or is gone, as far as an answer or a watch has told. A pass forwards then begins nothing more for
    /// it: what there is goes in the order of a deletion.
    pub(super) fn is_terminating(&self, uid: &str) -> bool {
        self.objects.get(uid).is_some_and(|entry| entry.terminating()) || self.may_have_vanished(uid)
    }

    /// The inventory of an object, with what it does not know from the code; where it was lost, everything that the code
    /// and this process know.
    pub(super) fn stored(&self, entry: &ObjectEntry<O>) -> Inventory {
        if self.is_stored(entry) {
            return self.inventory.clone();
        }
        match entry.inventory(&self.names) {
            Some(stored) => stored.with_stored(&self.inventory).in_versions_of(&self.inventory),
            None => self.inventory.clone().with_stored(&self.watches.inventory()),
        }
    }

    /// Whether the inventory of an object is exactly the code's: the usual case, told without reading it.
    pub(super) fn is_stored(&self, entry: &ObjectEntry<O>) -> bool {
        entry.annotation(&self.names.inventory) == Some(&self.inventory_text)
            && !entry.has_former_inventory(&self.names)
    }

    /// The order that a deletion goes by: the stored one, and what it does not know from the code.
    pub(super) fn deletion_order(&self, stored: &Inventory) -> Order {
        stored.delete_order().with(&self.shape.delete)
    }

    /// The order that a prune goes by: the code's, and what left it from the stored one.
    pub(super) fn prune_order(&self, stored: &Inventory) -> Order {
        self.shape.delete.with(&stored.delete_order())
    }

    /// Confirms by a live read that the object of this pass is the one that exists now.
    pub(super) async fn confirm_uid(&self, pass: &Pass<O>) -> Result<()> {
        let entry = pass.entry();
        let live = self.cluster.get(&self.kind, entry.namespace(), entry.name()).await?;
        match live.and_then(|live| live.metadata.uid) {
            Some(uid) if *uid == *pass.uid => Ok(()),
            _ => Err(anyhow!("the object is not the one that exists now under its name")),
        }
    }

    /// Lets the owner with this UID look at its children.
    pub(super) fn queue_owner(&self, uid: &str) {
        self.queue.add(uid.into(), Trigger::ChildChanged);
    }
}

impl<O: Operator> fmt::Debug for Running<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running")
            .field("names", &self.names)
            .field("objects", &self.objects)
            .finish_non_exhaustive()
    }
}

/// What the code says of the inventory: its graph, and the kinds that its types name.
fn inventory<O: Operator>(nodes: &Nodes<O>, shape: &Shape) -> Inventory {
    let mut inventory = Inventory::default();
    for (index, node) in nodes.iter().enumerate() {
        inventory.nodes.push(StoredNode {
            name: node.meta().name.to_owned(),
            role: node.role(),
            create: shape.create.waits(index),
            delete: shape.delete.waits(index),
            propagation: node.meta().settings.delete_propagation,
            keep: node.role() == Role::Step && node.meta().settings.keep,
        });
        if let Some(kind) = node.child_kind() {
            inventory.add_kind(StoredKind {
                kind,
                any_namespace: node.meta().settings.any_namespace,
            });
        }
    }
    // What is retired has no place in what is stored anew; its kind has, so that what is left is found.
    let retired = |name: &str| {
        let mut all = nodes.iter().map(|node| node.meta());
        all.any(|meta| meta.name == name && meta.settings.retired)
    };
    inventory.keep_nodes(|name| !retired(name));
    inventory
}
