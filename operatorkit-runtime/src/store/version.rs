//! Comparing resource versions of one object.

/// A resource version. Kubernetes guarantees that versions of one kind can be compared as integers (KEP-5504).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version(u64);

impl Version {
    /// An unreadable version counts as the oldest: the next one seen replaces what carries it.
    pub(crate) fn of(version: Option<&str>) -> Self {
        Self(version.and_then(|version| version.parse().ok()).unwrap_or(0))
    }

    /// Whether something of this version replaces something of that one. Equal ones do: it is the same state.
    pub(crate) fn replaces(self, before: Self) -> bool {
        self.0 == 0 || self >= before
    }
}
