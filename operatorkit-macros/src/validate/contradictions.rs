//! The rules of policies that contradict each other.

use super::keys::find;
use crate::{diagnostics::Diagnostics, syntax::Entry};

/// Two keys that cannot both hold, and why. Reported on the second.
const PAIRS: [(&str, &str, &str); 11] = [
    ("retired", "adopt", RETIRED),
    ("retired", "replace", RETIRED),
    ("retired", "ready_within", RETIRED),
    ("retired", "owner_reference", RETIRED),
    ("retired", "initial", RETIRED),
    (
        "on_delete",
        "replace",
        "what is to be left behind cannot be deleted to make it again",
    ),
    (
        "on_delete",
        "delete_propagation",
        "what is to be left behind is never deleted",
    ),
    (
        "on_delete",
        "owner_reference",
        "the garbage collector would delete what is to be left behind",
    ),
    (
        "yaml",
        "recover",
        "what a file makes are Kubernetes objects, which are found by their names",
    ),
    (
        "yaml",
        "reads",
        "a file knows its object only; implement `Manifest` with `yaml!(\"..\")` and its `fill_with` to give it more",
    ),
    (
        "delete_after",
        "owner_reference",
        "the garbage collector deletes what has an owner reference in no order",
    ),
];

const RETIRED: &str = "a retired resource is only deleted, nothing is made for it";

/// Rule: no two policies contradict each other.
pub(super) fn contradictions(entries: &[Entry], errors: &Diagnostics) {
    for (one, other, why) in PAIRS {
        if find(entries, one).is_some()
            && let Some(entry) = find(entries, other)
        {
            errors.error(
                &entry.key,
                format!("`{one}` and `{other}` contradict each other: {why}; remove one of them"),
            );
        }
    }
}
