//! The order of named resources in one direction, and how the code's and a stored one come together.

use std::collections::{BTreeSet, HashMap};

use super::edges::{Edges, Growing, in_turn};

/// The order of named resources in one direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    names: Vec<String>,
    edges: Edges,
}

impl Order {
    /// The names must be unique, and as many as the edges have nodes.
    pub(super) fn new(names: Vec<String>, edges: Edges) -> Self {
        Self { names, edges }
    }

    /// An order as it was stored: for each resource the names of what it waits for.
    ///
    /// A stored text may have been edited, so it is read as far as it makes sense: what names nothing, and what would
    /// close a cycle, is left out; a name that comes again adds its edges to the first.
    pub(crate) fn stored<'a>(nodes: impl Iterator<Item = (&'a str, &'a [String])> + Clone) -> Self {
        let (names, index) = numbered(nodes.clone().map(|(name, _)| name));
        let mut asked = vec![Vec::new(); names.len()];
        for (name, waits) in nodes {
            asked[index[name]].extend(waits.iter().filter_map(|name| index.get(name.as_str())));
        }
        let mut edges = Growing::new(names.len());
        for node in in_turn(&asked) {
            asked[node].iter().for_each(|&other| {
                edges.add(node, other);
            });
        }
        Self::new(names, edges.done())
    }

    /// This order, with what only `other` knows added at the end.
    ///
    /// A deletion is the stored order `with` the code's, a prune the code's `with` the stored one. The rules:
    ///
    /// - Between two resources that this order knows, only this order counts.
    /// - Where at least one is new, what `other` says of the two holds, also if it says so by way of a third.
    /// - What would close a cycle is left out: this order goes before `other`, and what `other` says directly before
    ///   what it says by way of a third.
    pub(crate) fn with(&self, other: &Self) -> Self {
        let known = self.names.len();
        let (names, index) = numbered(self.names.iter().chain(&other.names).map(String::as_str));
        let mut edges = Growing::new(names.len());
        for (node, waits) in self.edges.in_turn() {
            edges.add(node, waits);
        }
        let place: Vec<_> = other.names.iter().map(|name| index[name.as_str()]).collect();
        let theirs = other.edges.in_turn().chain(other.edges.every());
        for (node, waits) in theirs.map(|(node, waits)| (place[node], place[waits])) {
            if node >= known || waits >= known {
                edges.add(node, waits);
            }
        }
        Self::new(names, edges.done())
    }

    /// This order, and resources that nobody knows a place for: they wait for nothing.
    pub(crate) fn with_unplaced(&self, names: impl IntoIterator<Item = String>) -> Self {
        let unplaced: BTreeSet<_> = names.into_iter().collect();
        self.with(&Self::stored(unplaced.iter().map(|name| (name.as_str(), &[][..]))))
    }

    /// This order over some of its resources: what one says of another by way of a third that is left out still holds.
    pub(crate) fn only(&self, keep: impl Fn(&str) -> bool) -> Self {
        let kept: Vec<_> = (0..self.names.len()).filter(|&node| keep(&self.names[node])).collect();
        let mut edges = Growing::new(kept.len());
        let place = |node: usize| kept.binary_search(&node).ok();
        for (node, waits) in self.edges.every() {
            if let (Some(node), Some(waits)) = (place(node), place(waits)) {
                edges.add(node, waits);
            }
        }
        Self::new(
            kept.iter().map(|&node| self.names[node].clone()).collect(),
            edges.done(),
        )
    }

    /// For each resource when its turn comes at the earliest: 1 for one that waits for nothing, 2 for one that waits for such, and so
    /// on.
    #[cfg(feature = "dev")]
    pub(crate) fn turns(&self) -> Vec<usize> {
        let mut turns = vec![1; self.names.len()];
        for (node, waits) in self.edges.in_turn() {
            turns[node] = turns[node].max(turns[waits] + 1);
        }
        turns
    }

    pub(crate) fn edges(&self) -> &Edges {
        &self.edges
    }

    pub(crate) fn name(&self, index: usize) -> &str {
        &self.names[index]
    }

    pub(crate) fn index(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// The names of what a resource waits for directly.
    pub(crate) fn waits(&self, index: usize) -> Vec<String> {
        let direct = self.edges.direct(index).iter();
        direct.map(|other| self.names[other].clone()).collect()
    }
}

/// Each name once, where it comes first, and the place of each.
fn numbered<'a>(all: impl Iterator<Item = &'a str>) -> (Vec<String>, HashMap<&'a str, usize>) {
    let (mut names, mut index) = (Vec::new(), HashMap::new());
    for name in all {
        index.entry(name).or_insert_with(|| {
            names.push(name.to_owned());
            names.len() - 1
        });
    }
    (names, index)
}
