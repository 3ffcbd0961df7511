//! What every resource is to the graph: a name, a place, and what it comes after.

use super::{Meta, Read};
use crate::layer::Layers;

/// A resource of a graph. `#[resource]` implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a resource",
    note = "put `#[resource(order = ..)]` on the struct"
)]
pub trait Node: Send + Sync + 'static {
    /// The name, unique in the graph: what is stored goes by it.
    const NAME: &'static str;
    /// The place in the graph.
    const META: Meta;

    /// The layers around its operations, in place of the operator's; `None`, the default: the operator's. Called once, when the
    /// operator starts.
    fn layers() -> Option<Layers> {
        None
    }

    /// What it reads beside its children: each kind that its `#[resource]` names in `reads(..)`.
    fn reads() -> Vec<Read> {
        Vec::new()
    }
}

/// The resource comes after `D`, whose output it may read. `#[resource(after(D))]` implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not come after `{D}`",
    note = "add `after({D})` to the `#[resource(..)]` of `{Self}` to read that output"
)]
pub trait After<D> {}
