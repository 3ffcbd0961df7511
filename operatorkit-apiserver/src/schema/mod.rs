//! What is known of a kind's fields: one form for the built-in kinds and for CRDs.
//!
//! | module | what |
//! |---|---|
//! | [`node`] | one place in a schema: its type, its fields, how it merges |
//! | [`kind`] | what a kind is called |
//! | [`open_api`] | what is published of it: documents of `OpenAPI` v3 |
//! | [`types`] | all nodes of one source, and how to walk them |

pub mod kind;
pub mod node;
pub mod open_api;
pub mod types;

pub use kind::GroupVersionKind;
pub use node::{ListType, MapType, Node, NodeId, PatchStrategy, Rule, Rules, Type};
pub use types::{OwnedSchema, Schema, Types};
