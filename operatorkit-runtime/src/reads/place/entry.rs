//! One object that is read.

use std::{any::Any, collections::HashSet, fmt, sync::Arc};

use super::super::key::ListKey;
use crate::{queue::Uid, store::Version};

/// A whole object, as its type.
pub(in crate::reads) type Object = Arc<dyn Any + Send + Sync>;

/// What a live read, or the watch, has shown.
#[derive(Clone)]
pub(in crate::reads) enum Body {
    Absent,
    Present { version: Version, object: Object },
}

impl fmt::Debug for Body {
    /// Without the object, which may be a Secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("Absent"),
            Self::Present { version, .. } => f.debug_tuple("Present").field(version).finish(),
        }
    }
}

/// An object that is read, by name or in a list.
#[derive(Debug, Default)]
pub(in crate::reads) struct Entry {
    pub(super) readers: HashSet<Uid>,
    pub(super) lists: HashSet<ListKey>,
    /// `None`: not fetched yet, or the watch has shown something newer.
    pub(in crate::reads) body: Option<Body>,
    /// The newest version that the watch has shown.
    pub(super) shown: Version,
    /// How often the watch has told something about it.
    tellings: u64,
    /// A list lacked it, so that a version proves nothing.
    questioned: bool,
    /// Who fetches: one at a time.
    turn: Arc<tokio::sync::Mutex<()>>,
}

impl Entry {
    pub(super) fn is_unread(&self) -> bool {
        self.readers.is_empty() && self.lists.is_empty()
    }

    pub(in crate::reads) fn turn(&self) -> Arc<tokio::sync::Mutex<()>> {
        self.turn.clone()
    }

    /// Whether something of this version is no news.
    pub(super) fn knows(&self, version: Version) -> bool {
        let body = match &self.body {
            Some(Body::Present { version, .. }) => *version,
            _ => Version::default(),
        };
        let known = body.max(self.shown);
        // A version that cannot be read is always news.
        version <= known && version != Version::default()
    }

    /// The watch has told something.
    pub(super) fn told(&mut self, version: Version) {
        self.shown = self.shown.max(version);
        self.tellings += 1;
    }

    /// The object may be gone: only a live read tells.
    pub(super) fn question(&mut self) {
        self.tellings += 1;
        if !matches!(self.body, Some(Body::Absent)) {
            self.body = None;
            self.questioned = true;
        }
    }

    /// A live read begins. The answer is to come with this number.
    pub(in crate::reads) fn fetching(&mut self) -> u64 {
        self.questioned = false;
        self.tellings
    }

    /// Takes in what a live read has shown, unless the watch may have shown something newer meanwhile.
    pub(in crate::reads) fn fetched(&mut self, body: &Body, since: u64) -> bool {
        if self.body.is_some() {
            return false;
        }
        let quiet = self.tellings == since;
        let current = match body {
            Body::Absent => quiet,
            Body::Present { version, .. } => !self.questioned && (quiet || version.replaces(self.shown)),
        };
        if current {
            self.body = Some(body.clone());
        }
        current
    }

    /// Takes in what a live list has shown. Returns whether that is news to those who were given something else.
    pub(super) fn listed(&mut self, version: Version, object: &Object) -> bool {
        if !version.replaces(self.shown) {
            return false;
        }
        if matches!(&self.body, Some(Body::Present { version: known, .. }) if *known >= version) {
            return false;
        }
        self.questioned = false;
        let object = object.clone();
        self.body.replace(Body::Present { version, object }).is_some()
    }
}
