//! One run of a scenario: its own server, its own paused clock, and a plan of what goes wrong.
//!
//! | module | what |
//! |---|---|
//! | `stage` | what the parts of a run share: which points were crossed, what happened, what the judge says |
//! | `wire` | between the operator and the server: where requests are disturbed |
//! | `crossings` | between the operator and its resources: where operations are disturbed |
//! | `conduct` | takes the steps, starts and kills the operator, waits until all is quiet |
//! | `act` | what other users do |
//! | `base` | the server that every run begins with |

mod act;
mod base;
mod conduct;
mod crossings;
mod refusal;
mod request;
mod stage;
mod wire;

use std::time::Duration;

use self::conduct::conduct;
pub use self::crossings::Crossings;
pub(super) use self::{act::PAUSE, base::Base, request::is_aside, stage::Line};
use super::{
    ending::Ending,
    judge::{History, Violation},
    plan::{Plan, Point},
    scenario::Scenario,
};

/// How long nothing may have happened before all is quiet: longer than the resync of the operator and the longest watch.
pub(super) const QUIET: Duration = Duration::from_secs(400);
/// After this long it should have become quiet.
const PATIENCE: Duration = Duration::from_hours(3);

/// What came of a run.
#[derive(Debug)]
pub(super) struct Outcome {
    /// What the operator did, in order.
    pub(super) points: Vec<Point>,
    /// The children and the watches that there were.
    pub(super) history: History,
    /// What was there after each step; fewer than there are steps if the run was broken off.
    pub(super) endings: Vec<Ending>,
    /// Where the operator's points of each step begin.
    pub(super) starts: Vec<usize>,
    pub(super) violations: Vec<Violation>,
    pub(super) timeline: Vec<Line>,
    /// Whether every disturbance of the plan has come.
    pub(super) met: bool,
    /// The step that the server has refused, and why.
    pub(super) refused: Option<(String, kube::Error)>,
}

/// How a run is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct How<'a> {
    /// What UIDs and names are drawn from.
    pub(super) seed: u64,
    /// Which version of the operator starts.
    pub(super) version: usize,
    /// What there was in the undisturbed run.
    pub(super) known: Option<&'a History>,
}

/// Runs a scenario with a plan, on a runtime and with a clock of its own.
///
/// # Panics
/// If a step is refused.
pub(super) fn run(scenario: &Scenario, base: &Base, plan: &Plan, how: &How<'_>) -> Outcome {
    let outcome = attempt(scenario, base, plan, how);
    if let Some((step, error)) = &outcome.refused {
        panic!("{step}: {error}");
    }
    outcome
}

/// The same, where a step may be refused.
pub(super) fn attempt(scenario: &Scenario, base: &Base, plan: &Plan, how: &How<'_>) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap_or_else(|error| panic!("make a runtime: {error}"));
    runtime.block_on(conduct(scenario, base, plan, how))
}
