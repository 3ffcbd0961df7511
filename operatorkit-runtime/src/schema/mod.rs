//! The schema of an own kind: one that the API server takes, and that accepts what the Rust type accepts.
//!
//! A CRD has a *structural* schema: each place has one type, and `allOf`, `anyOf`, `oneOf` and `not` only judge values. What schemars makes of a
//! Rust type is none. So it is read into places; what a place may hold in several forms, the variants of an enum, is brought together; and what remains of their
//! differences is said in conditions on values. What cannot be said is an error with the path of the field.
//!
//! | in Rust | in the schema |
//! |---|---|
//! | `u8` … `u32`, `i8`, `i16`, `NonZero…` | an integer with its real bounds; `format` is `int32` or `int64` |
//! | `u64`, `usize`, `u128`, `isize`, `i128` | an integer of 64 bits with a sign, which is all that the API server keeps; the unsigned ones from 0 |
//! | `serde_json::Value` | anything, kept as it is |
//! | `Map<String, Value>` | an object of anything, kept as it is |
//! | `Option<T>` | `nullable`, and not required |
//! | an enum | the forms of all its variants, and the conditions that tell them apart; a string or an integer is `x-kubernetes-int-or-string` |
//! | a doc comment | the description, up to a line `---`, without lines that begin with `TODO` or `FIXME` |
//!
//! Refused are recursive types, maps with keys other than strings or the variants of an enum, tuples, the unit type, and a struct with
//! `#[serde(flatten)]` on a map of anything else than `Value`. The remedy for each is a `#[schemars(with = "operatorkit::serde_json::Value")]` on the
//! field: it is then kept as it is, and looked at by nobody but serde.
//!
//! Where the API server decides otherwise than serde: fields that are not in the schema are dropped before serde could refuse them
//! (`deny_unknown_fields`), unless the place takes several types; a field that belongs to one variant alone has its type also beside another variant,
//! which would ignore it; a flattened enum takes exactly one of its variants; and a struct is an object, though serde reads it from an array, too.
//!
//! [`Rule`]s in CEL come from `validation(..)`.

mod check;
mod docs;
mod keywords;
mod kinds;
mod merge;
mod node;
mod numbers;
mod object;
mod print;
mod read;
mod rule;
#[cfg(test)]
mod tests;
mod wrong;

pub use object::object;
pub use rule::{Reason, Rule, Rules, rules};

use node::Node;
use wrong::Wrong;
