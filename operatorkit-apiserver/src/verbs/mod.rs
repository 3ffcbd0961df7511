//! What is done with objects: create, get, list, update, patch, delete, deletecollection, watch.
//!
//! | module | what |
//! |---|---|
//! | [`call`] | one request about a resource, and what it is answered with |
//! | [`ingest`] | a body into an object: types, unknown fields, defaults |
//! | [`create`], [`update`], [`patch`], [`delete`] | the writes |
//! | [`deletion`] | what a deletion makes of an object |
//! | [`read`], [`list`], [`watch`] | the reads |
//! | [`selection`] | which objects a client has selected |
//! | [`strategy`] | what a kind adds to all of these |
//! | [`ownership`] | who owns which fields |
//! | [`limits`] | the LimitRanges of a namespace |
//! | [`priority`] | the priority of a new Pod |
//! | [`runtime_class`] | what the class of a new Pod asks for |
//! | [`admission`] | what is allowed and allocated, and what a write brings about |
//! | [`namespace`] | whether a namespace takes new objects |

pub(crate) mod admission;
pub(crate) mod call;
pub(crate) mod continuation;
pub(crate) mod create;
pub(crate) mod delete;
mod deletion;
pub(crate) mod ingest;
pub(crate) mod limits;
pub(crate) mod list;
pub(crate) mod namespace;
pub(crate) mod ownership;
pub(crate) mod patch;
pub(crate) mod priority;
pub(crate) mod read;
mod runtime_class;
pub(crate) mod selection;
pub(crate) mod strategy;
pub(crate) mod update;
pub(crate) mod watch;

pub(crate) use call::{Call, Outcome, Shown};
