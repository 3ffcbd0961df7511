//! Which operation of which resource a layer wraps.

use std::{
    fmt,
    sync::atomic::{AtomicU32, Ordering},
};

use tokio_util::sync::CancellationToken;

use crate::{metrics::Meter, reporting::Reports};

/// One operation of a resource, for one object.
#[derive(Debug)]
#[non_exhaustive]
pub struct Operation<'a> {
    /// The operator's name.
    pub controller: &'a str,
    /// The kind of the object.
    pub kind: &'a str,
    /// The resource's name.
    pub resource: &'a str,
    /// What is done.
    pub verb: Verb,
    /// Whether the object is being deleted. A pass forwards, too, has `delete` for what is no longer wanted.
    pub backwards: bool,
    /// The namespace of the object; `None` if it is cluster-scoped.
    pub namespace: Option<&'a str>,
    /// The name of the object.
    pub name: &'a str,
    /// The UID of the object.
    pub uid: &'a str,
    pub(super) surroundings: Surroundings<'a>,
    /// It must not be run again.
    pub(super) once: bool,
    runs: AtomicU32,
}

/// What of the operator a layer may need.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Surroundings<'a> {
    /// Cancelled when the operator shuts down.
    pub(crate) stopping: Option<&'a CancellationToken>,
    /// Who measures its operations.
    pub(crate) meter: Option<&'a Meter>,
    /// Where errors are reported to.
    pub(crate) reports: Option<&'a Reports>,
}

impl<'a> Operation<'a> {
    /// An operation of no operator and no object, for tests of a layer; the fields can be set.
    pub fn new(resource: &'a str, verb: Verb) -> Self {
        Self {
            controller: "",
            kind: "",
            resource,
            verb,
            backwards: false,
            namespace: None,
            name: "",
            uid: "",
            surroundings: Surroundings::default(),
            once: false,
            runs: AtomicU32::new(0),
        }
    }

    pub(crate) fn in_surroundings(self, surroundings: Surroundings<'a>) -> Self {
        Self { surroundings, ..self }
    }

    pub(crate) fn only_once(self, once: bool) -> Self {
        Self { once, ..self }
    }

    /// Whether a layer may run it only once: `create` of an `External` with `recover = "manual"`, whose provider cannot be asked what a run
    /// that failed has made. A second run is an error.
    pub fn is_once(&self) -> bool {
        self.once
    }

    /// How often the operation itself has been run so far, on behalf of this call: more than once if a layer tries again.
    pub fn runs(&self) -> u32 {
        self.runs.load(Ordering::Relaxed)
    }

    /// Waits until the operator shuts down: a layer that only waits gives up then. For ever where no operator runs it.
    pub async fn shutdown(&self) {
        match self.surroundings.stopping {
            Some(stopping) => stopping.cancelled().await,
            None => std::future::pending().await,
        }
    }

    pub(super) fn meter(&self) -> Option<&Meter> {
        self.surroundings.meter
    }

    /// It is run once more.
    pub(super) fn count(&self) {
        self.runs.fetch_add(1, Ordering::Relaxed);
    }
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

impl Verb {
    /// The name, as logs and metrics have it: `ensure_created`.
    pub const fn as_str(self) -> &'static str {
        match self {
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
        }
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
