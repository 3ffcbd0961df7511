//! A `resourceVersion` as a number, as Go's `strconv.ParseUint` reads it.

use crate::failure::{FieldError, FieldPath};

/// The number.
///
/// # Errors
///
/// Go's words for what is none.
pub fn parse(text: &str) -> Result<u64, String> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let refuse = |why: &str| format!("strconv.ParseUint: parsing {text:?}: {why}");
    if !digits {
        return Err(refuse("invalid syntax"));
    }
    text.parse().map_err(|_| refuse("value out of range"))
}

/// The same, of a parameter; nothing and empty are none.
///
/// # Errors
///
/// The text of an error about the field.
pub fn parameter(text: &str) -> Result<Option<u64>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let refuse = |why| FieldError::invalid(&FieldPath::new("resourceVersion"), &text.into(), why).to_string();
    parse(text).map(Some).map_err(refuse)
}
