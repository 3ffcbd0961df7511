//! One run that is repeated.

use std::env;

use serde::{Deserialize, Serialize};

use crate::explorer::{plan::Plan, scenario::Scenario};

/// The variable that has an explorer repeat one run.
pub(in crate::explorer) const REPLAY: &str = "OPERATORKIT_EXPLORE_REPLAY";

/// What repeats a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Seed {
    pub(super) scenario: String,
    /// What lots are drawn from.
    pub(super) lot: u64,
    pub(super) plan: Plan,
}

impl Seed {
    pub(super) fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The one plan that is to be repeated: none if it is of another scenario.
pub(super) fn replayed(scenario: &Scenario) -> Option<Vec<Plan>> {
    let text = env::var(REPLAY).ok()?;
    let seed: Seed = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{REPLAY} is no seed: {error}"));
    Some(if seed.scenario == scenario.name {
        vec![seed.plan]
    } else {
        Vec::new()
    })
}
