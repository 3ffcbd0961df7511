//! What cannot be said in a schema, and where.

use std::fmt;

/// What is wrong with a field's type.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    /// From the outermost field to this one: `.spec.tree.children[]`.
    path: String,
    what: String,
}

impl Wrong {
    pub(super) fn new(what: impl Into<String>) -> Self {
        Self {
            path: String::new(),
            what: what.into(),
        }
    }

    /// The same, seen from outside of this step.
    pub(super) fn below(mut self, step: &str) -> Self {
        self.path.insert_str(0, step);
        self
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.path, self.what)
    }
}
