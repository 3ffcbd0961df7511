//! Rules that objects of all kinds share, in the words of the real server.
//!
//! Pure: an object goes in, [`Errors`] come out, in the order of the real server. Where that walks a Go map, whose order is random, this one
//! goes by key.
//!
//! | module | what |
//! |---|---|
//! | [`at`] | [`At`]: a value and its place, from which rules read and errors are made |
//! | [`names`] | the grammar of names, labels, keys and ports |
//! | [`meta`] | `metadata`, on create and update |
//! | [`owners`] | `metadata.ownerReferences` and `metadata.managedFields` |
//! | [`selector`] | label selectors: their form, and what they match |
//! | [`quantity`] | quantities: parsed, compared, and in the form that is stored |
//! | [`number`] | ranges, ports, percentages |
//! | [`address`] | IP addresses and networks |
//! | [`time`] | times, and the form that is stored |
//! | [`condition`] | `metav1.Condition` |
//! | [`canonical`] | quantities and times of a whole object, in the form that is stored |

pub mod address;
pub mod at;
pub mod canonical;
pub mod condition;
pub mod meta;
pub mod names;
pub mod number;
pub mod owners;
pub mod quantity;
pub mod selector;
pub mod time;

#[cfg(test)]
mod tests;

pub use at::{At, Errors};
pub use quantity::Quantity;
