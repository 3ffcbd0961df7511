//! Custom resources: CRDs, and what their schemas do to objects.
//!
//! | module | what |
//! |---|---|
//! | `cel` | rules in CEL |
//! | [`check`](mod@check) | whether a CRD may be as it is |
//! | [`compile`](mod@compile) | a version of a CRD, made ready to be served |
//! | [`defaulting`] | defaults, and `null` where none may be |
//! | [`definition`] | what creating and changing a CRD does beside checking it |
//! | [`embedded`] | resources inside of resources |
//! | [`names`] | whether the names of a CRD are free |
//! | [`object`] | what creating and changing a custom object does beside its schema |
//! | [`prune`](mod@prune) | unknown fields |
//! | [`scale`] | the `scale` subresource |
//! | [`validation`] | values against a schema |
//! | [`version`] | the order of versions |
//!
//! # Where this is not the real server
//!
//! - The real server refuses a rule whose estimated cost is too high, and what a rule may cost when it runs. Here no cost
//!   is estimated; when a rule runs, the items that it goes through and the values that it makes are counted
//!   (`cel`). A rule that fits there fits here, unless it goes through more than 200,000 items.
//! - Calls with constants that cannot be right (`int('x')`) are refused there when the CRD is made, and here when the
//!   rule runs. Messages of protobuf (`google.protobuf.Duration{}`) are refused here. A syntax error may be told in other
//!   words.
//! - A conversion by webhook is accepted and not called: objects are converted by their `apiVersion` alone. Whether a
//!   `caBundle` is one is judged by its form.
//! - Of several errors the order is that of the names of fields; there it is by chance, since Go's maps have none.
//! - `1.0` is read as `1`; there it is, too, once it has been stored.

mod cel;
pub mod check;
pub mod compile;
mod content;
pub mod defaulting;
pub mod definition;
pub mod embedded;
pub mod names;
pub mod object;
mod object_meta;
pub mod prune;
pub mod scale;
mod structure;
#[cfg(test)]
mod tests;
pub mod validation;
pub mod version;

/// Keeps a CRD that is deleted until its objects are gone.
pub const FINALIZER: &str = "customresourcecleanup.apiextensions.k8s.io";

pub use check::check;
pub use compile::{Column, CustomVersion, NoSuchVersion, ScalePaths, compile};
pub use defaulting::{apply_defaults, prune_nulls};
pub use definition::defaults;
pub use prune::prune;
