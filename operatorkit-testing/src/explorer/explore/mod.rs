//! Runs a scenario with every plan.
//!
//! | module | what |
//! |---|---|
//! | `known` | the undisturbed runs, and how others differ from them |
//! | `search` | plan after plan, on all processors |
//! | `replay` | one run that is repeated |

mod known;
mod replay;
mod search;

use std::{env, time::Instant};

pub(super) use self::replay::REPLAY;
use self::{known::Known, replay::replayed};
use super::{plan::Plan, plans, report::Report, run::Base, scenario::Scenario};

/// The variable that has explorers take their time: no limit, and pairs.
const LONG: &str = "OPERATORKIT_EXPLORE";
/// How many pairs a long run has, of each scenario.
const LONG_PAIRS: usize = 5_000;
/// After so many failures it is known that there are some.
const ENOUGH: usize = 20;

/// Looks for what an operator does not survive.
///
/// Of a plan with several things that go wrong, and that fails, is told what suffices.
///
/// With `OPERATORKIT_EXPLORE=long` in the environment no [limit](Self::at_most) counts, and there are at least 5000 [pairs](Self::pairs). With
/// `OPERATORKIT_EXPLORE_REPLAY` only the run is repeated that a report has named.
#[derive(Clone, Debug)]
#[must_use = "an explorer does nothing before `run`"]
pub struct Explorer {
    scenario: Scenario,
    seed: u64,
    limit: usize,
    pairs: usize,
    enough: usize,
}

impl Explorer {
    /// All single things that can go wrong.
    pub fn new(scenario: Scenario) -> Self {
        let long = env::var(LONG).is_ok_and(|value| value == "long");
        Self {
            scenario,
            seed: 1,
            limit: usize::MAX,
            pairs: if long { LONG_PAIRS } else { 0 },
            enough: ENOUGH,
        }
    }

    /// What UIDs, names and lots are drawn from; default 1.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// So many plans at most, drawn by lot; default all.
    pub fn at_most(mut self, plans: usize) -> Self {
        if self.pairs < LONG_PAIRS {
            self.limit = plans;
        }
        self
    }

    /// So many plans with two things that go wrong besides, drawn by lot; default none.
    pub fn pairs(mut self, pairs: usize) -> Self {
        self.pairs = self.pairs.max(pairs);
        self
    }

    /// Stop at the first failure; by default it goes on until there are twenty.
    pub fn until_found(mut self) -> Self {
        self.enough = 1;
        self
    }

    /// Explores.
    ///
    /// # Panics
    /// If the scenario cannot be carried out: a CRD is refused, say, or a step.
    pub fn run(self) -> Report {
        let began = Instant::now();
        let base = Base::new(&self.scenario, self.seed).unwrap_or_else(|error| panic!("{error:#}"));
        let known = Known::new(&self, &base);
        let mut report = Report {
            scenario: self.scenario.name.clone(),
            runs: known.runs(),
            crash_points: plans::crash_points(&known.first),
            ..Report::default()
        };
        let failures = known.failure(&self, &Plan::default(), &known.first);
        let plans = match replayed(&self.scenario) {
            Some(plans) => plans,
            None => self.plans(&known),
        };
        let (runs, found) = if failures.is_some() {
            ((0, 0), Vec::new())
        } else {
            self.run_all(&base, &known, &plans)
        };
        report.runs += runs.0;
        report.plans = runs.1;
        report.failures.extend(failures);
        report.failures.extend(found);
        report
            .failures
            .sort_by_key(|failure| (failure.plan.0.len(), failure.timeline.len()));
        report.took = began.elapsed();
        report
    }

    fn plans(&self, known: &Known) -> Vec<Plan> {
        let singles = plans::singles(&self.scenario, &known.first, known.upgraded.is_some().into());
        let pairs = plans::pairs(&singles, self.pairs, self.seed);
        let mut plans = singles;
        if plans.len() > self.limit {
            fastrand::Rng::with_seed(self.seed).shuffle(&mut plans);
            plans.truncate(self.limit);
        }
        plans.extend(pairs);
        plans
    }
}
