//! Which operation of which resource a layer wraps.

use std::fmt;

/// One operation of a resource, for one object.
#[derive(Clone, Copy, Debug)]
pub struct Operation<'a> {
    /// The operator's name.
    pub controller: &'a str,
    /// The resource's name.
    pub resource: &'a str,
    /// What is done.
    pub verb: Verb,
    /// The namespace of the object; `None` if it is cluster-scoped.
    pub namespace: Option<&'a str>,
    /// The name of the object.
    pub name: &'a str,
}

/// What a resource can be asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verb {
    /// `Manifest::desired`.
    Desired,
    /// Making a `Manifest`'s children as desired.
    Apply,
    /// `External::wanted`.
    Wanted,
    /// `External::find`.
    Find,
    /// `External::observe`.
    Observe,
    /// `External::create`.
    Create,
    /// `External::update`.
    Update,
    /// `External::delete`, and deleting a `Manifest`'s children.
    Delete,
    /// `Step::ensure_created`.
    EnsureCreated,
    /// `Step::ensure_deleted`.
    EnsureDeleted,
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Desired => "desired",
            Self::Apply => "apply",
            Self::Wanted => "wanted",
            Self::Find => "find",
            Self::Observe => "observe",
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::EnsureCreated => "ensure_created",
            Self::EnsureDeleted => "ensure_deleted",
        })
    }
}
