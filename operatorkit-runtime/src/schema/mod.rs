//! The schema of an own kind: one that the API server takes, and that accepts what the Rust type accepts.
//!
//! A CRD has a *structural* schema: each place has one type, and `allOf`, `anyOf`, `oneOf` and `not` only judge values. What schemars makes of a
//! Rust type is none. `read` makes places of it, `merge` brings together what a place may hold in several forms (the variants of an enum), `check` says in
//! conditions on values what remains of their differences, and `print` writes it down. What cannot be said is an error with the path of the field.
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
//! Two things the API server decides: fields that are not in the schema are dropped, so `deny_unknown_fields` says nothing; and a field that is in
//! several variants of an enum with different types is judged by the variant, but one that belongs to another variant alone by its own type.
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
