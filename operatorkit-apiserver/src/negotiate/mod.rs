//! What is sent and what is wanted: media types, compression, sizes, and bodies as bytes.
//!
//! | module | what |
//! |---|---|
//! | [`accept`](mod@accept) | from `Accept` to the form of the answer, or 406 |
//! | [`clause`] | the clauses of an `Accept` header |
//! | [`content`] | from `Content-Type` to the form of a body or patch, or 415 |
//! | [`body`] | reads a body, up to 3 MiB |
//! | [`encode`](mod@encode) | answers as bytes: JSON, YAML, gzip |

pub mod accept;
pub mod body;
pub mod clause;
pub mod content;
pub mod encode;
#[cfg(test)]
mod tests;

pub use accept::{Accepted, Convert, Endpoint, Transform, accept, accept_for_error};
pub use body::read_body;
pub use content::{PatchType, content_type, patch_type};

/// How objects are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// `application/json`
    #[default]
    Json,
    /// `application/yaml`
    Yaml,
    /// `application/vnd.kubernetes.protobuf`, for built-in kinds.
    Protobuf,
}

impl Format {
    /// In the order in which the real server lists them.
    const ALL: [Self; 3] = [Self::Json, Self::Yaml, Self::Protobuf];

    /// The media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Yaml => "application/yaml",
            Self::Protobuf => "application/vnd.kubernetes.protobuf",
        }
    }
}

/// The media types of objects, as errors list them.
const MEDIA_TYPES: &str = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
/// The media types of watches, as errors list them.
const STREAM_TYPES: &str = "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";
