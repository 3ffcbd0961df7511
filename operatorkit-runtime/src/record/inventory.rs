//! The inventory on an object: the graph as of the last pass, and where children may be.

use serde::{Deserialize, Serialize};

use crate::{
    cluster::Kind,
    graph::{Propagation, Role},
    plan::Order,
};

/// What a pass backwards goes by: it is bounded by the code and does not grow with the spec.
///
/// It is only a hint where to look: nothing is touched that does not prove itself ours.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Inventory {
    /// The resources, in the order of the code.
    pub(crate) nodes: Vec<StoredNode>,
    /// The kinds that children may have, sorted.
    pub(crate) kinds: Vec<StoredKind>,
}

/// A resource as it was stored: its trait and its edges, by name, in both directions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredNode {
    #[serde(rename = "n")]
    pub(crate) name: String,
    #[serde(rename = "t")]
    pub(crate) role: Role,
    /// What it waits for when it is created.
    #[serde(rename = "c", default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) create: Vec<String>,
    /// What it waits for when it is deleted.
    #[serde(rename = "d", default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) delete: Vec<String>,
    /// What becomes of its children's dependents, where it does not follow from the kind.
    #[serde(rename = "p", default, skip_serializing_if = "Option::is_none")]
    pub(crate) propagation: Option<Propagation>,
    /// A `Step` that is not undone. What others leave behind is stored with the thing: in a mark, or in a slot.
    #[serde(rename = "k", default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) keep: bool,
}

/// A kind that children may have, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct StoredKind {
    #[serde(rename = "k")]
    pub(crate) kind: Kind,
    /// In any namespace, not only in the object's.
    #[serde(rename = "a", default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) any_namespace: bool,
}

impl Inventory {
    /// `None` if the text is not an inventory: it then counts as lost.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    pub(crate) fn to_text(&self) -> String {
        serde_json::to_string(self).expect("an inventory always serialises")
    }

    pub(crate) fn node(&self, name: &str) -> Option<&StoredNode> {
        self.nodes.iter().find(|node| node.name == name)
    }

    fn create_order(&self) -> Order {
        Order::stored(
            self.nodes
                .iter()
                .map(|node| (node.name.as_str(), node.create.as_slice())),
        )
    }

    /// The stored delete order.
    pub(crate) fn delete_order(&self) -> Order {
        Order::stored(
            self.nodes
                .iter()
                .map(|node| (node.name.as_str(), node.delete.as_slice())),
        )
    }

    /// Adds a kind; one that may be anywhere stays so, and the version that is there first stays. Returns whether anything
    /// changed.
    pub(crate) fn add_kind(&mut self, add: StoredKind) -> bool {
        match self.kinds.iter_mut().find(|stored| stored.kind.is_same(&add.kind)) {
            Some(stored) if stored.any_namespace || !add.any_namespace => false,
            Some(stored) => {
                stored.any_namespace = true;
                true
            }
            None => {
                self.kinds.push(add);
                self.kinds.sort();
                true
            }
        }
    }

    /// The kinds in the versions that the code knows, where it knows them.
    pub(crate) fn in_versions_of(mut self, code: &Self) -> Self {
        for stored in &mut self.kinds {
            if let Some(known) = code.kinds.iter().find(|known| known.kind.is_same(&stored.kind)) {
                stored.kind = known.kind.clone();
            }
        }
        self.kinds.sort();
        self
    }

    /// This inventory with what another one knows besides: resources, with all edges that begin or end at one of them,
    /// and kinds that may still have children.
    pub(crate) fn with_stored(mut self, stored: &Self) -> Self {
        self.add_nodes(stored);
        for kind in &stored.kinds {
            self.add_kind(kind.clone());
        }
        self
    }

    /// Adds the resources that only `other` knows. Those known already may have to wait for them, too.
    pub(crate) fn add_nodes(&mut self, other: &Self) {
        let create = self.create_order().with(&other.create_order());
        let delete = self.delete_order().with(&other.delete_order());
        for node in &other.nodes {
            if self.node(&node.name).is_none() {
                self.nodes.push(node.clone());
            }
        }
        self.set_edges(&create, &delete);
    }

    /// Forgets the other resources; the order of those that stay does not change.
    pub(crate) fn keep_nodes(&mut self, keep: impl Fn(&str) -> bool) {
        let (create, delete) = (self.create_order().only(&keep), self.delete_order().only(&keep));
        self.nodes.retain(|node| keep(&node.name));
        self.set_edges(&create, &delete);
    }

    fn set_edges(&mut self, create: &Order, delete: &Order) {
        let waits = |order: &Order, name: &str| order.index(name).map_or_else(Vec::new, |index| order.waits(index));
        for node in &mut self.nodes {
            node.create = waits(create, &node.name);
            node.delete = waits(delete, &node.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inventory(nodes: &[(&str, &[&str])]) -> Inventory {
        let node = |&(name, delete): &(&str, &[&str])| StoredNode {
            name: name.to_owned(),
            role: Role::Manifest,
            create: Vec::new(),
            delete: delete.iter().map(|&name| name.to_owned()).collect(),
            propagation: None,
            keep: false,
        };
        Inventory {
            nodes: nodes.iter().map(node).collect(),
            kinds: Vec::new(),
        }
    }

    #[test]
    fn what_stays_in_the_code_still_waits_for_what_left_it() {
        let (code, old) = (
            inventory(&[("disk", &[])]),
            inventory(&[("disk", &["web"]), ("web", &[])]),
        );
        assert_eq!(code.with_stored(&old), old);
    }

    #[test]
    fn what_is_stored_waits_for_what_is_new_in_the_code() {
        let (code, old) = (
            inventory(&[("disk", &["web"]), ("web", &[])]),
            inventory(&[("disk", &[])]),
        );
        assert_eq!(old.with_stored(&code), code);
    }

    #[test]
    fn an_order_by_way_of_a_forgotten_resource_stays() {
        let mut stored = inventory(&[("a", &[]), ("b", &["a"]), ("c", &["b"])]);
        stored.keep_nodes(|name| name != "b");
        assert_eq!(stored, inventory(&[("a", &[]), ("c", &["a"])]));
    }

    #[test]
    fn what_left_the_code_and_is_forgotten_leaves_the_inventory_of_the_code() {
        let code = inventory(&[("a", &[]), ("c", &[])]);
        let mut stored = code
            .clone()
            .with_stored(&inventory(&[("a", &[]), ("b", &["a"]), ("c", &["b"])]));
        stored.keep_nodes(|name| name != "b");
        assert_eq!(code.clone().with_stored(&stored), code);
    }
}
