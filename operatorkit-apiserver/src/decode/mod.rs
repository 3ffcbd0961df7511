//! From the bytes of a request to an object, with the real server's errors.
//!
//! | module | what |
//! |---|---|
//! | [`kind`] | the kind that a body is read as |
//! | [`object`] | a body to an object of a kind |
//! | [`options`] | `DeleteOptions` |
//! | [`refusal`] | why a body is none |
//! | [`version`] | the `apiVersion` and `kind` of a body |
//! | [`typed`] | the built-in kinds: types, unknown fields, and what Go writes back |
//! | [`custom`] | custom resources |
//! | [`strict`] | fields given twice, fields nobody knows |
//! | [`json`], [`yaml`] | the two forms of a body |
//! | [`quantity`], [`time`], [`base64`] | scalars with their own forms |
//! | [`go_types`] | what only the Go types know |

pub(crate) mod base64;
mod custom;
mod go_types;
pub(crate) mod json;
mod kind;
mod object;
mod options;
pub mod quantity;
mod refusal;
pub(crate) mod strict;
mod time;
pub(crate) mod typed;
mod version;
mod yaml;

pub use kind::{Content, Decoded, Kind, Media};
pub use options::delete_options;
pub(crate) use refusal::internal_package;

use serde_json::Value;

use crate::schema::Schema;

/// What happens with fields that are unknown or given twice: `fieldValidation`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FieldValidation {
    /// They are dropped.
    Ignore,
    /// They are dropped, with a warning. The default.
    #[default]
    Warn,
    /// The request is refused.
    Strict,
}

impl FieldValidation {
    /// Reads the parameter of a request. `None` for what is none of the three; then the real server answers 422.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "" | "Warn" => Some(Self::Warn),
            "Ignore" => Some(Self::Ignore),
            "Strict" => Some(Self::Strict),
            _ => None,
        }
    }
}

/// The value of the header `Warning` for a text.
pub fn warning(text: &str) -> String {
    format!("299 - {text:?}")
}

/// Any document, YAML or JSON, without a kind of its own; and what is wrong with it to a strict reader: keys that it says twice.
///
/// # Errors
///
/// What is no document.
pub fn document(bytes: &[u8]) -> Result<(Value, Option<String>), String> {
    let mut strict = strict::StrictErrors::default();
    let document = yaml::to_json(bytes, &mut strict)?;
    Ok((document.to_value()?, strict.into_errors().into_iter().next()))
}

/// What a strict reader's error is in warnings: one for each key.
pub fn warnings(error: &str) -> Vec<String> {
    yaml::warnings(error)
}

/// An object of a built-in kind as the real server would write it back: without what the Go type drops (unknown fields,
/// `false`, `""`, empty lists, where the field is no pointer) and with what it always writes (`status: {}`).
///
/// # Errors
///
/// Go's message for a value of the wrong type.
pub fn canonical(object: &Value, schema: Schema<'_>) -> Result<Value, String> {
    typed::read(&json::from_value(object), schema, &strict::Place::Root, None)
}

#[cfg(test)]
pub(crate) mod tests;
