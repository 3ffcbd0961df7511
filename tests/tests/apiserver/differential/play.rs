//! A case, played on both servers at once, up to the first answer that differs.

use std::fmt;

use super::{
    accepted,
    kind::Kind,
    side::{Side, Told, kind},
    step::Step,
};
use crate::{script::difference, server::Server};

/// What differs in a case.
#[derive(Clone, Debug)]
pub(super) struct Difference {
    before: Vec<Told>,
    /// Which step differs; none if it is the end.
    pub(super) step: Option<usize>,
    real: Told,
    embedded: Told,
}

impl Difference {
    /// What a smaller case must share to count as the same: kind of request, and both codes.
    pub(super) fn sign(&self) -> String {
        let head = |told: &Told| told.answered.first().cloned().unwrap_or_default();
        let verb = self.real.asked.split(' ').next().unwrap_or_default().to_owned();
        let media = self
            .real
            .asked
            .split("content-type: ")
            .nth(1)
            .and_then(|rest| rest.lines().next());
        format!(
            "{verb} {} real {} embedded {}",
            media.unwrap_or_default(),
            head(&self.real),
            head(&self.embedded)
        )
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for told in &self.before {
            writeln!(
                f,
                "{}\n    {}",
                told.asked,
                told.answered.first().map_or("", String::as_str)
            )?;
        }
        if self.real.asked != self.embedded.asked {
            writeln!(f, "asked differently: {}", self.embedded.asked)?;
        }
        writeln!(f, "{}", self.real.asked)?;
        let lines = difference(&self.real.answered, &self.embedded.answered);
        for line in lines.lines() {
            writeln!(f, "  {line}")?;
        }
        Ok(())
    }
}

/// Plays a case; an error if they answer differently.
pub(super) async fn play(real: &Server, embedded: &Server, steps: &[Step]) -> Result<(), Box<Difference>> {
    let (mut real, mut embedded) = tokio::join!(Side::new(real), Side::new(embedded));
    let mut kinds: Vec<&'static Kind> = Vec::new();
    for kind in steps.iter().map(kind) {
        if !kinds.iter().any(|known| known.kind == kind.kind) {
            kinds.push(kind);
        }
    }
    let same = compared(&mut real, &mut embedded, steps, &kinds).await;
    tokio::join!(real.clean(&kinds), embedded.clean(&kinds));
    same
}

async fn compared(
    real: &mut Side,
    embedded: &mut Side,
    steps: &[Step],
    kinds: &[&'static Kind],
) -> Result<(), Box<Difference>> {
    let mut before = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let (of_real, of_embedded) = tokio::join!(real.step(step), embedded.step(step));
        compare(&mut before, Some(at), of_real, of_embedded)?;
    }
    let (of_real, of_embedded) = tokio::join!(real.end(kinds), embedded.end(kinds));
    compare(&mut before, None, of_real, of_embedded)?;
    let (of_real, of_embedded) = tokio::join!(real.events(), embedded.events());
    compare(&mut before, None, of_real, of_embedded)
}

fn compare(
    before: &mut Vec<Told>,
    step: Option<usize>,
    real: Vec<Told>,
    embedded: Vec<Told>,
) -> Result<(), Box<Difference>> {
    let nothing = || Told {
        asked: String::new(),
        answered: vec!["not asked".into()],
    };
    let count = real.len().max(embedded.len());
    let (mut real, mut embedded) = (real.into_iter(), embedded.into_iter());
    for _ in 0..count {
        let (real, embedded) = (
            real.next().unwrap_or_else(nothing),
            embedded.next().unwrap_or_else(nothing),
        );
        if !accepted::same(&real.answered, &embedded.answered) {
            return Err(Box::new(Difference {
                before: before.clone(),
                step,
                real,
                embedded,
            }));
        }
        before.push(real);
    }
    Ok(())
}
