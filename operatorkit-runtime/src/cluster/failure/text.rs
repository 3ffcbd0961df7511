//! What of a server's text is kept: bounded, and without values that must not be shown.

use std::error::Error as StdError;

use kube::core::Status;

use super::{
    super::target::Target,
    class::{Class, causes},
    immutable,
};

/// The most that is kept of a text, in bytes.
const MAX: usize = 1024;

/// The message of an answer.
pub(super) fn message(status: &Status, class: &Class, target: &Target) -> String {
    let message = match class {
        Class::TestFailed => "the object is not as the patch expects it".to_owned(),
        _ if target.secret && quotes(*class) => about_secret(status),
        Class::Immutable => format!(
            "the API server refuses to change {}",
            immutable::fields(causes(status)).unwrap_or_default()
        ),
        Class::Invalid if is_whole_object(status) => after_value(&status.message),
        Class::NotInSchema => without_found(&status.message),
        _ => status.message.clone(),
    };
    bounded(&message)
}

/// Which answers quote what was sent (tried on 1.37: values of a Secret are in some of each).
fn quotes(class: Class) -> bool {
    matches!(
        class,
        Class::Invalid
            | Class::Immutable
            | Class::NotInSchema
            | Class::BadRequest
            | Class::TooLarge
            | Class::Server(_)
            | Class::Other
    )
}

fn about_secret(status: &Status) -> String {
    let fields: Vec<_> = causes(status)
        .iter()
        .map(|cause| cause.field.split('[').next().unwrap_or_default())
        .collect();
    let at = if fields.is_empty() {
        String::new()
    } else {
        format!(" at {}", fields.join(", "))
    };
    format!("the API server refused the Secret{at}; its words are withheld, they can hold values")
}

/// A JSON patch whose result does not decode is answered with the whole object, as the value of the field `patch`.
fn is_whole_object(status: &Status) -> bool {
    causes(status).iter().any(|cause| cause.field == "patch")
}

fn after_value(message: &str) -> String {
    let why = message
        .rsplit_once("\": ")
        .map_or("the result does not decode", |(_, why)| why);
    format!("the result of the patch is invalid: {why}")
}

/// `.data: expected map, got &{[…]}` shows what it got.
fn without_found(message: &str) -> String {
    message.split(", got &").next().unwrap_or_default().to_owned()
}

/// An error with its causes, each said once.
pub(super) fn chain(err: &dyn StdError) -> String {
    let mut text = err.to_string();
    let mut cause = err.source();
    while let Some(err) = cause {
        let next = err.to_string();
        if !text.contains(&next) {
            text = format!("{text}: {next}");
        }
        cause = err.source();
    }
    text
}

/// On one line, and cut at a character.
pub(super) fn bounded(text: &str) -> String {
    let mut text = text.trim().replace(['\n', '\r'], " ");
    if text.len() > MAX {
        text.truncate(text.floor_char_boundary(MAX - '…'.len_utf8()));
        text.push('…');
    }
    text
}
