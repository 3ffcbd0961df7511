//! What a kind is called.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A kind, with its group and version.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
pub struct GroupVersionKind {
    /// The API group; empty for the core.
    pub group: Box<str>,
    /// `v1`.
    pub version: Box<str>,
    /// `Pod`.
    pub kind: Box<str>,
}

impl GroupVersionKind {
    /// A kind.
    pub fn new(group: &str, version: &str, kind: &str) -> Self {
        Self {
            group: group.into(),
            version: version.into(),
            kind: kind.into(),
        }
    }
}

/// As Kubernetes prints it: `apps/v1, Kind=Deployment`.
impl fmt::Display for GroupVersionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.group.is_empty() {
            write!(f, "{}/", self.group)?;
        }
        write!(f, "{}, Kind={}", self.version, self.kind)
    }
}
