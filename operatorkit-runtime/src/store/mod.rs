//! What the watches and our own writes have shown: the objects of the kind, and the children.

mod child;
mod children;
mod object;
mod objects;
mod version;

pub(crate) use child::{ChildEntry, ChildKey, Freshness};
pub(crate) use children::{ChildStore, Relist};
pub(crate) use object::ObjectEntry;
pub(crate) use objects::ObjectStore;
pub(crate) use version::Version;
