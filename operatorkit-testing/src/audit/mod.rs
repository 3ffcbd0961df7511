//! The requests that the API server saw, to be counted: the audit log of the real one, the tap of the embedded one.
//!
//! [`AuditLog::mark`] remembers a point, [`AuditLog::since`] gives the [`Requests`] after it, which narrow themselves down by user,
//! agent, namespace and verb. Each request is there once, in the order in which the API server received them; a watch
//! from its start on.

mod entry;
mod file;
mod log;
mod requests;
mod tap;

pub use self::{
    entry::{Entry, ObjectRef},
    log::{AuditLog, Mark},
    requests::Requests,
};
