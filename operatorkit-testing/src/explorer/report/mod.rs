//! What was found, for people.

mod fold;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    time::Duration,
};

use self::fold::{Piece, folded};
use super::{explore::REPLAY, judge::Violation, plan::Plan, run::Line};

/// What an [`Explorer`](super::Explorer) has found.
#[derive(Debug, Default)]
#[must_use = "a report says whether something was found"]
pub struct Report {
    /// The scenario's name.
    pub scenario: String,
    /// How many runs there were, the undisturbed ones included.
    pub runs: usize,
    /// At how many writes and operations the operator can crash.
    pub crash_points: usize,
    /// How many different plans were carried out: all that goes wrong in them has come.
    pub plans: usize,
    /// How long it took, by the clock on the wall.
    pub took: Duration,
    /// What was found; the shortest first.
    pub failures: Vec<Failure>,
}

/// A run that broke a rule, or did not end as the undisturbed one.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What went wrong in it.
    pub plan: Plan,
    /// What repeats it: the value of `OPERATORKIT_EXPLORE_REPLAY`.
    pub seed: String,
    /// The rules that were broken.
    pub violations: Vec<Violation>,
    /// What was there in the end and should not have been, or was missing.
    pub differences: Vec<String>,
    pub(super) timeline: Vec<Line>,
}

/// More lines than this are not read by anybody.
const LINES: usize = 150;

impl Report {
    /// Says how much was explored.
    ///
    /// # Panics
    /// With the report, if something was found.
    #[track_caller]
    pub fn assert_clean(&self) {
        assert!(self.failures.is_empty(), "{self}");
        eprintln!("{self}");
    }

    /// The rules that were broken in some run.
    pub fn broken_rules(&self) -> BTreeSet<&str> {
        let violations = self.failures.iter().flat_map(|failure| &failure.violations);
        violations.map(|violation| violation.rule).collect()
    }
}

/// How much several explorers have explored: a line for each, and the sum.
#[derive(Debug, Default)]
pub struct Totals {
    lines: Vec<String>,
    runs: usize,
    crash_points: usize,
    plans: usize,
    took: Duration,
}

impl Totals {
    /// Adds what one has explored.
    pub fn add(&mut self, report: &Report) {
        self.lines.push(report.line());
        self.runs += report.runs;
        self.crash_points += report.crash_points;
        self.plans += report.plans;
        self.took += report.took;
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            writeln!(f, "{line}")?;
        }
        write!(
            f,
            "{} scenarios in all: {}",
            self.lines.len(),
            counts(self.runs, self.took, self.crash_points, self.plans),
        )
    }
}

fn counts(runs: usize, took: Duration, crash_points: usize, plans: usize) -> String {
    format!(
        "{runs} runs in {:.1} s, {crash_points} crash points, {plans} distinct plans",
        took.as_secs_f32(),
    )
}

impl Report {
    fn line(&self) -> String {
        let found = match self.failures.len() {
            0 => "nothing found".to_owned(),
            1 => "ONE FAILURE".to_owned(),
            some => format!("{some} FAILURES"),
        };
        let counts = counts(self.runs, self.took, self.crash_points, self.plans);
        format!("{}: {counts}: {found}", self.scenario)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.line())?;
        let Some((shortest, others)) = self.failures.split_first() else {
            return Ok(());
        };
        write!(f, "\nThe shortest run that fails: {shortest}")?;
        if !others.is_empty() {
            write!(f, "\n\nOthers that fail, by what is broken:")?;
        }
        let mut groups = BTreeMap::<&str, Vec<&Failure>>::new();
        for failure in others {
            groups.entry(failure.broken()).or_default().push(failure);
        }
        for (rule, failures) in &groups {
            write!(f, "\n  {rule}: {}, such as {}", failures.len(), failures[0].plan)?;
        }
        Ok(())
    }
}

impl Failure {
    /// The first rule that is broken, which is mostly the cause of what comes after it.
    fn broken(&self) -> &'static str {
        let first = self.violations.first();
        first.map_or("it ends otherwise than the undisturbed run", |violation| violation.rule)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.plan)?;
        let pieces = folded(&self.timeline);
        for piece in pieces.iter().take(LINES) {
            match piece {
                Piece::Line(line) => writeln!(f, "  {:>9.3} s  {}", line.at.as_secs_f64(), line.text)?,
                Piece::Again {
                    lines,
                    times,
                    until,
                    same,
                } => {
                    let alike = if *same { "" } else { ", with other numbers" };
                    let until = until.as_secs_f64();
                    writeln!(
                        f,
                        "             … the last {lines} lines again, {times} times until {until:.3} s{alike}"
                    )?;
                }
            }
        }
        if pieces.len() > LINES {
            writeln!(f, "  … and {} lines more", pieces.len() - LINES)?;
        }
        for Violation { at, rule, seen } in &self.violations {
            writeln!(f, "  {:>9.3} s  BROKEN: {rule}: {seen}", at.as_secs_f64())?;
        }
        for difference in &self.differences {
            writeln!(f, "  not as in the undisturbed run: {difference}")?;
        }
        write!(f, "to repeat it: {REPLAY}='{}'", self.seed)
    }
}
