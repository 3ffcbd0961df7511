//! Carries out plan after plan, on all processors, and leaves out of those that fail what does not matter.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use super::{Explorer, known::Known};
use crate::explorer::{
    plan::Plan,
    report::Failure,
    run::{Base, How, Outcome, run},
};

impl Explorer {
    /// Runs all plans, on as many threads as there are processors: how many runs there were, in how many of them all of the plan has come,
    /// and what was found.
    pub(super) fn run_all(&self, base: &Base, known: &Known, plans: &[Plan]) -> ((usize, usize), Vec<Failure>) {
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
