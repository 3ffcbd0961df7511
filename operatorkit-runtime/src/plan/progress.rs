//! How far a pass has come, and what may start next.

use super::{Edges, set::NodeSet};

/// How a node that was started ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Ready; backwards: gone.
    Done,
    /// Left out of this pass: counts as done for those that wait for it.
    Skipped,
    /// Not yet: what depends on it does not start.
    Held,
    /// An error: what depends on it does not start.
    Failed,
    /// Nothing further starts; what runs already may end as it likes.
    Cancelled,
}

/// One pass over the nodes, in one direction. It is over when nothing that was started is still running and
/// [`start`](Self::start) returns nothing.
#[derive(Debug)]
pub(crate) struct Plan<'a> {
    edges: &'a Edges,
    /// Not started.
    waiting: NodeSet,
    /// Done or skipped.
    settled: NodeSet,
    /// Whether something may have become free to start since it was last looked.
    changed: bool,
    cancelled: bool,
}

impl<'a> Plan<'a> {
    pub(crate) fn new(edges: &'a Edges) -> Self {
        Self {
            edges,
            waiting: NodeSet::all(edges.len()),
            settled: NodeSet::none(edges.len()),
            changed: true,
            cancelled: false,
        }
    }

    /// The nodes that may start now, in ascending order; each is returned once, and counts as started.
    pub(crate) fn start(&mut self) -> impl Iterator<Item = usize> + use<> {
        let mut now = NodeSet::none(self.edges.len());
        if std::mem::take(&mut self.changed) && !self.cancelled {
            let may = |&node: &usize| self.edges.direct(node).is_within(&self.settled);
            self.waiting.iter().filter(may).for_each(|node| now.insert(node));
            self.waiting.subtract(&now);
        }
        now.into_nodes()
    }

    /// Says how a started node ended.
    pub(crate) fn finish(&mut self, node: usize, outcome: Outcome) {
        debug_assert!(!self.waiting.contains(node), "a node ended that was not started");
        match outcome {
            Outcome::Done | Outcome::Skipped => {
                self.settled.insert(node);
                self.changed = true;
            }
            Outcome::Cancelled => self.cancelled = true,
            Outcome::Held | Outcome::Failed => {}
        }
    }

    /// What keeps a node from starting: of what it waits for directly, what is neither done nor skipped. Empty if it
    /// started, and if only a stop kept it from starting.
    pub(crate) fn held(&self, node: usize) -> Vec<usize> {
        let direct = self.edges.direct(node).iter();
        direct.filter(|&other| !self.settled.contains(other)).collect()
    }
}
