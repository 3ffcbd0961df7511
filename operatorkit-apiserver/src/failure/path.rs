//! The place of a field, as error messages write it.

use std::fmt;

/// The place of a field: `spec.containers[0].name`, `metadata.labels[a/b]`. Empty for the object itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldPath(String);

impl FieldPath {
    /// A top-level field, or a path already written with dots.
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// The object itself.
    pub fn root() -> Self {
        Self::default()
    }

    /// A field of this one.
    #[must_use]
    pub fn child(&self, name: impl fmt::Display) -> Self {
        if self.0.is_empty() {
            return Self(name.to_string());
        }
        Self(format!("{}.{name}", self.0))
    }

    /// An item of this list.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        Self(format!("{}[{index}]", self.0))
    }

    /// A value of this map.
    #[must_use]
    pub fn key(&self, key: impl fmt::Display) -> Self {
        Self(format!("{}[{key}]", self.0))
    }

    /// As it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "<nil>" } else { &self.0 })
    }
}
