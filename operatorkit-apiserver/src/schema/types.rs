//! All nodes of one source, and how to walk them.

use std::{collections::HashMap, ops::Deref, sync::Arc};

use super::{
    kind::GroupVersionKind,
    node::{Node, NodeId},
};

/// The nodes of one source: all built-in kinds, or one version of one CRD. Nodes name each other by [`NodeId`], so a
/// type may contain itself.
#[derive(Debug, Default)]
pub struct Types {
    nodes: Vec<Node>,
    names: HashMap<Box<str>, NodeId>,
    kinds: Vec<(GroupVersionKind, NodeId)>,
}

impl Types {
    /// A set without nodes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a node.
    ///
    /// # Panics
    ///
    /// With more than `u32::MAX` nodes.
    pub fn add(&mut self, node: Node) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer nodes than 2^32"));
        self.nodes.push(node);
        id
    }

    /// Gives a node a name.
    pub fn name(&mut self, name: impl Into<Box<str>>, id: NodeId) {
        self.names.insert(name.into(), id);
    }

    /// Says that a node is the schema of a kind. A type may be several kinds.
    pub fn add_kind(&mut self, kind: GroupVersionKind, id: NodeId) {
        self.kinds.push((kind, id));
    }

    /// The kinds, in the order in which they were added.
    pub fn all_kinds(&self) -> impl Iterator<Item = (&GroupVersionKind, NodeId)> {
        self.kinds.iter().map(|(kind, id)| (kind, *id))
    }

    /// Changes a node.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }

    /// The nodes that have a name, in no order.
    pub fn all_named(&self) -> impl Iterator<Item = (&str, Schema<'_>)> {
        self.names.iter().map(|(name, id)| (&**name, self.schema(*id)))
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node with this id.
    pub fn schema(&self, id: NodeId) -> Schema<'_> {
        Schema {
            types: self,
            node: &self.nodes[id.0 as usize],
            id,
        }
    }

    /// The node with this name.
    pub fn id(&self, name: &str) -> Option<NodeId> {
        self.names.get(name).copied()
    }

    /// The node with this name.
    pub fn named(&self, name: &str) -> Option<Schema<'_>> {
        self.id(name).map(|id| self.schema(id))
    }
}

/// A place in a schema. It is [`Node`], and knows where the nodes under it are.
#[derive(Clone, Copy, Debug)]
pub struct Schema<'a> {
    types: &'a Types,
    node: &'a Node,
    id: NodeId,
}

impl<'a> Schema<'a> {
    /// The node itself, for as long as its source.
    pub fn node(self) -> &'a Node {
        self.node
    }

    /// Where the node is in its source.
    pub fn id(self) -> NodeId {
        self.id
    }

    /// Another node of the same source.
    #[must_use]
    pub fn at(self, id: NodeId) -> Self {
        self.types.schema(id)
    }

    /// A known field.
    pub fn property(self, name: &str) -> Option<Self> {
        self.node.properties.get(name).map(|id| self.at(*id))
    }

    /// A field: a known one, or a value of the map.
    pub fn field(self, name: &str) -> Option<Self> {
        self.property(name).or_else(|| self.additional())
    }

    /// The values of a map.
    pub fn additional(self) -> Option<Self> {
        self.node.additional.map(|id| self.at(id))
    }

    /// The items of a list.
    pub fn items(self) -> Option<Self> {
        self.node.items.map(|id| self.at(id))
    }
}

impl Deref for Schema<'_> {
    type Target = Node;

    fn deref(&self) -> &Node {
        self.node
    }
}

/// A place in a schema, with its source.
#[derive(Clone, Debug)]
pub struct OwnedSchema {
    types: Arc<Types>,
    id: NodeId,
}

impl OwnedSchema {
    /// The node `id` of `types`.
    pub fn new(types: Arc<Types>, id: NodeId) -> Self {
        Self { types, id }
    }

    /// The place.
    pub fn get(&self) -> Schema<'_> {
        self.types.schema(self.id)
    }
}
