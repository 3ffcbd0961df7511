//! `allOf`, `anyOf`, `oneOf`, `not`.

use serde_json::Value;

use super::{
    correlation::Correlated,
    outcome::{Kind, Outcome, Problem},
    walk::Walk,
};
use crate::schema::{NodeId, Schema};

/// Checks the junctors of a schema. Of `anyOf` and `oneOf` the branch that came furthest tells what is wrong.
pub(super) fn check(walk: &mut Walk, schema: Schema<'_>, value: &Value, old: Option<Correlated<'_>>) -> Outcome {
    let mut outcome = Outcome::default();
    if let Some(rules) = schema.node().rules.as_deref() {
        any_of(walk, schema, &rules.any_of, value, old, &mut outcome);
        one_of(walk, schema, &rules.one_of, value, old, &mut outcome);
        all_of(walk, schema, &rules.all_of, value, old, &mut outcome);
        if let Some(not) = rules.not
            && walk.check_here(schema.at(not), value, old).is_valid()
        {
            outcome.add(nowhere(walk, "must not validate the schema (not)"));
        }
    }
    outcome.matches += 1;
    outcome
}

fn any_of(
    walk: &mut Walk,
    schema: Schema<'_>,
    branches: &[NodeId],
    value: &Value,
    old: Option<Correlated<'_>>,
    outcome: &mut Outcome,
) {
    let mut best: Option<Outcome> = None;
    for branch in branches {
        let result = walk.check_here(schema.at(*branch), value, old);
        if result.is_valid() {
            return outcome.merge(result);
        }
        if best.as_ref().is_none_or(|best| result.matches > best.matches) {
            best = Some(result);
        }
    }
    if let Some(best) = best {
        outcome.add(nowhere(walk, "must validate at least one schema (anyOf)"));
        outcome.merge(best);
    }
}

fn one_of(
    walk: &mut Walk,
    schema: Schema<'_>,
    branches: &[NodeId],
    value: &Value,
    old: Option<Correlated<'_>>,
    outcome: &mut Outcome,
) {
    if branches.is_empty() {
        return;
    }
    let (mut valid, mut first, mut best) = (0, None, None::<Outcome>);
    for branch in branches {
        let result = walk.check_here(schema.at(*branch), value, old);
        if result.is_valid() {
            valid += 1;
            best = None;
            first.get_or_insert(result);
        } else if valid == 0 && best.as_ref().is_none_or(|best| result.matches > best.matches) {
            best = Some(result);
        }
    }
    let found = match valid {
        1 => return outcome.merge(first.unwrap_or_default()),
        0 => "Found none valid".to_owned(),
        valid => format!("Found {valid} valid alternatives"),
    };
    outcome.add(nowhere(
        walk,
        &format!("must validate one and only one schema (oneOf). {found}"),
    ));
    outcome.merge(best.unwrap_or_default());
}

fn all_of(
    walk: &mut Walk,
    schema: Schema<'_>,
    branches: &[NodeId],
    value: &Value,
    old: Option<Correlated<'_>>,
    outcome: &mut Outcome,
) {
    let mut valid = 0;
    for branch in branches {
        let result = walk.check_here(schema.at(*branch), value, old);
        valid += usize::from(result.is_valid());
        outcome.merge(result);
    }
    if valid != branches.len() {
        let none = if valid == 0 { ". None validated" } else { "" };
        outcome.add(nowhere(walk, &format!("must validate all the schemas (allOf){none}")));
    }
}

fn nowhere(walk: &Walk, what: &str) -> Problem {
    Problem::new("", format!("{:?} {what}", walk.path()), Kind::Nowhere)
}
