//! The time that passes between a Pod's failure and the next Pod: 10 s, twice as much after each further failure.

use jiff::Timestamp;
use serde_json::Value;

use super::Controller;
use super::pods::failures;
use crate::control::workloads::pod::ended_at;
use crate::control::workloads::time;
use crate::read::text;

const FIRST: i64 = 10;
const LONGEST: i64 = 600;

impl Controller<'_> {
    /// When the next Pod can be made after the failures since the last success. The real controller remembers them; here
    /// they are seen by the Pods that are still there.
    pub(super) fn next_try(&self) -> Option<Timestamp> {
        let ends = |phase: &str| -> Vec<Timestamp> {
            let ended = self.pods.iter().filter(|pod| match phase {
                "Failed" => self.is_failed(pod),
                _ => text(pod, "/status/phase") == phase,
            });
            ended.filter_map(|pod| ended_at(pod)).collect()
        };
        let success = ends("Succeeded").into_iter().max();
        let failed: Vec<Timestamp> = ends("Failed")
            .into_iter()
            .filter(|end| success.is_none_or(|success| *end > success))
            .collect();
        let last = failed.iter().max()?;
        Some(time::after(*last, duration(failed.len())))
    }
}

/// When the next Pod of an index can be made.
pub(super) fn next_try_of(last_failed: Option<&&Value>) -> Option<Timestamp> {
    let failed = last_failed?;
    let failures = usize::try_from(failures(failed) + 1).unwrap_or(usize::MAX);
    Some(time::after(ended_at(failed)?, duration(failures)))
}

fn duration(failures: usize) -> i64 {
    let doublings = u32::try_from(failures.saturating_sub(1)).unwrap_or(u32::MAX).min(10);
    (FIRST << doublings).min(LONGEST)
}
