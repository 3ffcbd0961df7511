//! The rules of a resource's policies: what becomes of what it made, and how far it goes in making it.

use super::{duration::seconds, pointers::fields, values};
use crate::{
    diagnostics::Diagnostics,
    model::{Policy, Propagation},
    syntax::Entry,
};

/// What the keys of policies say, in the order in which they stand.
pub(super) fn policies(entries: &[Entry], errors: &Diagnostics) -> Vec<Policy> {
    let policy = |entry: &Entry| match entry.name().as_str() {
        "on_delete" => one_of(entry, &[("keep", Policy::Keep)], errors),
        "retired" => values::flag(entry, errors).then_some(Policy::Retired),
        "optional" => values::flag(entry, errors).then_some(Policy::Optional),
        "adopt" => values::flag(entry, errors).then_some(Policy::Adopt),
        "replace" => one_of(entry, &[("recreate", Policy::Recreate)], errors),
        "ready_within" => ready_within(entry, errors),
        "delete_propagation" => one_of(entry, &PROPAGATIONS, errors),
        "owner_reference" => values::flag(entry, errors).then_some(Policy::OwnerReference),
        "initial" => initial(entry, errors),
        _ => None,
    };
    entries.iter().filter_map(policy).collect()
}

/// The policies of a DELETE (meta/v1, `DeletionPropagation`).
const PROPAGATIONS: [(&str, Policy); 3] = [
    ("Foreground", Policy::DeletePropagation(Propagation::Foreground)),
    ("Background", Policy::DeletePropagation(Propagation::Background)),
    ("Orphan", Policy::DeletePropagation(Propagation::Orphan)),
];

/// Rule: the value is one of these strings.
fn one_of(entry: &Entry, choices: &[(&str, Policy)], errors: &Diagnostics) -> Option<Policy> {
    let value = values::string(entry, choices[0].0, errors)?;
    let chosen = choices.iter().find(|(text, _)| *text == value.value());
    if chosen.is_none() {
        let texts = choices
            .iter()
            .map(|(text, _)| format!("`{} = \"{text}\"`", entry.name()));
        let texts = texts.collect::<Vec<_>>().join(", ");
        let text = match choices.len() {
            1 => format!("`{}` has one value: {texts}", entry.name()),
            _ => format!("`{}` has these values: {texts}", entry.name()),
        };
        errors.error(value, text);
    }
    chosen.map(|(_, policy)| policy.clone())
}

/// Rule: a time that is not nothing.
fn ready_within(entry: &Entry, errors: &Diagnostics) -> Option<Policy> {
    let text = values::string(entry, "10m", errors)?;
    let seconds = seconds(&text.value()).filter(|seconds| *seconds > 0);
    if seconds.is_none() {
        let why = "`ready_within` needs a time of at least a second, in `d`, `h`, `m` and `s`, the largest first: \"10m\", \"90s\", \"1h 30m\"";
        errors.error(&text, why);
    }
    seconds.map(Policy::ReadyWithin)
}

/// The fields of `initial(..)`.
fn initial(entry: &Entry, errors: &Diagnostics) -> Option<Policy> {
    let fields = fields(values::strings(entry, "\"/spec/replicas\"", errors), errors);
    (!fields.is_empty()).then_some(Policy::Initial(fields))
}
