//! What is asked, by whom, and when.

use std::fmt;

use jiff::Timestamp;

use crate::schema::Schema;

use super::{set::FieldSet, version::Versions};

/// A change to an object of one kind, at one version.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The `fieldManager` of the request, else the beginning of its user agent. Empty: `unknown`.
    pub manager: &'a str,
    /// The version that the request speaks: `apps/v1`. All objects are given in it.
    pub api_version: &'a str,
    /// The kind.
    pub kind: &'a str,
    /// `status`, `scale`, …; empty for the object itself.
    pub subresource: &'a str,
    /// The time of the change.
    pub now: Timestamp,
    /// The schema of the kind at that version.
    pub schema: Schema<'a>,
    /// The other versions of the kind.
    pub versions: &'a dyn Versions,
    /// Fields that the strategy resets, so that nobody comes to own them here: `status` on the object itself, `spec` on
    /// `/status`. A field takes everything below it along.
    pub reset: Option<&'a FieldSet>,
    /// Whether the kind is a Go type of the real server, in which structs and required fields are always there.
    pub built_in: bool,
}

impl fmt::Debug for Request<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("manager", &self.manager)
            .field("api_version", &self.api_version)
            .field("kind", &self.kind)
            .field("subresource", &self.subresource)
            .field("now", &self.now)
            .finish_non_exhaustive()
    }
}
