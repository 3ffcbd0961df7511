//! Both orders of a graph, from what its resources say about their places.

use super::{Order, edges::Growing};
use crate::graph::Meta;

/// What a resource says about its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NodeSpec {
    pub(crate) name: String,
    /// It waits for every resource with a lower number.
    pub(crate) order: Option<i64>,
    /// Its deletion waits until every resource with a lower number is gone.
    pub(crate) delete_order: Option<i64>,
    /// It waits for these.
    pub(crate) after: Vec<String>,
    /// Its deletion waits until these are gone.
    pub(crate) delete_after: Vec<String>,
}

impl From<&Meta> for NodeSpec {
    fn from(meta: &Meta) -> Self {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        Self {
            name: meta.name.to_owned(),
            order: meta.order,
            delete_order: meta.delete_order,
            after: names(meta.after),
            delete_after: names(meta.delete_after),
        }
    }
}

/// Both orders of a graph, over the same resources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) create: Order,
    pub(crate) delete: Order,
}

impl Shape {
    /// The orders that the resources ask for; the indices of both are the places in `nodes`.
    ///
    /// # Errors
    /// If they wait for each other or for one that is not there, or if two share a name. `#[operator]` makes that a
    /// compile error; a graph written by hand may come this far.
    pub(crate) fn new(nodes: &[NodeSpec]) -> Result<Self, String> {
        let create = asked(nodes, |node| node.order, |node| &node.after)?;
        let said = nodes
            .iter()
            .any(|node| node.delete_order.is_some() || !node.delete_after.is_empty());
        let delete = if said {
            asked(nodes, |node| node.delete_order, |node| &node.delete_after)
                .map_err(|why| format!("in the order of deletion, {why}"))?
        } else {
            let names = nodes.iter().map(|node| node.name.clone()).collect();
            Order::new(names, create.edges().reversed())
        };
        Ok(Self { create, delete })
    }
}

fn asked(
    nodes: &[NodeSpec],
    number: fn(&NodeSpec) -> Option<i64>,
    after: fn(&NodeSpec) -> &[String],
) -> Result<Order, String> {
    let names: Vec<_> = nodes.iter().map(|node| node.name.clone()).collect();
    let mut edges = Growing::new(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        if names[..index].contains(&node.name) {
            return Err(format!("two resources have the name `{}`", node.name));
        }
        let barrier = (0..nodes.len()).filter(
            |&other| matches!((number(node), number(&nodes[other])), (Some(mine), Some(theirs)) if theirs < mine),
        );
        let explicit = after(node).iter().map(|name| {
            let place = names.iter().position(|other| other == name);
            place.ok_or_else(|| format!("`{}` waits for `{name}`, which is not a resource", node.name))
        });
        for other in barrier.map(Ok).chain(explicit) {
            let other = other?;
            if !edges.add(index, other) {
                return Err(cycle(&Order::new(names, edges.done()), index, other));
            }
        }
    }
    Ok(Order::new(names, edges.done()))
}

/// The cycle that `node` closes by waiting for `other`, which waits for it already.
fn cycle(order: &Order, node: usize, other: usize) -> String {
    let edges = order.edges();
    let mut text = format!(
        "resources wait for each other: `{}` -> `{}`",
        order.name(node),
        order.name(other)
    );
    let mut at = other;
    while at != node {
        let mut direct = edges.direct(at).iter();
        match direct.find(|&next| next == node || edges.all(next).contains(node)) {
            Some(next) => at = next,
            None => break,
        }
        text = text + " -> `" + order.name(at) + "`";
    }
    text + ": a higher number waits for every lower one; change a number or remove an edge"
}
