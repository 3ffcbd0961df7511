//! The graph of an operator's resources: data, and the nodes behind it with their types erased.

mod belongs;
pub mod check;
mod meta;
mod node;
mod nodes;
mod outline;
mod read;
mod runner;

pub(crate) use belongs::NamedKinds;
pub use belongs::{Belongs, Hands, IsExternal, IsManifest, IsStep, Runs};
pub use meta::{Meta, Propagation, Settings};
pub use node::{After, Node};
pub use nodes::Graph;
pub use nodes::Role;
pub(crate) use nodes::{Erased, Nodes};
pub use outline::Outline;
pub(crate) use outline::Outlined;
pub use read::{Read, Reads, ReadsAnywhere};
pub use runner::{Runner, runs};
