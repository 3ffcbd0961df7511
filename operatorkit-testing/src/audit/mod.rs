//! The requests that the API server saw: its audit log, to be counted.
//!
//! [`AuditLog::mark`] remembers a point, [`AuditLog::since`] gives the [`Requests`] after it, which narrow themselves down by user,
//! agent, namespace and verb. Each request is there once, in the order in which the API server received them; a watch
//! from its start on.

mod entry;
mod log;
mod requests;

pub use self::{
    entry::{Entry, ObjectRef},
    log::{AuditLog, Mark},
    requests::Requests,
};
