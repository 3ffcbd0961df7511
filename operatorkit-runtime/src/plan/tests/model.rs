//! Random graphs, and the rules as they are written for users, spelt out slowly.

use std::ops::RangeInclusive;

use proptest::{collection::vec, prelude::*};

use super::super::{NodeSpec, Order, Outcome};

/// Whether a node (first index) has to wait for another (second).
pub(super) type Relation = Vec<Vec<bool>>;

/// For each node its number, and what it comes after.
type Places = Vec<(Option<i64>, Vec<String>)>;

/// Resources with barriers and edges in both directions, without a cycle. In half of the graphs nothing is said about
/// deletion.
pub(super) fn specs(nodes: RangeInclusive<usize>) -> impl Strategy<Value = Vec<NodeSpec>> {
    nodes.prop_flat_map(|nodes| {
        (places(nodes), places(nodes), any::<bool>()).prop_map(|(create, delete, said)| {
            let spec = |(index, ((order, after), (delete_order, delete_after)))| NodeSpec {
                name: name(index),
                order,
                delete_order: if said { delete_order } else { None },
                after,
                delete_after: if said { delete_after } else { Vec::new() },
            };
            create.into_iter().zip(delete).enumerate().map(spec).collect()
        })
    })
}

/// Numbers and edges both follow a hidden rank, so that there is no cycle; nodes with and without number mix.
fn places(nodes: usize) -> impl Strategy<Value = Places> {
    let ranks = Just((0..nodes).collect::<Vec<_>>()).prop_shuffle();
    let said = vec((0..=1_i64, any::<bool>(), any::<u8>(), any::<u8>()), nodes);
    (ranks, said).prop_map(move |(ranks, said)| {
        let mut number = 0;
        let mut places = vec![(None, Vec::new()); nodes];
        for (rank, (step, numbered, some, of_them)) in said.into_iter().enumerate() {
            number += step;
            // A quarter of the eight before it.
            let chosen = (0..8.min(rank)).filter(|back| some & of_them & (1 << back) != 0);
            let after = chosen.map(|back| name(ranks[rank - 1 - back])).collect();
            places[ranks[rank]] = (numbered.then_some(number), after);
        }
        places
    })
}

fn name(index: usize) -> String {
    format!("r{index}")
}

/// The same resources under names that are `by` places on.
pub(super) fn renamed(mut specs: Vec<NodeSpec>, by: usize) -> Vec<NodeSpec> {
    let rename = |old: &mut String| *old = name(old[1..].parse::<usize>().unwrap() + by);
    for node in &mut specs {
        rename(&mut node.name);
        node.after.iter_mut().chain(&mut node.delete_after).for_each(rename);
    }
    specs
}

pub(super) fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        12 => Just(Outcome::Done),
        2 => Just(Outcome::Skipped),
        1 => Just(Outcome::Held),
        1 => Just(Outcome::Failed),
        1 => Just(Outcome::Cancelled),
    ]
}

/// What the rules for creation say of each pair.
pub(super) fn creation(specs: &[NodeSpec]) -> Relation {
    let waits =
        |node: &NodeSpec, other: &NodeSpec| is_lower(other.order, node.order) || node.after.contains(&other.name);
    closed(relation(specs.len(), |node, other| waits(&specs[node], &specs[other])))
}

/// What the rules for deletion say of each pair.
pub(super) fn deletion(specs: &[NodeSpec]) -> Relation {
    let waits = |node: &NodeSpec, other: &NodeSpec| {
        is_lower(other.delete_order, node.delete_order) || node.delete_after.contains(&other.name)
    };
    let says = |node: &NodeSpec| node.delete_order.is_some() || !node.delete_after.is_empty();
    if specs.iter().any(says) {
        closed(relation(specs.len(), |node, other| waits(&specs[node], &specs[other])))
    } else {
        let create = creation(specs);
        relation(specs.len(), |node, other| create[other][node])
    }
}

fn is_lower(theirs: Option<i64>, mine: Option<i64>) -> bool {
    matches!((theirs, mine), (Some(theirs), Some(mine)) if theirs < mine)
}

pub(super) fn relation(nodes: usize, holds: impl Fn(usize, usize) -> bool) -> Relation {
    let row = |node| (0..nodes).map(|other| holds(node, other)).collect();
    (0..nodes).map(row).collect()
}

/// A relation with all that follows from it.
pub(super) fn closed(mut relation: Relation) -> Relation {
    let nodes = relation.len();
    for through in 0..nodes {
        for node in 0..nodes {
            for other in 0..nodes {
                relation[node][other] |= relation[node][through] && relation[through][other];
            }
        }
    }
    relation
}

/// A closed relation without a cycle.
pub(super) fn is_acyclic(relation: &Relation) -> bool {
    (0..relation.len()).all(|node| !relation[node][node])
}

/// What an order says of each pair.
pub(super) fn said(order: &Order) -> Relation {
    let edges = order.edges();
    relation(edges.len(), |node, other| edges.all(node).contains(other))
}

/// What an order says of each pair directly.
pub(super) fn said_directly(order: &Order) -> Relation {
    let edges = order.edges();
    relation(edges.len(), |node, other| edges.direct(node).contains(other))
}
