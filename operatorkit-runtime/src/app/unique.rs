//! No two operators of a program claim the same: a name, an earlier name, another program's finalizer on objects of the same kind.

use std::collections::BTreeMap;

use anyhow::bail;

use super::runnable::Runnable;

/// Refuses operators that would undo what the other does.
pub(super) fn check(operators: &[Box<dyn Runnable>]) -> anyhow::Result<()> {
    names(operators)?;
    former(operators)?;
    legacy_finalizers(operators)
}

fn names(operators: &[Box<dyn Runnable>]) -> anyhow::Result<()> {
    each_once(
        operators.iter().map(|operator| (operator.name(), operator.name())),
        |name, _| {
            format!(
                "two operators are named `{name}`, so that each would undo what the other does: give one a `name` of its own"
            )
        },
    )
}

/// What is left under an earlier name is taken over by one operator, and not while another one writes it.
fn former(operators: &[Box<dyn Runnable>]) -> anyhow::Result<()> {
    let claims = || {
        operators.iter().flat_map(|operator| {
            let earlier = operator.formerly().iter().map(|&former| (former, operator.name()));
            // A default name may stand in its own list: no macro can know it.
            earlier.filter(|(former, name)| former != name)
        })
    };
    for (former, of) in claims() {
        if operators.iter().any(|operator| operator.name() == former) {
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
fn legacy_finalizers(operators: &[Box<dyn Runnable>]) -> anyhow::Result<()> {
    let all = operators.iter().flat_map(|operator| {
        let finalizers = operator.legacy_finalizers().iter();
        finalizers.map(|finalizer| ((operator.kind(), *finalizer), operator.name()))
    });
    each_once(all, |(kind, finalizer), [one, other]| {
        format!(
            "the operators `{one}` and `{other}` of {kind} both have `{finalizer}` among their `legacy_finalizers`: \
             the first to take it off would not wait for the other"
        )
    })
}

/// Refuses what two operators claim; the names of both go into the text.
fn each_once<T: Ord>(
    claims: impl IntoIterator<Item = (T, String)>,
    refusal: impl Fn(&T, [&str; 2]) -> String,
) -> anyhow::Result<()> {
    let mut claimed = BTreeMap::<T, String>::new();
    for (claim, operator) in claims {
        if let Some(other) = claimed.get(&claim) {
            bail!(refusal(&claim, [other, &operator]));
        }
        claimed.insert(claim, operator);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use futures::future::BoxFuture;
    use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
    use tokio_util::sync::CancellationToken;

    use super::*;
    use crate::app::{Env, RunSettings, rights};

    struct Named {
        name: &'static str,
        kind: &'static str,
        formerly: &'static [&'static str],
        legacy: &'static [&'static str],
    }

    impl Runnable for Named {
        fn name(&self) -> String {
            self.name.to_owned()
        }

        fn kind(&self) -> String {
            self.kind.to_owned()
        }

        fn formerly(&self) -> &'static [&'static str] {
            self.formerly
        }

        fn legacy_finalizers(&self) -> &'static [&'static str] {
            self.legacy
        }

        fn crd(&self) -> Option<CustomResourceDefinition> {
            None
        }

        fn needs(&self) -> anyhow::Result<rights::Needs> {
            Ok(rights::Needs::default())
        }

        fn release<'a>(
            &self,
            _: kube::Client,
            _: &'a crate::release::Asked,
            _: crate::release::Tell<'a>,
        ) -> futures::future::LocalBoxFuture<'a, anyhow::Result<()>> {
            Box::pin(async { Ok(()) })
        }

        #[cfg(feature = "dev")]
        fn resource(&self) -> kube::api::ApiResource {
            kube::api::ApiResource::erase::<k8s_openapi::api::core::v1::ConfigMap>(&())
        }

        #[cfg(feature = "dev")]
        fn graph(&self) -> Vec<(&'static str, [usize; 2])> {
            Vec::new()
        }

        fn run(
            self: Box<Self>,
            _env: Env,
            _settings: RunSettings,
            _shutdown: CancellationToken,
        ) -> BoxFuture<'static, anyhow::Result<()>> {
            Box::pin(async { Ok(()) })
        }
    }

    type Said = (
        &'static str,
        &'static str,
        &'static [&'static str],
        &'static [&'static str],
    );

    fn checked(operators: [Said; 2]) -> Result<(), String> {
        let operators = operators.map(|(name, kind, formerly, legacy)| {
            let named = Named {
                name,
                kind,
                formerly,
                legacy,
            };
            Box::new(named) as Box<dyn Runnable>
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
