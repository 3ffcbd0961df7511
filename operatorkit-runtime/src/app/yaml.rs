//! Objects as a stream of YAML documents.

use std::io::{self, Write as _};

use anyhow::Context as _;
use serde::Serialize;

/// A document for each object, in this order.
///
/// YAML 1.1, which kubectl reads, takes more words for numbers, booleans and dates than YAML 1.2; serde-saphyr quotes those by default.
pub(super) fn documents<T: Serialize>(objects: &[T]) -> anyhow::Result<String> {
    let mut yaml = String::new();
    for object in objects {
        yaml.push_str("---\n");
        yaml.push_str(&serde_saphyr::to_string(object).context("cannot write an object as YAML")?);
    }
    Ok(yaml)
}

/// Writes a text to stdout.
pub(super) fn print(yaml: &str) -> anyhow::Result<()> {
    match io::stdout().lock().write_all(yaml.as_bytes()) {
        // The reader has seen enough, as in `crd | head`.
        Err(err) if err.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.context("cannot write to stdout"),
    }
}
