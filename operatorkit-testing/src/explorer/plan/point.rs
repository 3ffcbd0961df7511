//! Where something can go wrong: what the operator does, counted.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A request or an operation of the operator: the how manieth of its like. So a point is found again where other requests have come
/// or gone between.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Point {
    /// What is done, without the body: `patch configmaps default/x-settings`, `create store of default/x`.
    pub what: String,
    /// The first is 1.
    pub nth: u32,
    /// What sort of thing it is.
    pub sort: Sort,
}

/// What sort of thing an operator does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Sort {
    /// A request that changes something in the cluster.
    Write,
    /// A request that reads, watches apart.
    Read,
    /// An operation of a resource outside of Kubernetes.
    Operation,
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        if self.nth > 1 {
            write!(f, " (no. {})", self.nth)?;
        }
        Ok(())
    }
}
