//! Why a body is no object of the kind, in the words of the real server.

use std::fmt::Write;

use super::{Kind, version::Said};
use crate::{failure::Failure, protobuf};

/// Why a body is no object of the kind.
#[derive(Debug)]
pub(crate) struct DecodeError {
    /// What the body said it is, if it could be read so far.
    pub(super) said: Option<Said>,
    /// The message.
    pub(crate) message: String,
}

impl Kind<'_> {
    /// What is said of an object of another kind.
    pub(super) fn unknown_conversion(&self, said: &Said) -> String {
        format!(
            "converting ({}.{}) to ({}.{}): unknown conversion",
            said.version,
            said.kind,
            internal_package(self.group),
            self.kind
        )
    }

    /// `transformDecodeError`.
    pub(super) fn refuse(&self, error: &DecodeError, body: &[u8]) -> Failure {
        let message = &error.message;
        Failure::bad_request(match &error.said {
            Some(said) if !said.kind.is_empty() => format!(
                "{} in version {:?} cannot be handled as a {}: {message}",
                said.kind, said.version, self.kind
            ),
            _ => format!(
                "the object provided is unrecognized (must be of type {}): {message} ({})",
                self.kind,
                summary(body)
            ),
        })
    }
}

/// What is said of a body that is no JSON.
pub(super) fn syntax(error: &str) -> DecodeError {
    DecodeError {
        said: None,
        message: format!("couldn't get version/kind; json parse error: {error}"),
    }
}

/// What is said of a body that is no protobuf.
pub(super) fn unreadable(error: &protobuf::DecodeError) -> DecodeError {
    let (said, message) = match error {
        protobuf::DecodeError::UnknownKind(api_version, kind) => {
            let said = Said::new(api_version, kind);
            let message = not_registered(&said);
            (Some(said), message)
        }
        error => (None, error.to_string()),
    };
    DecodeError { said, message }
}

/// What is said of a kind that there is not.
pub(super) fn not_registered(said: &Said) -> String {
    format!(
        "no kind {:?} is registered for version {:?} in scheme \"pkg/runtime/scheme.go:111\"",
        said.kind,
        said.api_version()
    )
}

/// The Go package of a group's internal types.
pub(crate) fn internal_package(group: &str) -> &str {
    match group {
        // The internal Event is that of the core.
        "" | "events.k8s.io" => "core",
        group => group.split('.').next().unwrap_or(group),
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The first 30 bytes of a body: as text if it looks like JSON, else in hexadecimal.
fn summary(body: &[u8]) -> String {
    const LENGTH: usize = 30;
    let start = &body[..body.len().min(LENGTH)];
    let dots = if body.len() > LENGTH { " ..." } else { "" };
    let text = match body.first() {
        None => "<empty>".to_owned(),
        Some(b'{') => String::from_utf8_lossy(start).into_owned(),
        Some(_) => hexadecimal(start),
    };
    text + dots
}
