//! The files that a configuration was made of, and whether they have changed.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use sha2::{Digest as _, Sha256};

/// Files whose contents count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Files(BTreeSet<PathBuf>);

/// What was in the files, without keeping it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contents([u8; 32]);

impl Files {
    /// Adds a file. A pipe or a device can be read only once: it stays as it was.
    pub(super) fn add(&mut self, path: impl AsRef<Path>) {
        let path = path.as_ref();
        if fs::metadata(path).is_ok_and(|about| about.is_file()) {
            self.0.insert(path.to_owned());
        }
    }

    /// What is in them now. By contents and not by times: the files are small, and a time says less than it seems on a projected volume.
    pub(super) fn contents(&self) -> Contents {
        let mut hash = Sha256::new();
        for path in &self.0 {
            let read = fs::read(path).ok();
            let length = read.as_ref().map_or(u64::MAX, |read| read.len() as u64);
            hash.update(length.to_be_bytes());
            hash.update(read.unwrap_or_default());
        }
        Contents(hash.finalize().into())
    }

    /// For people.
    pub(super) fn names(&self) -> String {
        let names: Vec<_> = self.0.iter().map(|path| path.display().to_string()).collect();
        names.join(", ")
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
