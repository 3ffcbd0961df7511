//! Narrowing requests down, and counting them.

use std::{
    collections::{BTreeMap, HashSet},
    fmt,
    ops::Deref,
};

use super::Entry;

/// Requests in the order in which the API server received them; a slice of [`Entry`]. It displays as one line each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requests {
    entries: Vec<Entry>,
}

impl Requests {
    /// Each request once: a watch is logged when it starts and when it ends.
    pub(super) fn new(mut entries: Vec<Entry>) -> Self {
        let mut seen = HashSet::new();
        entries.retain(|entry| seen.insert(entry.id.clone()));
        // Logged when they are answered.
        entries.sort_by_key(|entry| entry.received);
        Self { entries }
    }

    /// Those that `keep` says yes to.
    #[must_use]
    pub fn filter(mut self, keep: impl Fn(&Entry) -> bool) -> Self {
        self.entries.retain(keep);
        self
    }

    /// Those of one user.
    #[must_use]
    pub fn by_user(self, user: &str) -> Self {
        self.filter(|entry| entry.user == user)
    }

    /// Those whose user agent contains `part`.
    #[must_use]
    pub fn by_agent(self, part: &str) -> Self {
        self.filter(|entry| entry.agent.contains(part))
    }

    /// Those about objects in one namespace.
    #[must_use]
    pub fn in_namespace(self, namespace: &str) -> Self {
        self.filter(|entry| entry.object.namespace == namespace)
    }

    /// Those of one resource, with its subresource if it has one: `pods`, `pods/status`.
    #[must_use]
    pub fn of(self, resource: &str) -> Self {
        self.filter(|entry| entry.resource() == resource)
    }

    /// Those of one verb.
    #[must_use]
    pub fn verb(self, verb: &str) -> Self {
        self.filter(|entry| entry.verb == verb)
    }

    /// Those that ask for a change.
    #[must_use]
    pub fn writes(self) -> Self {
        self.filter(Entry::is_write)
    }

    /// How many of each verb; a verb without requests is absent.
    pub fn by_verb(&self) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for entry in &self.entries {
            *counts.entry(entry.verb.as_str()).or_default() += 1;
        }
        counts
    }
}

impl Deref for Requests {
    type Target = [Entry];

    fn deref(&self) -> &[Entry] {
        &self.entries
    }
}

impl fmt::Display for Requests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entries.iter().try_for_each(|entry| writeln!(f, "{entry}"))
    }
}
