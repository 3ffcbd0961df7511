//! Runs a scenario with every plan, on all processors.

use std::{
    env,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Instant,
};

use super::{
    ending::Ending,
    plan::{Act, Disturbance, Event, Plan},
    plans,
    report::{Failure, REPLAY, Report, Seed},
    run::{Base, How, Outcome, run},
    scenario::Scenario,
};

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

    /// Runs all plans, on as many threads as there are processors: how many runs there were, in how many of them all of the plan has come,
    /// and what was found.
    fn run_all(&self, base: &Base, known: &Known, plans: &[Plan]) -> ((usize, usize), Vec<Failure>) {
        let [next, runs, met] = [0, 0, 0].map(AtomicUsize::new);
        let failures = Mutex::new(Vec::new());
        let lock = || failures.lock().unwrap_or_else(PoisonError::into_inner);
        let work = || {
            while let Some(plan) = plans.get(next.fetch_add(1, Ordering::Relaxed)) {
                if lock().len() >= self.enough {
                    break;
                }
                let outcome = self.run_one(base, known, plan);
                runs.fetch_add(1, Ordering::Relaxed);
                met.fetch_add(outcome.met.into(), Ordering::Relaxed);
                let Some(failure) = known.failure(self, plan, &outcome) else {
                    continue;
                };
                let (failure, tried) = self.shrunk(base, known, failure);
                runs.fetch_add(tried, Ordering::Relaxed);
                let mut found = lock();
                if found.iter().all(|other: &Failure| other.plan != failure.plan) {
                    found.push(failure);
                }
            }
        };
        let threads = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
        let counts = (runs.into_inner(), met.into_inner());
        (counts, failures.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    fn run_one(&self, base: &Base, known: &Known, plan: &Plan) -> Outcome {
        let how = How {
            seed: self.seed,
            version: 0,
            known: Some(&known.first.history),
        };
        run(&self.scenario, base, plan, &how)
    }

    /// What suffices of a failing plan: one disturbance after the other is left out for as long as it still fails. And how many runs that took.
    fn shrunk(&self, base: &Base, known: &Known, mut failure: Failure) -> (Failure, usize) {
        let mut tried = 0;
        let mut at = 0;
        while failure.plan.0.len() > 1 && at < failure.plan.0.len() {
            let mut less = failure.plan.clone();
            less.0.remove(at);
            tried += 1;
            match known.failure(self, &less, &self.run_one(base, known, &less)) {
                Some(shorter) => failure = shorter,
                None => at += 1,
            }
        }
        (failure, tried)
    }
}

/// The one plan that is to be repeated: none if it is of another scenario.
fn replayed(scenario: &Scenario) -> Option<Vec<Plan>> {
    let text = env::var(REPLAY).ok()?;
    let seed: Seed = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{REPLAY} is no seed: {error}"));
    Some(if seed.scenario == scenario.name {
        vec![seed.plan]
    } else {
        Vec::new()
    })
}

/// The undisturbed runs.
struct Known {
    first: Outcome,
    /// With the next version from the start.
    upgraded: Option<Outcome>,
}

impl Known {
    fn new(explorer: &Explorer, base: &Base) -> Self {
        let versions = (explorer.scenario.subject)().versions.len();
        let undisturbed = |version| {
            let how = How {
                seed: explorer.seed,
                version,
                known: None,
            };
            run(&explorer.scenario, base, &Plan::default(), &how)
        };
        Self {
            first: undisturbed(0),
            upgraded: (versions > 1).then(|| undisturbed(1)),
        }
    }

    fn runs(&self) -> usize {
        1 + usize::from(self.upgraded.is_some())
    }

    /// What is wrong with a run, if anything is.
    fn failure(&self, explorer: &Explorer, plan: &Plan, outcome: &Outcome) -> Option<Failure> {
        let differences = if outcome.violations.is_empty() {
            self.differences(plan, outcome)
        } else {
            Vec::new()
        };
        if outcome.violations.is_empty() && differences.is_empty() {
            return None;
        }
        let seed = Seed {
            scenario: explorer.scenario.name.clone(),
            lot: explorer.seed,
            plan: plan.clone(),
        };
        Some(Failure {
            plan: plan.clone(),
            seed: seed.text(),
            violations: outcome.violations.clone(),
            differences,
            timeline: outcome.timeline.clone(),
        })
    }

    /// How what was there after each step differs from the undisturbed run.
    fn differences(&self, plan: &Plan, outcome: &Outcome) -> Vec<String> {
        let upgraded_in = self.upgraded_in(plan);
        let last = outcome.endings.len().saturating_sub(1);
        let only_last = plan.acts().any(Act::ends_lives);
        let mut all = Vec::new();
        for (step, ending) in outcome.endings.iter().enumerate() {
            if only_last && step < last {
                continue;
            }
            let known = match &self.upgraded {
                Some(upgraded) if upgraded_in.is_some_and(|first| step >= first) => upgraded,
                _ => &self.first,
            };
            let expected: &Ending = &known.endings[step];
            let lines = ending.differences(expected, plan.has_acts());
            all.extend(lines.into_iter().map(|line| format!("after step {}: {line}", step + 1)));
        }
        all
    }

    /// In which step the next version starts, if the plan says so.
    fn upgraded_in(&self, plan: &Plan) -> Option<usize> {
        let point = plan.0.iter().find_map(|it| match it {
            Disturbance::At(point, Event::Before(Act::Upgrade)) => Some(point),
            _ => None,
        })?;
        let index = self.first.points.iter().position(|it| it == point)?;
        Some(plans::step_of(&self.first, index))
    }
}
