//! Which node waits for which, in one direction: an acyclic relation over numbered nodes.

use super::set::NodeSet;

/// For each node the set of nodes that it waits for. Never cyclic.
///
/// It is kept twice: with the fewest edges, which is what is stored and shown, and with all that follows from them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edges {
    fewest: Vec<NodeSet>,
    all: Vec<NodeSet>,
}

impl Edges {
    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// What a node waits for directly: what follows from others is left out.
    pub(super) fn direct(&self, node: usize) -> &NodeSet {
        &self.fewest[node]
    }

    /// What a node waits for, directly or through others.
    pub(super) fn all(&self, node: usize) -> &NodeSet {
        &self.all[node]
    }

    /// The direct edges, node and what it waits for, each after those of what it waits for.
    pub(super) fn in_turn(&self) -> impl Iterator<Item = (usize, usize)> {
        let mut nodes: Vec<_> = (0..self.len()).collect();
        // Who waits for a node waits for more than that node does.
        nodes.sort_by_cached_key(|&node| self.all[node].iter().count());
        nodes
            .into_iter()
            .flat_map(|node| self.fewest[node].iter().map(move |other| (node, other)))
    }

    /// Every edge, also those that follow from others.
    pub(super) fn every(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.len()).flat_map(|node| self.all[node].iter().map(move |other| (node, other)))
    }

    /// The same relation with every edge turned round.
    pub(super) fn reversed(&self) -> Self {
        Self {
            fewest: reversed(&self.fewest),
            all: reversed(&self.all),
        }
    }
}

fn reversed(sets: &[NodeSet]) -> Vec<NodeSet> {
    let mut reversed = vec![NodeSet::none(sets.len()); sets.len()];
    for (node, set) in sets.iter().enumerate() {
        set.iter().for_each(|other| reversed[other].insert(node));
    }
    reversed
}

/// [`Edges`] in the making.
#[derive(Debug)]
pub(super) struct Growing {
    /// What was added and did not follow from what was there.
    added: Vec<NodeSet>,
    all: Vec<NodeSet>,
}

impl Growing {
    /// No edge between so many nodes.
    pub(super) fn new(nodes: usize) -> Self {
        let none = vec![NodeSet::none(nodes); nodes];
        Self {
            added: none.clone(),
            all: none,
        }
    }

    /// Lets `node` wait for `other`. Returns `false`, and changes nothing, if that would close a cycle.
    ///
    /// It is quick if what `other` waits for was added before: see [`in_turn`].
    pub(super) fn add(&mut self, node: usize, other: usize) -> bool {
        if node == other || self.all[other].contains(node) {
            return false;
        }
        if self.all[node].contains(other) {
            return true;
        }
        self.added[node].insert(other);
        let mut gained = self.all[other].clone();
        gained.insert(other);
        self.all[node].extend(&gained);
        for waiting in self.all.iter_mut().filter(|all| all.contains(node)) {
            waiting.extend(&gained);
        }
        true
    }

    /// The edges, reduced to the fewest that mean the same (unique, since there is no cycle).
    pub(super) fn done(self) -> Edges {
        let fewest = |added: &NodeSet| {
            let mut fewest = added.clone();
            added.iter().for_each(|through| fewest.subtract(&self.all[through]));
            fewest
        };
        Edges {
            fewest: self.added.iter().map(fewest).collect(),
            all: self.all,
        }
    }
}

/// The nodes in an order in which each comes after what it waits for, as far as there is no cycle.
pub(super) fn in_turn(waits: &[Vec<usize>]) -> Vec<usize> {
    let (mut seen, mut turn) = (NodeSet::none(waits.len()), Vec::with_capacity(waits.len()));
    // Not recursive: a path may be as long as somebody's edited text.
    let mut path = Vec::new();
    for start in 0..waits.len() {
        let mut step = Some(start).filter(|&start| !seen.contains(start));
        loop {
            if let Some(node) = step {
                seen.insert(node);
                path.push((node, waits[node].iter()));
            }
            let Some((node, left)) = path.last_mut() else { break };
            step = left.find(|&&next| !seen.contains(next)).copied();
            if step.is_none() {
                turn.push(*node);
                path.pop();
            }
        }
    }
    turn
}
