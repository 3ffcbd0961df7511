//! No two operators of a program claim the same: a name, an earlier name, another program's finalizer on objects of the same kind.

use std::collections::BTreeMap;

use anyhow::bail;

use super::runnable::Runnable;

/// What an operator claims as its own.
pub(super) struct Claims {
    name: String,
    /// The kind of its objects, for people.
    kind: String,
    formerly: &'static [&'static str],
    legacy_finalizers: &'static [&'static str],
}

impl From<&dyn Runnable> for Claims {
    fn from(operator: &dyn Runnable) -> Self {
        Self {
            name: operator.name(),
            kind: operator.kind(),
            formerly: operator.formerly(),
            legacy_finalizers: operator.legacy_finalizers(),
        }
    }
}

/// Refuses operators that would undo what the other does.
pub(super) fn check(operators: &[Claims]) -> anyhow::Result<()> {
    names(operators)?;
    former(operators)?;
    legacy_finalizers(operators)
}

fn names(operators: &[Claims]) -> anyhow::Result<()> {
    each_once(
        operators.iter().map(|operator| (&*operator.name, &*operator.name)),
        |name, _| {
            format!(
                "two operators are named `{name}`, so that each would undo what the other does: give one a `name` of its own"
            )
        },
    )
}

/// What is left under an earlier name is taken over by one operator, and not while another one writes it.
fn former(operators: &[Claims]) -> anyhow::Result<()> {
    let claims = || {
        operators.iter().flat_map(|operator| {
            let earlier = operator.formerly.iter().map(|&former| (former, &*operator.name));
            // A default name may stand in its own list: no macro can know it.
            earlier.filter(|(former, name)| former != name)
        })
    };
    for (former, of) in claims() {
        if operators.iter().any(|operator| operator.name == former) {
            bail!(
                "the operator `{of}` was `formerly` called `{former}`, and another one of this program is called so now: \
                 it would take away what that one makes"
            );
        }
    }
    each_once(claims(), |former, [one, other]| {
        format!(
            "the operators `{one}` and `{other}` were both `formerly` called `{former}`: one of them takes over what is left of it"
        )
    })
}

/// An object that is being deleted with such a finalizer only would go as soon as the first of the two is done.
fn legacy_finalizers(operators: &[Claims]) -> anyhow::Result<()> {
    let all = operators.iter().flat_map(|operator| {
        let finalizers = operator.legacy_finalizers.iter();
        finalizers.map(|finalizer| ((&*operator.kind, *finalizer), &*operator.name))
    });
    each_once(all, |(kind, finalizer), [one, other]| {
        format!(
            "the operators `{one}` and `{other}` of {kind} both have `{finalizer}` among their `legacy_finalizers`: \
             the first to take it off would not wait for the other"
        )
    })
}

/// Refuses what two operators claim; the names of both go into the text.
fn each_once<'a, T: Ord>(
    claims: impl IntoIterator<Item = (T, &'a str)>,
    refusal: impl Fn(&T, [&str; 2]) -> String,
) -> anyhow::Result<()> {
    let mut claimed = BTreeMap::<T, &str>::new();
    for (claim, operator) in claims {
        if let Some(other) = claimed.get(&claim) {
            bail!(refusal(&claim, [other, operator]));
        }
        claimed.insert(claim, operator);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    type Said = (
        &'static str,
        &'static str,
        &'static [&'static str],
        &'static [&'static str],
    );

    fn checked(operators: [Said; 2]) -> Result<(), String> {
        let operators = operators.map(|(name, kind, formerly, legacy_finalizers)| Claims {
            name: name.to_owned(),
            kind: kind.to_owned(),
            formerly,
            legacy_finalizers,
        });
        check(&operators).map_err(|err| err.to_string())
    }

    #[test]
    fn an_earlier_name_is_neither_another_ones_name_nor_its_earlier_one() {
        let taken = checked([("new", "A", &["old"], &[]), ("old", "B", &[], &[])]).unwrap_err();
        assert!(taken.contains("`new` was `formerly` called `old`"), "{taken}");
        let other_way = checked([("old", "B", &[], &[]), ("new", "A", &["older", "old"], &[])]).unwrap_err();
        assert_eq!(other_way, taken);
        let both = checked([("one", "A", &["old"], &[]), ("two", "A", &["old"], &[])]).unwrap_err();
        assert!(
            both.contains("`one` and `two` were both `formerly` called `old`"),
            "{both}"
        );
        assert_eq!(
            checked([("one", "A", &["old", "one"], &[]), ("two", "A", &["older"], &[])]),
            Ok(())
        );
    }

    #[test]
    fn a_finalizer_of_another_program_has_one_successor_for_each_kind() {
        let both = checked([("one", "A", &[], &["x/y"]), ("two", "A", &[], &["x/z", "x/y"])]).unwrap_err();
        assert!(both.contains("`one` and `two` of A both have `x/y`"), "{both}");
        assert_eq!(
            checked([("one", "A", &[], &["x/y"]), ("two", "B", &[], &["x/y"])]),
            Ok(())
        );
    }
}
