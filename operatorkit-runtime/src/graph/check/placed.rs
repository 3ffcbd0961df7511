//! The rule that a resource says nothing of what it does not do.

use super::text::Text;
use crate::{
    graph::{Role, Runner, Settings},
    operator::Operator,
};

/// Rule: what is about children stands at a `Manifest`, what is about a thing outside of Kubernetes at an `External`.
#[track_caller]
pub const fn placed<O: Operator, R>(runner: &Runner<O, R>) {
    if let Some((key, at)) = misplaced(&runner.meta.settings, runner.role) {
        Text::new()
            .push("resource `")
            .push(runner.meta.name)
            .push("` is ")
            .push(match runner.role {
                Role::Manifest => "a `Manifest`",
                Role::External => "an `External`",
                Role::Step => "a `Step`",
            })
            .push(", where `")
            .push(key)
            .push("` would do nothing: remove it, it is for ")
            .push(at)
            .raise()
    }
}

/// A key that would do nothing, and what it is for.
pub(crate) const fn misplaced(settings: &Settings, role: Role) -> Option<(&'static str, &'static str)> {
    let keys = [
        (settings.any_namespace, "namespaces"),
        (settings.optional, "optional"),
        (settings.adopt, "adopt"),
        (settings.recreate, "replace"),
        (settings.delete_propagation.is_some(), "delete_propagation"),
        (settings.owner_reference, "owner_reference"),
        (!settings.initial.is_empty(), "initial"),
    ];
    let mut at = 0;
    while at < keys.len() {
        let (set, key) = keys[at];
        if set && !matches!(role, Role::Manifest) {
            return Some((key, "a `Manifest`"));
        }
        at += 1;
    }
    if settings.manual_recovery && !matches!(role, Role::External) {
        return Some(("recover", "an `External`"));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Meta, Propagation};

    #[test]
    fn what_is_about_children_is_for_a_manifest() {
        let all = [
            (Meta::new("x").any_namespace(), "namespaces"),
            (Meta::new("x").optional(), "optional"),
            (Meta::new("x").adopt(), "adopt"),
            (Meta::new("x").recreate(), "replace"),
            (
                Meta::new("x").delete_propagation(Propagation::Orphan),
                "delete_propagation",
            ),
            (Meta::new("x").owner_reference(), "owner_reference"),
            (Meta::new("x").initial(&["/spec"]), "initial"),
        ];
        for (meta, key) in all {
            assert_eq!(misplaced(&meta.settings, Role::Manifest), None);
            for role in [Role::External, Role::Step] {
                assert_eq!(misplaced(&meta.settings, role), Some((key, "a `Manifest`")));
            }
        }
    }

    #[test]
    fn a_recovery_is_for_an_external_and_the_rest_for_all() {
        let manual = Meta::new("x").manual_recovery().settings;
        assert_eq!(misplaced(&manual, Role::External), None);
        for role in [Role::Manifest, Role::Step] {
            assert_eq!(misplaced(&manual, role), Some(("recover", "an `External`")));
        }
        let any = Meta::new("x")
            .keep()
            .retired()
            .ready_within(std::time::Duration::from_secs(1));
        for role in [Role::Manifest, Role::External, Role::Step] {
            assert_eq!(misplaced(&any.settings, role), None);
        }
    }
}
