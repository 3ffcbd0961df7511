//! The undisturbed runs, and how others differ from them.

use super::{Explorer, replay::Seed};
use crate::explorer::{
    ending::Ending,
    plan::{Act, Disturbance, Event, Plan},
    plans,
    report::Failure,
    run::{Base, How, Outcome, run},
};

/// The undisturbed runs.
pub(super) struct Known {
    pub(super) first: Outcome,
    /// With the next version from the start.
    pub(super) upgraded: Option<Outcome>,
}

impl Known {
    pub(super) fn new(explorer: &Explorer, base: &Base) -> Self {
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

    pub(super) fn runs(&self) -> usize {
        1 + usize::from(self.upgraded.is_some())
    }

    /// What is wrong with a run, if anything is.
    pub(super) fn failure(&self, explorer: &Explorer, plan: &Plan, outcome: &Outcome) -> Option<Failure> {
        let differences = if outcome.violations.is_empty() {
            self.differences(explorer, plan, outcome)
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
    fn differences(&self, explorer: &Explorer, plan: &Plan, outcome: &Outcome) -> Vec<String> {
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
            let words = &explorer.scenario.steps[step];
            let told = |line| format!("after step {} ({words}): {line}", step + 1);
            all.extend(lines.into_iter().map(told));
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
