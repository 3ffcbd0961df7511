//! What is written in an attribute, without a judgement: `key`, `key = value`, `key(list)`, separated by commas.

mod entry;
mod fields;
mod pieces;

pub(crate) use entry::{Entry, Value, entries};
pub(crate) use fields::fields;
pub(crate) use pieces::pieces;
