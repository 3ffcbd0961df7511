//! What was found, for people.

use std::{fmt, time::Duration};

use serde_json::Value;

/// What [`States`](super::States) have found.
#[derive(Clone, Debug)]
#[must_use = "it says whether something was found"]
pub struct Findings {
    /// The scenario's name.
    pub scenario: String,
    /// How many pairs of states there were to be.
    pub cases: u32,
    /// How many more the API server has refused.
    pub refused: u32,
    /// How long it took, by the clock on the wall.
    pub took: Duration,
    /// The first difference, with states that are as small as they can be.
    pub difference: Option<Difference>,
}

/// Two states of an object of which the second does not end as it should.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The first state.
    pub a: Value,
    /// The second.
    pub b: Value,
    /// What was there and should not have been, or was missing.
    pub lines: Vec<String>,
}

impl Findings {
    /// Says how much was tried.
    ///
    /// # Panics
    /// With the states and the differences, if there is one.
    #[track_caller]
    pub fn assert_none(&self) {
        assert!(self.difference.is_none(), "{self}");
        eprintln!("{self}");
    }
}

impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            scenario,
            cases,
            refused,
            took,
            ..
        } = self;
        let took = took.as_secs_f32();
        write!(
            f,
            "{scenario}: {cases} pairs of states in {took:.1} s, {refused} more were refused: "
        )?;
        match &self.difference {
            None => f.write_str("no difference"),
            Some(difference) => write!(f, "THEY DIFFER\n{difference}"),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  A: {}\n  B: {}", self.a, self.b)?;
        for line in &self.lines {
            writeln!(f, "  {line}")?;
        }
        Ok(())
    }
}
