//! The built-in kinds: what a real server serves, as data read from one.
//!
//! `data/kinds.json.gz` is written by `cargo run -p operatorkit-xtask -- extract`. It is parsed once, on the first use.
//!
//! | module | what |
//! |---|---|
//! | [`resource`] | one resource: its names, verbs, subresources and columns |
//! | [`catalog`] | all of them, and how to find one |
//! | [`defaults`] | what is filled in where nothing is given |
//! | `learned` | the defaults that are always the same, as data |
//! | `load`, `nodes` | from the data to the catalog, and from its schemas to nodes |

pub mod catalog;
pub mod defaults;
mod learned;
mod load;
mod nodes;
pub mod resource;

use std::sync::LazyLock;

pub use catalog::{BuiltIn, Release};
pub use defaults::apply_defaults;
pub use resource::{BuiltInResource, BuiltInSubresource, ColumnDefinition};

#[cfg(test)]
mod tests;

/// All built-in kinds. The first call parses them, which takes milliseconds; every server of a process shares them.
pub fn kinds() -> &'static BuiltIn {
    static KINDS: LazyLock<BuiltIn> = LazyLock::new(load::load);
    &KINDS
}
