//! The line of a resource in the status.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::condition::time;

/// How a resource of the graph is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResourceStatus {
    /// The resource's name.
    pub name: String,
    /// One of `Ready`, `Waiting`, `Failed`, `Skipped`, `Pending`, `Cancelled`, `Deleting`, `Deleted`.
    pub phase: String,
    /// Why, in CamelCase.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Why, for a person.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// Since when it is in this phase, RFC 3339.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub since: String,
    /// The resources that this one waits for before it may start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting_on: Vec<String>,
}

/// The phase of a resource after a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It is as desired.
    Ready,
    /// It runs, and is not ready yet.
    Waiting,
    /// It answered an error.
    Failed,
    /// It left itself out.
    Skipped,
    /// It has not started: something that it waits for is not there.
    Pending,
    /// It stopped the pass, or was stopped.
    Cancelled,
    /// It is being deleted.
    Deleting,
    /// It is gone.
    Deleted,
}

impl Phase {
    /// The word in the status.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ready => "Ready",
            Self::Waiting => "Waiting",
            Self::Failed => "Failed",
            Self::Skipped => "Skipped",
            Self::Pending => "Pending",
            Self::Cancelled => "Cancelled",
            Self::Deleting => "Deleting",
            Self::Deleted => "Deleted",
        }
    }
}

impl ResourceStatus {
    /// This line with the time of the line before it, if the phase is the same.
    pub(crate) fn since(mut self, before: Option<&Self>, now: Timestamp) -> Self {
        let same = before.filter(|before| before.phase == self.phase && !before.since.is_empty());
        self.since = same.map_or_else(|| time(now), |before| before.since.clone());
        self
    }
}
