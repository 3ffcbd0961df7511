//! Runs an operator through two states of its object, and beside it with the second alone.

use std::{cell::Cell, env, sync::Arc, time::Instant};

use proptest::{
    strategy::Strategy,
    test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner},
};
use serde::Serialize;
use serde_json::Value;

use super::report::{Difference, Findings};
use crate::explorer::{
    ending::Ending,
    plan::Plan,
    run::{Base, How, Outcome, attempt},
    scenario::{Kind, Scenario, Step},
};

/// The variable that says how many cases there are, in place of the test.
const CASES: &str = "OPERATORKIT_STATES";
/// A case that differs is made smaller for so many further runs.
const SMALLER: u32 = 200;

/// Looks for what an operator leaves of a state that its object had before.
///
/// With `OPERATORKIT_STATES=1000` in the environment there are that many cases.
#[derive(Clone, Debug)]
#[must_use = "nothing is looked for before `run`"]
pub struct States {
    scenario: Scenario,
    field: String,
    cases: u32,
    seed: u64,
}

/// The API server refuses a state.
struct Refused(String);

impl States {
    /// Of this object, which is made in the scenario, a scenario without steps: an operator, and what there is beside it.
    ///
    /// # Panics
    /// If the object has no name or is no JSON, or the scenario has steps.
    pub fn new<K: Kind + Serialize>(scenario: Scenario, object: &K) -> Self {
        assert!(
            scenario.steps.is_empty(),
            "the states are the steps of {}",
            scenario.name
        );
        Self {
            scenario: scenario.create(object),
            field: "spec".into(),
            cases: 32,
            seed: 1,
        }
    }

    /// The field at the top of the object that the states are of; default `spec`.
    pub fn field(mut self, name: &str) -> Self {
        name.clone_into(&mut self.field);
        self
    }

    /// How many pairs of states there are; default 32.
    pub fn cases(mut self, cases: u32) -> Self {
        self.cases = cases;
        self
    }

    /// What states, UIDs and names are drawn from; default 1.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Looks, up to the first difference, whose states are then made as small as they can be.
    ///
    /// # Panics
    /// If the scenario cannot be carried out, or nearly all states are refused.
    pub fn run(self, states: impl Strategy<Value = Value>) -> Findings {
        let began = Instant::now();
        let base = Base::new(&self.scenario, self.seed).unwrap_or_else(|error| panic!("{error:#}"));
        let given = env::var(CASES).ok().map(|text| text.parse());
        let cases = given.map_or(self.cases, |cases| {
            cases.unwrap_or_else(|_| panic!("{CASES} is no number"))
        });
        let mut runner = TestRunner::new(Config {
            cases,
            failure_persistence: None,
            rng_seed: RngSeed::Fixed(self.seed),
            max_shrink_iters: SMALLER,
            max_global_rejects: 8 * cases + 64,
            ..Config::default()
        });
        let states = Arc::new(states);
        let refused = Cell::new(0);
        let tried = runner.run(&(states.clone(), states), |(a, b)| match self.compared(&base, &a, &b) {
            Ok(lines) if lines.is_empty() => Ok(()),
            Ok(lines) => Err(TestCaseError::fail(lines.join("\n"))),
            Err(Refused(why)) => {
                refused.set(refused.get() + 1);
                Err(TestCaseError::reject(why))
            }
        });
        let difference = match tried {
            Ok(()) => None,
            Err(TestError::Fail(_, (a, b))) => {
                let lines = self.compared(&base, &a, &b).unwrap_or_else(|Refused(why)| vec![why]);
                Some(Difference { a, b, lines })
            }
            Err(TestError::Abort(why)) => panic!("{}: {why}", self.scenario.name),
        };
        Findings {
            scenario: self.scenario.name,
            cases,
            refused: refused.get(),
            took: began.elapsed(),
            difference,
        }
    }

    /// How A, B, A differs from B and A, a line each.
    fn compared(&self, base: &Base, a: &Value, b: &Value) -> Result<Vec<String>, Refused> {
        let fresh = self.lived(base, &[b])?;
        let way = self.lived(base, &[a, b, a])?;
        let mut lines = Vec::new();
        for (life, outcome) in [("B", &fresh), ("A, B, A", &way)] {
            let broken = outcome.violations.iter();
            lines.extend(broken.map(|violation| format!("in {life}: {violation}")));
        }
        let [Some(of_a), Some(of_b), Some(of_a_again)] = [0, 1, 2].map(|step| way.endings.get(step)) else {
            return Ok(lines);
        };
        let [fresh] = &*fresh.endings else {
            return Ok(lines);
        };
        let compared: [(_, &Ending, &Ending); 2] = [("A, B", of_b, fresh), ("A, B, A", of_a_again, of_a)];
        for (life, ending, expected) in compared {
            let differences = ending.differences(expected, false);
            lines.extend(differences.into_iter().map(|line| format!("after {life}: {line}")));
        }
        Ok(lines)
    }

    /// The object is created with the first state, and gets the others.
    fn through(&self, states: &[&Value]) -> Scenario {
        let mut scenario = self.scenario.clone();
        let Some(Step::Create(target, object)) = scenario.steps.pop() else {
            unreachable!("it was made with this step");
        };
        for state in states {
            let step = if scenario.steps.is_empty() {
                let mut object = object.clone();
                object[&self.field] = (*state).clone();
                Step::Create(target.clone(), object)
            } else {
                Step::Set(target.clone(), format!("/{}", self.field), (*state).clone())
            };
            scenario.steps.push(step);
        }
        scenario
    }

    /// What comes of an object that has these states, one after the other.
    fn lived(&self, base: &Base, states: &[&Value]) -> Result<Outcome, Refused> {
        let how = How {
            seed: self.seed,
            version: 0,
            known: None,
        };
        let scenario = self.through(states);
        let outcome = attempt(&scenario, base, &Plan::default(), &how);
        match &outcome.refused {
            None => Ok(outcome),
            Some((step, kube::Error::Api(status))) if matches!(status.code, 400 | 403 | 422) => {
                Err(Refused(format!("{step}: {}", status.message)))
            }
            Some((step, error)) => panic!("{step}: {error}"),
        }
    }
}
