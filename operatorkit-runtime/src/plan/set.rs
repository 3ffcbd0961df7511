//! A set of nodes, a bit each: up to 64 nodes cost no allocation.

/// A set of nodes of a graph whose size is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NodeSet {
    first: u64,
    /// What the nodes from 64 on need. Sets of one graph are equally long.
    rest: Box<[u64]>,
}

impl NodeSet {
    /// The empty set for a graph of so many nodes.
    pub(super) fn none(nodes: usize) -> Self {
        Self {
            first: 0,
            rest: vec![0; nodes.saturating_sub(1) / 64].into(),
        }
    }

    /// Every node of a graph of so many nodes.
    pub(super) fn all(nodes: usize) -> Self {
        let mut all = Self::none(nodes);
        (0..nodes).for_each(|node| all.insert(node));
        all
    }

    pub(super) fn insert(&mut self, node: usize) {
        *self.word_mut(node) |= 1 << (node % 64);
    }

    pub(super) fn contains(&self, node: usize) -> bool {
        self.word(node / 64) & (1 << (node % 64)) != 0
    }

    pub(super) fn is_within(&self, other: &Self) -> bool {
        (0..=self.rest.len()).all(|word| self.word(word) & !other.word(word) == 0)
    }

    pub(super) fn extend(&mut self, other: &Self) {
        self.first |= other.first;
        self.rest
            .iter_mut()
            .zip(&other.rest)
            .for_each(|(mine, theirs)| *mine |= theirs);
    }

    pub(super) fn subtract(&mut self, other: &Self) {
        self.first &= !other.first;
        self.rest
            .iter_mut()
            .zip(&other.rest)
            .for_each(|(mine, theirs)| *mine &= !theirs);
    }

    /// The nodes of the set, in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        (0..=self.rest.len()).flat_map(|word| bits(word, self.word(word)))
    }

    /// The same without a borrow.
    pub(super) fn into_nodes(self) -> impl Iterator<Item = usize> {
        bits(0, self.first).chain((1..).zip(self.rest).flat_map(|(word, set)| bits(word, set)))
    }

    fn word(&self, word: usize) -> u64 {
        if word == 0 { self.first } else { self.rest[word - 1] }
    }

    fn word_mut(&mut self, node: usize) -> &mut u64 {
        match node / 64 {
            0 => &mut self.first,
            word => &mut self.rest[word - 1],
        }
    }
}

/// The nodes that a word of a set stands for.
fn bits(word: usize, mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let node = (set != 0).then(|| word * 64 + set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        node
    })
}
