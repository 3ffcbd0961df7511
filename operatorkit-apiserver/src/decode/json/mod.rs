//! JSON as it is written: order, duplicate keys and the literals of numbers and strings are kept, since the real server's
//! errors and its JSON patches depend on them. It reads what Go's `encoding/json` reads, and refuses in its words.
//!
//! | module | what |
//! |---|---|
//! | [`parse`] | bytes to [`Json`] |
//! | [`literal`] | the text of a string literal |
//! | [`write`] | [`Json`] and values as Go writes them |
//! | [`value`] | [`Json`] to a [`serde_json::Value`] |

mod literal;
mod parse;
mod value;
mod write;

use std::borrow::Cow;

pub(crate) use parse::parse;
pub(crate) use value::{float, whole_or_float};
pub(crate) use write::{escape, from_value};

/// A JSON document as it is written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as it is written.
    Number(Cow<'a, str>),
    /// A string.
    String(Text<'a>),
    /// A list.
    Array(Vec<Json<'a>>),
    /// An object, in its order, with all that is duplicate.
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

/// A string: its text, and how it is written between its quotes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Text<'a> {
    /// The text. What is not UTF-8 is replaced, as Go does it.
    pub(crate) text: Cow<'a, str>,
    /// The literal, without its quotes.
    pub(crate) literal: Cow<'a, [u8]>,
}

impl<'a> Json<'a> {
    /// What Go's errors call the value.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "bool",
            Self::Number(_) => "number",
            Self::String(_) => "string",
            Self::Array(_) => "array",
            Self::Object(_) => "object",
        }
    }

    /// The items of a list; none of what is none.
    pub(crate) fn items(&self) -> &[Json<'a>] {
        match self {
            Self::Array(items) => items,
            _ => &[],
        }
    }

    /// The last field of this name: what Go's decoder ends with.
    pub(crate) fn get(&self, name: &str) -> Option<&Json<'a>> {
        match self {
            Self::Object(fields) => fields.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
