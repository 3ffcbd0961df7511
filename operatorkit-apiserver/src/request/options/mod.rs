//! The options of writes, deletions, lists and watches.
//!
//! | module | what |
//! |---|---|
//! | [`write`](mod@write) | those of create, update and patch |
//! | [`delete`] | those of deletions |
//! | [`list`] | those of lists and watches |
//! | [`version`] | a `resourceVersion` as a number |

pub mod delete;
pub mod list;
pub mod version;
pub mod write;

pub use delete::{DeleteOptions, Propagation};
pub use list::ListOptions;
pub use write::WriteOptions;
