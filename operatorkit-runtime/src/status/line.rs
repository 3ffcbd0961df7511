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
    /// Since when it is in this phase, RFC 3339. Where a wait has become `Failed` for `NotReadyInTime`, since when it waits.
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

/// The reason of a line, and of `Ready`, where a resource that says `ready_within` waits for longer.
pub(crate) const NOT_READY_IN_TIME: &str = "NotReadyInTime";

impl ResourceStatus {
    /// Whether the resource waits, if need be for too long.
    pub(crate) fn is_wait(&self) -> bool {
        self.phase == Phase::Waiting.as_str() || self.reason == NOT_READY_IN_TIME
    }

    /// This line with the time of the line before it, if the phase is the same, or the wait.
    pub(crate) fn since(mut self, before: Option<&Self>, now: Timestamp) -> Self {
        let goes_on = |before: &Self| before.phase == self.phase || (before.is_wait() && self.is_wait());
        let same = before.filter(|before| goes_on(before) && !before.since.is_empty());
        self.since = same.map_or_else(|| time(now), |before| before.since.clone());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_that_takes_too_long_keeps_the_time_when_it_began() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let line = |phase: Phase, reason: &str| ResourceStatus {
            phase: phase.as_str().into(),
            reason: reason.into(),
            ..ResourceStatus::default()
        };
        let waiting = line(Phase::Waiting, "").since(None, at(1));
        let overdue = line(Phase::Failed, NOT_READY_IN_TIME).since(Some(&waiting), at(9));
        assert_eq!(overdue.since, waiting.since);
        assert_eq!(
            line(Phase::Waiting, "").since(Some(&overdue), at(10)).since,
            waiting.since
        );
        assert_ne!(
            line(Phase::Failed, "Quota").since(Some(&waiting), at(10)).since,
            waiting.since
        );
        assert_ne!(
            line(Phase::Ready, "").since(Some(&overdue), at(10)).since,
            waiting.since
        );
    }
}
