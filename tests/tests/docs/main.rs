//! What the documents in the repository say of its tests and of what a user can meet.

mod book;
mod failures;
mod parity;
mod table;

use std::path::{Path, PathBuf};

use regex::Regex;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern")
}
