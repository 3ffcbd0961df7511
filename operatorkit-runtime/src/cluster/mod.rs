//! The API server: the only module that talks to it, and what its answers mean.

mod discovery;
mod events;
mod failure;
mod kind;
mod lean;
mod leases;
mod managed;
#[cfg(test)]
mod mock;
mod op;
mod read;
mod requests;
mod send;
mod target;
#[cfg(test)]
mod tests;
mod watch;
mod writes;

pub(crate) use events::{EventType, Events};
pub(crate) use failure::Failure;
pub(crate) use kind::{Kind, StaticScope};
pub(crate) use managed::GivenUp;
pub(crate) use op::{Op, pointer};
pub(crate) use requests::{Deleted, Part, PropagationPolicy};
pub(crate) use send::Cluster;
pub(crate) use watch::{Shown, Sink, watch};
