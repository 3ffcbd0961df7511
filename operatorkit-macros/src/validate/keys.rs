//! Which keys there are, and what is said of those that there are not.

use std::collections::BTreeSet;

use crate::{diagnostics::Diagnostics, names::suggestion, syntax::Entry};

/// The keys of an attribute.
pub(super) struct Keys {
    /// Those that stand once at most.
    pub(super) once: &'static [&'static str],
    /// Those that may stand more often.
    pub(super) repeated: &'static [&'static str],
    /// Those that are not taken, with the reason.
    refused: &'static [(&'static str, &'static str)],
}

impl Keys {
    pub(super) const fn new(once: &'static [&'static str], repeated: &'static [&'static str]) -> Self {
        Self {
            once,
            repeated,
            refused: &[],
        }
    }

    fn known(&self) -> Vec<&'static str> {
        [self.once, self.repeated].concat()
    }
}

/// Keys of `#[operator]`.
pub(super) const OPERATOR: &Keys = &Keys {
    once: &[
        "group",
        "version",
        "kind",
        "namespaced",
        "status",
        "resources",
        "name",
        "selector",
        "field_selector",
        "value",
        "for",
        "orphans",
        "formerly",
        "legacy_finalizers",
        "crate",
        "plural",
        "singular",
        "doc",
        "scale",
        "storage",
        "served",
        "deprecated",
        "layers",
        "paused_deletion",
    ],
    repeated: &[
        "shortname",
        "category",
        "printcolumn",
        "selectable",
        "derive",
        "attr",
        "annotation",
        "label",
        "pause",
        "validation",
    ],
    refused: &[
        (
            "crates",
            "operatorkit sets kube's `crates` itself; use `crate = path` if operatorkit is renamed or re-exported",
        ),
        (
            "cel",
            "`cel` is not taken: the API server evaluates the rules of `validation(..)`, and no code here does; check the spec in `desired` for \
             what they cannot say",
        ),
        (
            "schema",
            "`schema` is not taken: it is always derived, since a CRD without one cannot be installed",
        ),
        (
            "root",
            "`root` is not taken: the type of the objects has the name of the kind; rename the spec struct instead",
        ),
        (
            "no_spec",
            "`no_spec` is not taken: the struct is the `spec`, and a kind without one is not supported",
        ),
    ],
};

/// Keys of `#[resource]`.
pub(super) const RESOURCE: &Keys = &Keys {
    once: &[
        "order",
        "after",
        "delete_order",
        "delete_after",
        "name",
        "namespaces",
        "recover",
        "adopt",
        "replace",
        "ready_within",
        "delete_propagation",
        "owner_reference",
        "initial",
        "on_delete",
        "retired",
        "optional",
        "crate",
        "layers",
        "yaml",
    ],
    repeated: &["reads"],
    refused: &[],
};

/// Keys of `#[data]`.
pub(super) const DATA: &Keys = &Keys::new(&["crate"], &["validation"]);

/// Rule: each key is known, and stands once unless it may be repeated. `place` goes before the text.
pub(super) fn check(entries: &[Entry], keys: &Keys, place: &str, errors: &Diagnostics) {
    let mut seen = BTreeSet::new();
    for entry in entries {
        let name = entry.name();
        let repeated = keys.repeated.contains(&name.as_str());
        if let Some((_, why)) = keys.refused.iter().find(|(key, _)| *key == name) {
            errors.error(&entry.key, why);
        } else if !keys.once.contains(&name.as_str()) && !repeated {
            let known = keys.known();
            let meant = match suggestion(&name, &known) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("the keys are `{}`", known.join("`, `")),
            };
            errors.error(&entry.key, format!("{place}unknown key `{name}`: {meant}"));
        } else if !seen.insert(name.clone()) && !repeated {
            errors.error(&entry.key, format!("{place}`{name}` stands twice: remove one of them"));
        }
    }
}

/// The entry with this key; the first, if it stands twice.
pub(super) fn find<'a>(entries: &'a [Entry], key: &str) -> Option<&'a Entry> {
    entries.iter().find(|entry| entry.name() == key)
}
