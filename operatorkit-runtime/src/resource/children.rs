//! `Children`: the output of a `Manifest`, its children as observed.

use std::slice;

use anyhow::bail;

use crate::error::Result;

/// A resource's children as they are in the cluster, in the order of `desired`.
///
/// Without `managedFields`, which the runtime does not keep.
#[derive(Clone, Debug)]
pub struct Children<T>(Vec<T>);

impl<T: kube::Resource> Children<T> {
    pub(crate) fn new(children: Vec<T>) -> Self {
        Self(children)
    }

    /// The only child.
    ///
    /// # Errors
    /// If there is none, or more than one.
    pub fn one(&self) -> Result<&T> {
        match self.0.as_slice() {
            [one] => Ok(one),
            [] => bail!("the resource has no child"),
            many => bail!("the resource has {} children: read one by name with `get`", many.len()),
        }
    }

    /// The child with this name; the first, where it exists in several namespaces.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.0.iter().find(|child| child.meta().name.as_deref() == Some(name))
    }

    /// All children.
    pub fn iter(&self) -> slice::Iter<'_, T> {
        self.0.iter()
    }

    /// How many children there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no child.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'a, T> IntoIterator for &'a Children<T> {
    type Item = &'a T;
    type IntoIter = slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
